"""How much of a word stands where a text was cut: it may be half of a key."""

_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-"
_SHORTEST, _LONGEST = 8, 2_000  # of what may be of a key


def half_at_end(data: bytes | bytearray) -> int:
    """Bytes of it."""
    return _if_of_key(len(data) - len(data.rstrip(_SIGNS)))


def half_at_start(data: bytes | bytearray) -> int:
    return _if_of_key(len(data) - len(data.lstrip(_SIGNS)))


def _if_of_key(length: int) -> int:
    return length if _SHORTEST <= length <= _LONGEST else 0
