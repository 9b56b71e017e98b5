"""Other ways to lay the same lines along a file: where one of two alike is not quoted."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.sought import folded

_MOST = 3  # lines that are not quoted


def slid(pairs: Sequence[int], file: Sequence[str]) -> list[tuple[int, ...]]:
    """Each line as far up as it can go, and as far down; the outermost ones stay."""
    up = _slid_up(pairs, file)
    mirrored = [at if at == ABSENT else len(file) - 1 - at for at in reversed(pairs)]
    down = [
        at if at == ABSENT else len(file) - 1 - at
        for at in reversed(_slid_up(mirrored, list(reversed(file))))
    ]
    return [way for way in (tuple(up), tuple(down)) if way != tuple(pairs)]


def _slid_up(pairs: Sequence[int], file: Sequence[str]) -> list[int]:
    up, above = list[int](), ABSENT
    for at in pairs:
        if at != ABSENT:
            free = range(above + 1, at) if above != ABSENT else range(0)
            above = next((n for n in free if folded(file[n]) == folded(file[at])), at)
        up.append(ABSENT if at == ABSENT else above)
    return up


def would_slide(match: Match, file: Sequence[str]) -> bool:
    """But for blanks it stands there, and to the letter where lines of the file are not quoted."""
    down = _parted(match.lines, match.pairs)
    if all(text == file[at] for text, at in down[0]):
        return False
    size = len(file) - 1
    mirrored = [at if at == ABSENT else size - at for at in reversed(match.pairs)]
    up = _parted(match.lines[::-1], mirrored)
    return _is_better_below(*down, file) or _is_better_below(*up, file[::-1])


def _parted(lines: Sequence[Line], pairs: Sequence[int]) -> tuple[list[tuple[str, int]], int]:
    """Its old lines, each with the one of the file; how many of them stand above a change."""
    old, last = list[tuple[str, int]](), 0
    for line, at in zip(lines, pairs, strict=True):
        if line.mark in ("+", "-"):
            last = len(old)
        if at != ABSENT:
            old.append((line.text, at))
    return old, last


def _is_better_below(old: Sequence[tuple[str, int]], last: int, file: Sequence[str]) -> bool:
    """From some line on, which stands above or beside a change, all of them."""
    first = next(n for n, (text, at) in enumerate(old) if text != file[at])
    rest = old[min(first, last) :]
    if any(text.rstrip() != file[at].rstrip() for text, at in rest):
        return False
    return any(
        all(text == file[at + by] for text, at in rest if at + by < len(file))
        and rest[-1][1] + by < len(file)
        for by in range(1, _MOST + 1)
    )
