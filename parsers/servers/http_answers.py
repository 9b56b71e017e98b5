"""Streams of server-sent events.

stream = ((field | comment)* empty line)*      what an empty line does not end is no event
field  = "data:" text | other ":" text         several lines of data are one text
"""

from collections.abc import Iterable, Iterator

LONGEST_LINE = 1 << 24
_DATA = "data:"


def read_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Only a line feed ends one: `str.splitlines` also breaks where a text has U+2028."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode(errors="replace")
        if len(rest) > LONGEST_LINE:
            raise ValueError(f"a line of over {LONGEST_LINE:,} bytes")
    if rest:
        yield rest.decode(errors="replace")


def read_events(lines: Iterable[str]) -> Iterator[str]:
    data = list[str]()
    for line in lines:
        if line.startswith(_DATA):
            data.append(line.removeprefix(_DATA).removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data.clear()
