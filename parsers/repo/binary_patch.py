"""How large the binary files are that a patch of git's makes, before anybody makes them.

part   = ("literal" | "delta") size NEWLINE line+ NEWLINE
line   = length base85
A delta says in its first bytes how large what it is made from is, and what it makes: seven bits
in each byte, the lowest first, all but the last with the highest bit set.
"""

import base64
import re
import zlib
from collections.abc import Iterator

# As leniently as git: what stands behind the number does not matter.
_PART = re.compile(
    rb"^(?P<kind>literal|delta) [ \t+]*(?P<size>[0-9]+)[^\n]*\n(?P<line>[^\n]*)", re.MULTILINE
)
_DIGITS = 20
_HEAD = 20  # bytes of a delta, which hold both sizes


def binary_bytes(patch: bytes) -> int:
    """Of all its parts together, those that lead back included; as they say themselves."""
    return sum(
        int(part["size"][:_DIGITS]) + (_made(part["line"]) if part["kind"] == b"delta" else 0)
        for part in _PART.finditer(patch)
    )


def _made(line: bytes) -> int:
    """By a delta, of which this is the first line; nothing, if it can't be read: git refuses it."""
    try:
        head = zlib.decompressobj().decompress(base64.b85decode(line[1:].strip()), _HEAD)
    except (ValueError, zlib.error):
        return 0
    return [*_numbers(head), 0, 0][1]


def _numbers(head: bytes) -> Iterator[int]:
    found, shift = 0, 0
    for byte in head:
        found |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield found
            found, shift = 0, 0
