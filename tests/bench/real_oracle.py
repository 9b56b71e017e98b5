"""What a patch means, told apart from the package under test: a plain reader and a slow aligner.

Good enough for unified diffs that models wrote; it knows nothing of the repair's rules on purpose.
"""

import collections
import difflib
import functools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

HEADER = re.compile(r"@@+ *-(\d+)")
NAME = re.compile(r"(?:[ab]/)?([^\t\n]+)")
ALIKE = 0.6  # below this, two lines have nothing to do with each other
ALIKE_BLANKS = 0.9  # but for blanks at their beginnings
GAP = 0.35  # what a line that stands alone costs, on either side


class Block(NamedTuple):
    """One hunk: marks and texts."""

    start: int
    lines: tuple[tuple[str, str], ...]

    @property
    def old(self) -> tuple[str, ...]:
        return tuple(text for mark, text in self.lines if mark != "+")

    @property
    def is_idle(self) -> bool:
        old = [text.rstrip() for mark, text in self.lines if mark != "+"]
        return old == [text.rstrip() for mark, text in self.lines if mark != "-"]


class Edit(NamedTuple):
    """All hunks of one file."""

    old: str
    new: str
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        return self.new if self.new != "/dev/null" else self.old


class Match(NamedTuple):
    """Where an old block stands: for each of its lines the line of the file, or none."""

    score: float  # 1: all lines as in the file
    at: tuple[int | None, ...]

    @property
    def span(self) -> tuple[int, int]:
        held = [at for at in self.at if at is not None]
        return (held[0], held[-1] + 1) if held else (0, 0)


def read(raw: str, known: Collection[str] = ()) -> list[Edit]:
    """The edits of a text, drafts left out; `known` holds stripped lines, for those unmarked."""
    lines = [line.removesuffix("\r") for line in raw.split("\n")]
    edits = list[tuple[Edit, int, int]]()
    at = 0
    while at < len(lines) - 1:
        if lines[at].startswith("--- ") and lines[at + 1].startswith("+++ "):
            names = (NAME.match(lines[at][4:].strip()), NAME.match(lines[at + 1][4:].strip()))
            begin, at = at, _end(lines, at + 2, known)
            old, new = (match[1].strip() if match else "" for match in names)
            blocks = tuple(_blocks(lines[begin + 2 : at]))
            edits.append((Edit(old, new, blocks), begin, at))
        else:
            at += 1
    return _final(lines, edits)


def _end(lines: Sequence[str], at: int, known: Collection[str]) -> int:
    while at < len(lines):
        line = lines[at]
        if line.startswith(("```", "diff --git ")):
            break
        if line.startswith("--- ") and lines[at + 1 : at + 2][0:1] and lines[at + 1][:4] == "+++ ":
            break
        if line and line[0] not in " +-\\@" and line.strip() not in known:
            break
        at += 1
    return at


def _final(lines: Sequence[str], edits: list[tuple[Edit, int, int]]) -> list[Edit]:
    """A file that is named again after some prose was only drafted before."""
    kept = list[Edit]()
    for number, (edit, _, end) in enumerate(edits):
        again = [other for other in edits[number + 1 :] if other[0].name == edit.name]
        prose = any(
            line.strip() and not line.startswith(("```", "diff --git", "index "))
            for other in again
            for line in _between(lines, edits, end, other[1])
        )
        if not prose:
            kept.append(edit)
    return kept


def _between(
    lines: Sequence[str], edits: list[tuple[Edit, int, int]], begin: int, end: int
) -> Iterator[str]:
    for at in range(begin, end):
        if not any(first <= at < last for _, first, last in edits):
            yield lines[at]


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    start, body = 0, list[tuple[str, str]]()
    for line in [*lines, "@@"]:
        if line.startswith("@@"):
            while body and body[-1] == (" ", ""):
                body.pop()
            if body:
                yield Block(start, tuple(body))
            found = HEADER.match(line)
            start, body = (int(found[1]) if found else 0), []
        elif line[:1] in ("+", "-", " "):
            body.append((line[0], line[1:]))
        elif line[:1] != "\\":
            body.append((" ", line))


