"""What a diff did, read from the files and not from the diff."""

from collections.abc import Iterator, Mapping

from react_agent.parsers.diff import Diff, FilePatch
from react_agent.tools.changed_regions import Region, changed_regions
from react_agent.tools.context import Limits
from react_agent.tools.numbered import number_lines

_AROUND = 2  # unchanged lines shown before and after a change
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them

Contents = Mapping[str, str]


def report(diff: Diff, before: Contents, after: Contents, limits: Limits) -> str:
    changes = {file: _regions(file, before, after) for file in diff.files}
    summary = ", ".join(_summary(file, regions) for file, regions in changes.items())
    shown = [
        line
        for file, regions in changes.items()
        for line in _shown(file, regions, after, limits.line_chars)
    ]
    left = len(shown) - limits.result_lines
    note = [f"[{left:,} more lines of the changed regions are not shown]"] if left > 0 else []
    return "\n".join((f"changed {summary}", *shown[: limits.result_lines], *note))


def changes_nothing(diff: Diff, before: Contents, after: Contents) -> bool:
    return before == after and not any(file.attributes for file in diff.files)


def _regions(file: FilePatch, before: Contents, after: Contents) -> list[Region]:
    old, new = before.get(file.old or "", ""), after.get(file.new or "", "")
    return changed_regions(_lines(old), _lines(new))


def _lines(content: str) -> list[str]:
    """With their ends, because a change of those is one, too."""
    return content.removesuffix("\n").split("\n") if content else []


def _summary(file: FilePatch, regions: list[Region]) -> str:
    added, removed = sum(one.added for one in regions), sum(one.removed for one in regions)
    if file.new is None:
        return f"{file.name} (deleted, -{removed})"
    if file.old is None:
        return f"{file.name} (new, +{added})"
    renamed = f"from {file.old}, " if file.old != file.new else ""
    return f"{file.name} ({renamed}+{added} -{removed})"


def _shown(
    file: FilePatch, regions: list[Region], after: Contents, line_chars: int
) -> Iterator[str]:
    if file.new is None or not regions:
        return
    lines = [line.removesuffix("\r") for line in _lines(after[file.new])]
    yield file.new
    if file.old is None and len(lines) > _MOST_OF_NEW:
        yield from (*number_lines(lines[:_MOST_OF_NEW], 1, line_chars), " ...")
        return
    shown = 0
    for region in regions:
        start, end = max(region.start - _AROUND, shown), min(region.end + _AROUND, len(lines))
        if 0 < shown < start:
            yield " ..."
        yield from number_lines(lines[start:end], start + 1, line_chars)
        shown = max(shown, end)
