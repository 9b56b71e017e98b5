"""The words of a line as a shell parts them: at blanks, but for what stands in quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(
    r'"(?P<double>(?:\\.|[^"\\])*)"(?=\s|$)'
    r"|(?P<mark>['`])(?P<single>.*?)(?P=mark)(?=\s|$)"
    r"|(?P<bare>\S+)"
)
_PATH = re.compile(r"""(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s,])+""")
_OPTION = re.compile(r"-(?:[A-Za-z]\w*|-[a-z][\w-]*(?:=\S*)?)")


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


def split_options(line: str) -> tuple[tuple[str, ...], str]:
    """The options that a line begins with, and its rest."""
    options, rest = list[str](), line.strip()
    while rest and _OPTION.fullmatch(first := rest.split()[0]):
        options.append(first)
        rest = rest[len(first) :].lstrip()
    return tuple(options), rest


def lists(line: str) -> Iterator[tuple[str, ...]]:
    """The ways to read a line as several paths: parted by commas only, or by blanks as well."""
    yield tuple(part.strip() for part in line.split(",") if part.strip())
    yield tuple(_PATH.findall(line))
