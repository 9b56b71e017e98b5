"""A region of a file as it is, and as an edit would have made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from react_agent.tools.context import Limits
from react_agent.tools.edits.changed_regions import changed_regions
from react_agent.tools.files.file_view import number_lines

_AROUND = 3  # lines shown before and after
_MOST = 24  # lines of one region

Lines: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int  # counted from 0
    end: int  # not included

    def around(self, line: int) -> "_Span":
        """With some lines more; of a span that is too long, what is around the line."""
        start, end = self.start - _AROUND, self.end + _AROUND
        if end - start > _MOST:
            start, end = max(start, line - _MOST // 2), min(end, line + _MOST // 2)
        return _Span(max(start, 0), end)


def compared(
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
    if change.start <= error < change.end or both.end - both.start <= _MOST:
        return (both.around(error),)
    one, other = change.around(change.start), _Span(error, error + 1).around(error)
    return (one, other) if change.start < error else (other, one)


def _nearest(old: Lines, new: Lines, line: int) -> tuple[_Span, _Span]:
    """Of all changes the one nearest to a line: what it was, and what it has become."""
    pairs, shift = list[tuple[_Span, _Span]](), 0
    for region in changed_regions(old, new):
        start = region.start + shift
        pairs.append((_Span(start, start + region.removed), _Span(region.start, region.end)))
        shift += region.removed - region.added
    nothing = (_Span(0, 0), _Span(0, 0))
    return min(pairs, key=lambda pair: _distance(pair[1], line), default=nothing)


def _distance(span: _Span, line: int) -> int:
    return max(span.start - line, line - span.end + 1, 0)


def _numbered(lines: Lines, span: _Span, limits: Limits) -> list[str]:
    return number_lines(lines[span.start : span.end], span.start + 1, limits.line_chars)
