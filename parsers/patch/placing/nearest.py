"""Where a hunk that fits nowhere would fit best: which of its lines are not there, and what is."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.outcomes import Nearest
from react_agent.parsers.patch.placing.alignment import (
    MOST_LINES,
    Alignment,
    align,
    alignments,
    ratio,
    window_at,
)
from react_agent.parsers.patch.placing.index import Index, folded
from react_agent.parsers.patch.placing.match import ABSENT

_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_QUOTED = 6
_LIKE = 0.7  # of a line: it is the same one, misquoted
_MOST_COMPARED = 5_000  # lines of a file, with one that is quoted
_LEAST = 0.2  # of its lines; with less of them no place is near


def nearest(hunk: Hunk, index: Index) -> Nearest:
    keys, file = [folded(text) for text in hunk.old], index.source.lines
    best = _best(keys, index, hunk.start) if len(keys) <= MOST_LINES else None
    if best is None or best.score < _LEAST:
        return Nearest(_region(file, hunk.start or 1, len(keys)))
    found = [at for at in best.pairs if at != ABSENT]
    there = set(file[max(min(found) - 1, 0) : max(found) + 2])
    marked = (line.mark + line.text for line in hunk.lines if line.mark.strip())
    old = [line for line in hunk.lines if line.mark != "+"]
    misquoted = [
        ((line.mark or " ") + line.text, None if at == ABSENT else (at + 1, file[at].strip()))
        for line, at, alike, key in zip(old, best.pairs, best.alike, keys, strict=True)
        if alike < 1 and key
    ]
    return Nearest(
        _region(file, found[0] + 1, found[-1] - found[0] + 1),
        tuple(misquoted[:_MOST_QUOTED]),
        max(len(misquoted) - _MOST_QUOTED, 0),
        tuple(at + 1 for at in best.unquoted[:_MOST_QUOTED]),
        next((text for text in marked if text in there), ""),
        is_found=True,
    )


def _best(keys: Sequence[str], index: Index, start: int | None) -> Alignment | None:
    found = alignments(keys, index)
    if not found and not start:
        found = _at_a_line_like_it(keys, index)
    return max(found, key=lambda one: one.score, default=None)


def _at_a_line_like_it(keys: Sequence[str], index: Index) -> list[Alignment]:
    """Where no line is as it is quoted: the longest of them tells most."""
    at, key = max(enumerate(keys), key=lambda one: len(one[1]), default=(0, ""))
    file = [folded(line) for line in index.source.lines[:_MOST_COMPARED]]
    alike = [ratio(line, key, _LIKE) if line else 0.0 for line in file]
    most = max(alike, default=0.0)
    if not key or not most:
        return []
    return [align(keys, window_at(alike.index(most) - at, len(keys), len(file)), index)]


def _region(file: Sequence[str], first: int, count: int) -> tuple[tuple[int, str], ...]:
    start = max(min(first - 1, len(file) - 1) - _AROUND, 0)
    end = min(start + count + 2 * _AROUND, start + _MOST_SHOWN, len(file))
    return tuple((at + 1, file[at]) for at in range(start, end))
