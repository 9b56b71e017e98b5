"""Bytes of any length, of which the first and the last are kept."""

from react_agent.tools.shell.half_words import half_at_end, half_at_start


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
