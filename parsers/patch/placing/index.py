"""A file that is searched for blocks of lines, in several ways of looking at a line."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from react_agent.parsers.patch.source import Source

MOST = 64  # places of one block: with more of them only its line number can tell
SHOWN = 11  # of so many places

Look = Callable[[str], str]

_BOM = "\ufeff"
_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u1680\u202f\u205f\u3000", " "),
        **{chr(code): " " for code in range(0x2000, 0x200B)},
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", None),
        "\u2026": "...",
    }
)


def typographic(text: str) -> set[str]:
    """Its typographic quotes, dashes and spaces; not a byte order mark."""
    return set() if text.isascii() else {one for one in text if ord(one) in _PUNCTUATION} - {_BOM}


def as_it_is(line: str) -> str:
    return line


def folded(line: str) -> str:
    """Plain punctuation, and one space for any run of them."""
    plain = line if line.isascii() else line.translate(_PUNCTUATION)
    return " ".join(plain.split())


class Index:
    def __init__(self, source: Source) -> None:
        self.source = source
        self._texts = dict[Look, _Text]()
        self._places = defaultdict[str, list[int]](list)

    def starts(self, block: Sequence[str], look: Look, expected: int | None = None) -> list[int]:
        """The lines, from 0, at which it begins; of many the first ones, and the expected one."""
        text, wanted = self._text(look), tuple(look(line) for line in block)
        found = text.starts(wanted)
        if len(found) < MOST:
            return found
        is_there = expected is not None and tuple(text.lines[expected:][: len(wanted)]) == wanted
        return sorted({*found[:SHOWN], *((expected,) if is_there and expected is not None else ())})

    def places(self) -> dict[str, list[int]]:
        """Each folded line, and where it is."""
        if not self._places:
            for at, line in enumerate(self._text(folded).lines):
                self._places[line].append(at)
        return self._places

    def _text(self, look: Look) -> "_Text":
        if look not in self._texts:
            self._texts[look] = _Text(_seen(look, self.source.lines))
        return self._texts[look]


def _seen(look: Look, lines: list[str]) -> list[str]:
    if look is as_it_is:
        return lines
    if look is folded and all(map(str.isascii, lines)):  # the same, without a call for each line
        return [" ".join(line.split()) for line in lines]
    return [*map(look, lines)]


class _Text:
    """Lines joined, so that a block of them is found at the speed of `str.find`."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._joined = "\n" + "\n".join(lines) + "\n" if lines else ""
        self._found = dict[tuple[str, ...], list[int]]()

    def starts(self, block: tuple[str, ...]) -> list[int]:
        if block not in self._found:
            self._found[block] = self._searched(block) if block else []
        return self._found[block]

    def _searched(self, block: tuple[str, ...]) -> list[int]:
        needle, found = "\n" + "\n".join(block) + "\n", list[int]()
        line, before, at = 0, 0, self._joined.find(needle)
        while at >= 0 and len(found) < MOST:
            line, before = line + self._joined.count("\n", before, at), at
            found.append(line)
            at = self._joined.find(needle, at + 1)
        return found
