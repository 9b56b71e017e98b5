"""What an edit did, read from the files and not from what was asked for."""

from collections.abc import Iterator, Sequence

from react_agent.tools.context import Limits
from react_agent.tools.edits.changed_regions import Region, changed_regions
from react_agent.tools.edits.edit import Change, Edit, FileState
from react_agent.tools.files.file_view import number_lines

_AROUND = 2  # unchanged lines shown before and after a change
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them


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


def _regions(edit: Edit, change: Change) -> list[Region]:
    old = edit.before[change.old] if change.old else None
    new = edit.after[change.new] if change.new else None
    return changed_regions(lines_of(old), lines_of(new))


def _summary(change: Change, regions: Sequence[Region]) -> str:
    added, removed = sum(one.added for one in regions), sum(one.removed for one in regions)
    if change.new is None:
        return f"{change.name} (deleted, -{removed})"
    if change.old is None:
        return f"{change.name} (new, +{added})"
    renamed = f"from {change.old}, " if change.old != change.new else ""
    return f"{change.name} ({renamed}+{added} -{removed})"


def _shown(edit: Edit, change: Change, regions: Sequence[Region], most: int) -> Iterator[str]:
    if change.new is None or not regions:
        return
    lines = [line.removesuffix("\r") for line in lines_of(edit.after[change.new])]
    yield change.new
    if change.old is None and len(lines) > _MOST_OF_NEW:
        yield from (*number_lines(lines[:_MOST_OF_NEW], 1, most), " ...")
        return
    shown = 0
    for region in regions:
        start, end = max(region.start - _AROUND, shown), min(region.end + _AROUND, len(lines))
        if 0 < shown < start:
            yield " ..."
        yield from number_lines(lines[start:end], start + 1, most)
        shown = max(shown, end)
