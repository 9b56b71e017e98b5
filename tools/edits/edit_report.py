"""What an edit did, read from the files and not from what was asked for; and what one that is
refused would have done.
"""

from collections.abc import Iterable, Iterator, Sequence

from react_agent.parsers.patch.line_diff import Gap, differing
from react_agent.tools.context import Limits
from react_agent.tools.edits.edit import Change, Edit, FileState
from react_agent.tools.files.file_view import number_lines

_AROUND = 2  # unchanged lines shown before and after a change
_AROUND_PREVIEW = 3
_MOST_OF_PREVIEW = 18  # lines of one region
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them


def report(edit: Edit, notes: Sequence[str], limits: Limits, did: str = "changed") -> str:
    summaries, shown = list[str](), list[str]()
    for change in edit.changes:
        old = lines_of(edit.before[change.old] if change.old else None)
        new = lines_of(edit.after[change.new] if change.new else None)
        gaps = differing(old, new)
        summaries.append(_summary(change, gaps))
        shown += _changed(change, gaps, new, limits.line_chars)
    left = len(shown) - limits.result_lines
    note = [f"[{left:,} more lines of the changed regions are not shown]"] if left > 0 else []
    said = [f"[{one}]" for one in notes]
    head = f"{did} {', '.join(summaries)}"
    return "\n".join((head, *said, *shown[: limits.result_lines], *note))


def lines_of(state: FileState | None) -> list[str]:
    """With a CR at their ends, because a change of those is one, too."""
    return state.text.removesuffix("\n").split("\n") if state and state.data else []


def _summary(change: Change, gaps: Sequence[Gap]) -> str:
    added = sum(end - start for *_, start, end in gaps)
    removed = sum(end - start for start, end, *_ in gaps)
    if change.new is None:
        return f"{change.name} (deleted, -{removed})"
    if change.old is None:
        return f"{change.name} (new, +{added})"
    renamed = f"from {change.old}, " if change.old != change.new else ""
    return f"{change.name} ({renamed}+{added} -{removed})"


def _changed(change: Change, gaps: Sequence[Gap], new: Sequence[str], chars: int) -> Iterator[str]:
    if change.new is None or not gaps:
        return
    yield change.new
    if change.old is None and len(new) > _MOST_OF_NEW:
        yield from (*regions(new, [(0, _MOST_OF_NEW)], 0, chars), " ...")
    else:
        yield from regions(new, [(start, end) for *_, start, end in gaps], _AROUND, chars)


def regions(
    lines: Sequence[str], spans: Iterable[tuple[int, int]], around: int, chars: int
) -> Iterator[str]:
    """Numbered, with some lines around each; spans are counted from 0, without their end."""
    shown = 0
    for begin, stop in sorted(spans):
        start, end = max(begin - around, shown), min(stop + around, len(lines))
        if 0 < shown < start:
            yield " ..."
        bare = [line.removesuffix("\r") for line in lines[start:end]]
        yield from number_lines(bare, start + 1, chars)
        shown = max(shown, end)


def edit_preview(
    name: str, old: Sequence[str], new: Sequence[str], line: int | None, limits: Limits
) -> Iterator[str]:
    """The change that is nearest to a line of the new file, and that line."""
    at = (line or 1) - 1
    nearest = min(differing(old, new), key=lambda gap: max(gap[2] - at, at - gap[3]), default=None)
    start, end, begin, stop = nearest or (0, 0, 0, 0)
    error = begin if line is None else min(at, max(len(new) - 1, 0))
    if old:
        yield f"{name} as it is"
        yield from _preview(old, [(start, end)], limits)
    yield f"{name} as it would have become"
    yield from _preview(new, [(begin, stop), (error, error + 1)], limits)


def _preview(lines: Sequence[str], spans: Iterable[tuple[int, int]], limits: Limits) -> list[str]:
    cut = ((start, min(end, start + _MOST_OF_PREVIEW)) for start, end in spans)
    return list(regions(lines, cut, _AROUND_PREVIEW, limits.line_chars))