def places(old: Sequence[str], lines: Sequence[str]) -> list[int]:
    """Where all of it stands, trailing blanks aside."""
    want, have = [text.rstrip() for text in old], [line.rstrip() for line in lines]
    return [at for at in range(len(have) - len(want) + 1) if have[at : at + len(want)] == want]


@functools.cache
def alike(one: str, other: str) -> float:
    if one.strip() == other.strip():
        return 1.0 if one.rstrip() == other.rstrip() else ALIKE_BLANKS
    if not one.strip() or not other.strip():
        return 0.0
    matcher = difflib.SequenceMatcher(None, one.strip(), other.strip(), autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    ratio = matcher.ratio()
    return 0.89 * ratio if ratio >= ALIKE else 0.0


def weight(text: str) -> float:
    """A blank line or a lone bracket says little about where it stands."""
    return 0.25 if len(text.strip()) <= 2 else 1.0


def aligned(old: Sequence[str], lines: Sequence[str], closed: Collection[int] = ()) -> Match:
    """The best place for all of an old block, lines of either side left out at a price."""
    rows, present = len(old), {line.strip() for line in lines}
    best = [[0.0] * (rows + 1) for _ in range(len(lines) + 1)]
    step = [[0] * (rows + 1) for _ in range(len(lines) + 1)]
    for row in range(1, rows + 1):
        best[0][row], step[0][row] = best[0][row - 1] - GAP * weight(old[row - 1]), 1
    for at in range(1, len(lines) + 1):
        line, here, above = lines[at - 1], best[at], best[at - 1]
        cost = GAP * weight(line)
        for row in range(1, rows + 1):
            text = old[row - 1]
            value, way = here[row - 1] - GAP * weight(text), 1
            if row < rows and above[row] - cost > value:
                value, way = above[row] - cost, 2
            likeness = 0.0 if at - 1 in closed else alike(text, line)
            if likeness < ALIKE_BLANKS and text.strip() in present:
                likeness = 0.0  # it stands elsewhere as it is quoted
            if likeness and above[row - 1] + likeness * weight(text) >= value:
                value, way = above[row - 1] + likeness * weight(text), 3
            here[row], step[at][row] = value, way
    end = max(range(len(lines) + 1), key=lambda at: best[at][rows])
    total = sum(weight(text) for text in old) or 1.0
    return Match(max(best[end][rows], 0.0) / total, _path(step, end, rows))


def _path(step: list[list[int]], at: int, row: int) -> tuple[int | None, ...]:
    found = list[int | None]()
    while row:
        way = step[at][row]
        if way == 2:
            at -= 1
            continue
        row -= 1
        found.append(at - 1 if way == 3 else None)
        at -= way == 3
    return tuple(reversed(found))


def edited(lines: Sequence[str], found: Sequence[tuple[Block, Match]]) -> list[str]:
    """The file after the hunks: context stays as the file has it."""
    gone, new = set[int](), dict[int, list[str]]()
    for block, match in found:
        row, at, by = 0, match.span[0], _shift(block, match, lines)
        for mark, text in block.lines:
            if mark == "+":
                new.setdefault(at, []).append(_shifted(text, by))
                continue
            place = match.at[row]
            row += 1
            if place is not None:
                at = place + 1
                if mark == "-":
                    gone.add(place)
    result = list[str]()
    for at in range(len(lines) + 1):
        result += new.get(at, [])
        if at < len(lines) and at not in gone:
            result.append(lines[at])
    return result


def _shift(block: Block, match: Match, lines: Sequence[str]) -> int:
    """How much deeper most lines stand in the file than they are quoted."""
    counts = collections.Counter(
        _depth(lines[at]) - _depth(text)
        for text, at in zip(block.old, match.at, strict=True)
        if at is not None and text.strip() and text.strip() == lines[at].strip()
    )
    return counts.most_common(1)[0][0] if counts else 0


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _shifted(text: str, by: int) -> str:
    if not text.strip():
        return text
    return " " * by + text if by > 0 else text[min(-by, _depth(text)) :]
