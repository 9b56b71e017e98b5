"""What an edit did, read from the files and not from what was asked for; and what one that is
refused would have done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from react_agent.parsers.patch.line_diff import Gap, differing
from react_agent.tools.context import Limits
from react_agent.tools.edits.edit import Change, Edit, FileState
from react_agent.tools.files.file_view import number_lines

_AROUND = 2  # unchanged lines shown before and after a change
_AROUND_PREVIEW = 3
_MOST_OF_PREVIEW = 24  # lines of one region
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them

Lines: TypeAlias = Sequence[str]


def report(edit: Edit, notes: Sequence[str], limits: Limits, did: str = "changed") -> str:
    regions = {change: _regions(edit, change) for change in edit.changes}
    summary = ", ".join(_summary(change, regions[change]) for change in edit.changes)
    shown = [
        line
        for change in edit.changes
        for line in _shown(edit, change, regions[change], limits.line_chars)
    ]
    left = len(shown) - limits.result_lines
    note = [f"[{left:,} more lines of the changed regions are not shown]"] if left > 0 else []
    said = [f"[{one}]" for one in notes]
    return "\n".join((f"{did} {summary}", *said, *shown[: limits.result_lines], *note))


def lines_of(state: FileState | None) -> list[str]:
    """With a CR at their ends, because a change of those is one, too."""
    return state.text.removesuffix("\n").split("\n") if state and state.data else []


def _regions(edit: Edit, change: Change) -> list[Gap]:
    old = edit.before[change.old] if change.old else None
    new = edit.after[change.new] if change.new else None
    return differing(lines_of(old), lines_of(new))


def _summary(change: Change, regions: Sequence[Gap]) -> str:
    added = sum(end - start for *_, start, end in regions)
    removed = sum(end - start for start, end, *_ in regions)
    if change.new is None:
        return f"{change.name} (deleted, -{removed})"
    if change.old is None:
        return f"{change.name} (new, +{added})"
    renamed = f"from {change.old}, " if change.old != change.new else ""
    return f"{change.name} ({renamed}+{added} -{removed})"


def _shown(edit: Edit, change: Change, regions: Sequence[Gap], most: int) -> Iterator[str]:
    if change.new is None or not regions:
        return
    lines = [line.removesuffix("\r") for line in lines_of(edit.after[change.new])]
    yield change.new
    if change.old is None and len(lines) > _MOST_OF_NEW:
        yield from (*number_lines(lines[:_MOST_OF_NEW], 1, most), " ...")
        return
    shown = 0
    for *_, begin, stop in regions:
        start, end = max(begin - _AROUND, shown), min(stop + _AROUND, len(lines))
        if 0 < shown < start:
            yield " ..."
        yield from number_lines(lines[start:end], start + 1, most)
        shown = max(shown, end)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int  # counted from 0
    end: int  # not included

    def around(self, line: int) -> "_Span":
        """With some lines more; of a span that is too long, what is around the line."""
        start, end = self.start - _AROUND_PREVIEW, self.end + _AROUND_PREVIEW
        if end - start > _MOST_OF_PREVIEW:
            half = _MOST_OF_PREVIEW // 2
            start, end = max(start, line - half), min(end, line + half)
        return _Span(max(start, 0), end)


def edit_preview(
    name: str, pair: tuple[Lines, Lines], line: int | None, limits: Limits
) -> Iterator[str]:
    """The change that is nearest to a line of the new file, and that line."""
    old, new = ([one.removesuffix("\r") for one in lines] for lines in pair)
    before, after = _nearest(old, new, (line or 1) - 1)
    error = after.start if line is None else max(min(line, len(new)) - 1, 0)
    if old:
        yield f"{name} as it is"
        yield from _numbered(old, before.around(before.start), limits)
    yield f"{name} as it would have become"
    for count, span in enumerate(_spans(after, error)):
        if count:
            yield " ..."
        yield from _numbered(new, span, limits)


def _spans(change: _Span, error: int) -> tuple[_Span, ...]:
    """One that holds both, or one for each."""
    both = _Span(min(change.start, error), max(change.end, error + 1))
    if change.start <= error < change.end or both.end - both.start <= _MOST_OF_PREVIEW:
        return (both.around(error),)
    one, other = change.around(change.start), _Span(error, error + 1).around(error)
    return (one, other) if change.start < error else (other, one)


def _nearest(old: Lines, new: Lines, line: int) -> tuple[_Span, _Span]:
    """Of all changes the one nearest to a line: what it was, and what it has become."""
    pairs = [(_Span(a, b), _Span(c, d)) for a, b, c, d in differing(old, new)]
    nothing = (_Span(0, 0), _Span(0, 0))
    return min(pairs, key=lambda pair: _distance(pair[1], line), default=nothing)


def _distance(span: _Span, line: int) -> int:
    return max(span.start - line, line - span.end + 1, 0)


def _numbered(lines: Lines, span: _Span, limits: Limits) -> list[str]:
    return number_lines(lines[span.start : span.end], span.start + 1, limits.line_chars)
