"""Bytes of any length, of which the first and the last are kept."""

_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-"
_SHORTEST, _LONGEST = 8, 2_000  # of what may be of a key


class HeadAndTail:
    def __init__(self, keep: int) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.left_out = 0  # bytes between the two
        self._half = keep // 2

    def add(self, chunk: bytes) -> None:
        room = self._half - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        surplus = len(self.tail) - self._half
        if surplus > 0:
            del self.tail[:surplus]
            self.left_out += surplus

    def end_at_words(self) -> None:
        """A word that was cut in two may be a key, and half of one is not known for what it is."""
        if self.left_out:
            before, after = half_at_end(self.head), half_at_start(self.tail)
            del self.head[len(self.head) - before :]
            del self.tail[:after]
            self.left_out += before + after

    def whole_words(self) -> bytes:
        self.end_at_words()
        return bytes(self.head + self.tail)


def half_at_end(data: bytes | bytearray) -> int:
    """How many bytes at its end are of a word: it may be half of a key."""
    return _if_of_key(len(data) - len(data.rstrip(_SIGNS)))


def half_at_start(data: bytes | bytearray) -> int:
    return _if_of_key(len(data) - len(data.lstrip(_SIGNS)))


def _if_of_key(length: int) -> int:
    return length if _SHORTEST <= length <= _LONGEST else 0
