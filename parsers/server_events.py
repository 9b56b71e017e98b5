"""The data of a stream of server-sent events, line by line.

stream = ((field | comment)* empty line)*      what an empty line does not end is no event
field  = "data:" text | other ":" text         several lines of data are one text
"""

from collections.abc import Iterable, Iterator

_DATA = "data:"


def read_events(lines: Iterable[str]) -> Iterator[str]:
    data = list[str]()
    for line in lines:
        if line.startswith(_DATA):
            data.append(line.removeprefix(_DATA).removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data.clear()
