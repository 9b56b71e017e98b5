"""Treat a file's text as lines: find blocks, and the lines that a hunk removes and inserts."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from react_agent.parsers.patch.changes import Line, Repair
from react_agent.parsers.patch.line_diff import without_equal_ends


class Splice(NamedTuple):
    """A replacement of the file lines from `start` up to `end` (from 0, exclusive) by `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]  # with a CR at their ends where the file has one


class Source(NamedTuple):
    raw: list[str]  # the lines with their CRs
    lines: list[str]  # the lines without CRs
    final_newline: bool = True
    is_literal: bool = False  # CRs are parts of the lines

    def newline_at(self, start: int, end: int) -> str:
        r"""Return the text to insert before a newline in or around this range: `\r` or nothing."""
        ended = len(self.raw) - (not self.final_newline)  # the last line has no line end
        around = slice(max(min(start, ended) - 1, 0), min(start + 1, ended))
        near = self.raw[start : min(end, ended)] or self.raw[around]
        counts = {len(line) - len(line.rstrip("\r")) for line in near}
        return "\r" if len(counts) == 1 and 0 not in counts and not self.is_literal else ""


def source_of(text: str) -> Source:
    raw = text.split("\n")
    final_newline = not raw[-1]  # an empty file counts as ending in a newline
    if final_newline:
        raw.pop()
    has_returns = any(line[-1:] == "\r" for line in raw)
    lines = [line.removesuffix("\r") for line in raw] if has_returns else raw
    return Source(raw, lines, final_newline)


def joined(splices: Sequence[Splice]) -> tuple[Splice, ...] | None:
    """Return the splices in file order, or None if two of them overlap."""
    order = sorted(splices, key=lambda one: (one.start, one.end))
    for above, below in pairwise(order):
        if below.start < above.end or (above.start == below.start and above.end > above.start):
            return None
    return tuple(order)


ABSENT = -1
_BOM = "\ufeff"


class Match(NamedTuple):
    lines: tuple[Line, ...]  # the hunk's lines as meant; added lines as they will be in the file
    pairs: tuple[int, ...]  # for each line its file line, from 0; ABSENT: none
    repairs: tuple[Repair, ...] = ()  # how it differs from what was written
    score: float = 1.0  # share of the hunk that agrees
    splices: tuple[Splice, ...] = ()  # the changes of the file, once they are known

    @property
    def first(self) -> int:
        return next(at for at in self.pairs if at != ABSENT)

    @property
    def last(self) -> int:
        return next(at for at in reversed(self.pairs) if at != ABSENT)

    @property
    def change(self) -> tuple[int, int]:
        """Return the range of file lines that the match changes. Its end is exclusive."""
        return self.splices[0].start, self.splices[-1].end


def in_a_row(lines: Sequence[Line], start: int) -> tuple[int, ...]:
    """Pair the old lines with the consecutive file lines that begin at `start`."""
    pairs, at = list[int](), start
    for line in lines:
        pairs.append(ABSENT if line.mark == "+" else at)
        at += line.mark != "+"
    return tuple(pairs)


class _Run(NamedTuple):
    """A run of changed lines with no context between them."""

    gone: tuple[int, ...]  # lines of the file
    new: tuple[str, ...]
    above: int  # the file line quoted just above; ABSENT: none
    below: int


def spliced(match: Match, source: Source) -> tuple[Splice, ...] | None:
    """Return the splices, or None if the places of new or removed lines are ambiguous."""
    splices = list[Splice]()
    for run in _runs(match):
        splice = _splice(run, source)
        if splice is None:
            return None
        splices.append(splice)
    if splices and splices[0].start == 0 and source.raw[:1] and source.raw[0][:1] == _BOM:
        return _with_mark(match, splices)
    return tuple(splices)


def _both(match: Match) -> Iterator[tuple[Line, int]]:
    return zip(match.lines, match.pairs, strict=True)


def _with_mark(match: Match, splices: Sequence[Splice]) -> tuple[Splice, ...] | None:
    """Keep the byte order mark before the first line, if the hunk does not quote it."""
    first, *others = splices
    quoted = [line.text for line, at in _both(match) if at == 0]
    if (quoted and quoted[0][:1] == _BOM) or (first.lines and first.lines[0][:1] == _BOM):
        return tuple(splices)
    if first.lines and first.end:
        return Splice(0, first.end, (_BOM + first.lines[0], *first.lines[1:])), *others
    return None


def _runs(match: Match) -> Iterator[_Run]:
    gone, new, above = list[int](), list[str](), ABSENT
    for line, at in (*_both(match), (Line(" ", ""), ABSENT)):
        if line.mark == "+":
            new.append(line.text)
        elif line.mark == "-":
            gone.append(at)
        else:
            if gone or new:
                yield _Run(tuple(gone), tuple(new), above, at)
                gone, new = [], []
            above = at


def _splice(run: _Run, source: Source) -> Splice | None:
    """Return a splice with the surrounding line ends, without equal lines at its own ends."""
    file, new = source.lines, run.new
    if run.gone:
        start, end = run.gone[0], run.gone[-1] + 1
        if end - start != len(run.gone):
            return None
    else:
        start = end = run.below if run.above == ABSENT else run.above + 1
        if start == ABSENT or (run.below not in (ABSENT, start)):
            return None  # file lines are between the two: on which side of them is unknown
    start, end, first, last = without_equal_ends(file, new, (start, end, 0, len(new)))
    new = new[first:last]
    newline = source.newline_at(start, end)
    if newline and end == len(file) and not source.final_newline and new:
        # the last line has no line end: the old last line gets one, the new last line does not
        if start == end:
            start, new = start - 1, (file[-1], *new)
        return Splice(start, end, (*(f"{line}\r" for line in new[:-1]), new[-1]))
    ended = (line if line.endswith("\r") else line + newline for line in new)
    return Splice(start, end, tuple(ended))


_MOST = 1_000  # places of a block

Look = Callable[[str], str]

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
    """Return the typographic quotes, dashes and spaces of a text, without a byte order mark."""
    return set() if text.isascii() else {one for one in text if ord(one) in _PUNCTUATION} - {_BOM}


def folded(line: str) -> str:
    """Return the line with plain punctuation and single spaces."""
    plain = line if line.isascii() else line.translate(_PUNCTUATION)
    return " ".join(plain.split())


class Index:
    def __init__(self, source: Source) -> None:
        self.source = source
        self._texts = dict[Look, _Text]()
        self._places = defaultdict[str, list[int]](list)

    def starts(self, block: Sequence[str], look: Look) -> list[int]:
        """Return the lines (from 0) where the block begins."""
        return self._text(look).starts([look(line) for line in block])

    def places(self) -> dict[str, list[int]]:
        """Return a map from each folded line to its places."""
        if not self._places:
            for at, line in enumerate(self._text(folded).lines):
                self._places[line].append(at)
        return self._places

    def _text(self, look: Look) -> "_Text":
        if look not in self._texts:
            self._texts[look] = _Text([*map(look, self.source.lines)])
        return self._texts[look]


class _Text:
    """Lines joined into one string, so that `str.find` finds a block of lines quickly."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._joined = "\n" + "\n".join(lines) + "\n" if lines else ""

    def starts(self, block: Sequence[str]) -> list[int]:
        needle, found = "\n" + "\n".join(block) + "\n", list[int]()
        line, before, at = 0, 0, self._joined.find(needle)
        while at >= 0 and len(found) < _MOST:
            line, before = line + self._joined.count("\n", before, at), at
            found.append(line)
            at = self._joined.find(needle, at + 1)
        return found
