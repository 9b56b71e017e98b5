"""The words of a line as a shell parts them: at blanks, but for what stands in quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(
    r'"(?P<double>(?:\\.|[^"\\])*)"(?=\s|$)'
    r"|(?P<mark>['`])(?P<single>.*?)(?P=mark)(?=\s|$)"
    r"|(?P<bare>\S+)"
)


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    quoted: bool = False


def words(line: str) -> Iterator[Word]:
    """Backslashes stay, but for one before a double quote: a pattern needs them."""
    for found in _WORD.finditer(line):
        if found["bare"] is not None:
            yield Word(found["bare"])
        elif found["double"] is not None:
            yield Word(found["double"].replace('\\"', '"'), quoted=True)
        else:
            yield Word(found["single"], quoted=True)
