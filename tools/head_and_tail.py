"""Bytes of any length, of which the first and the last are kept."""


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
