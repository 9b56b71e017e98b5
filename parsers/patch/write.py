r"""Write a patch that git can read, and apply it in memory as parsed by unidiff.

patch = file*
file  = "diff --git " names attribute* ["--- " name "+++ " name hunk+]
hunk  = "@@ -" start ["," count] " +" start ["," count] " @@" line+
line  = (" " | "-" | "+") text ["\ No newline at end of file"]

The hunks are written in line order, with exact counts and three lines of context. The reported
effect is that of the patch as parsed by unidiff, an independent patch reader.
"""

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from react_agent.parsers.patch.changes import Named, Result
from react_agent.parsers.patch.line_diff import without_equal_ends
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Source, Splice
from react_agent.parsers.repo.git_diff import write_name

if TYPE_CHECKING:
    from unidiff.patch import Hunk

_CONTEXT = 3
_FILE = "100644"
_NO_NEWLINE = "\\ No newline at end of file"


def written(parts: Sequence[tuple[Named, Source, Placement]]) -> tuple[str, tuple[Result, ...]]:
    """Return a patch of all parts that change something, and its effect. Raises ValueError."""
    patches, results = list[str](), list[Result]()
    for named, source, placement in parts:
        patch = "".join(f"{line}\n" for line in _file(named, source, placement))
        if patch:
            text = _applied(patch, "".join(_old(source, 0, len(source.raw))))
            if named.new is None and text:
                raise ValueError(f"{named.old} is deleted, but part of it remains")
            after = None if named.new is None else text
            patches.append(patch)
            results.append(Result(named.old, named.new, after, named.change.new_mode))
    return "".join(patches), tuple(results)


def _file(named: Named, source: Source, placement: Placement) -> Iterator[str]:
    old = named.old if named.old is not None else named.new or ""
    new = named.new if named.new is not None else old
    runs = _runs(source, placement)
    attributes = [*_attributes(named)]
    if attributes or runs:
        yield f"diff --git {write_name(f'a/{old}')} {write_name(f'b/{new}')}"
        yield from attributes
    if runs:
        yield f"--- {'/dev/null' if named.old is None else _in_header(f'a/{old}')}"
        yield f"+++ {'/dev/null' if named.new is None else _in_header(f'b/{new}')}"
        yield from _hunks(source, runs)


def _attributes(named: Named) -> Iterator[str]:
    change, old, new = named.change, named.old, named.new
    if old is None:
        yield f"new file mode {change.new_mode or _FILE}"
    elif new is None:
        yield f"deleted file mode {change.old_mode or _FILE}"
    else:
        if change.new_mode and change.old_mode != change.new_mode:
            yield f"old mode {change.old_mode or _FILE}"
            yield f"new mode {change.new_mode}"
        if old != new:
            yield f"rename from {write_name(old)}"
            yield f"rename to {write_name(new)}"


def _in_header(name: str) -> str:
    """Add a tab to a bare name with spaces, as git does, so that no date is read after it."""
    written = write_name(name)
    return f"{written}\t" if " " in written and written == name else written


def _ended(lines: Sequence[str], final_newline: bool) -> list[str]:
    """Return the lines with newlines, so that a missing newline at the end is a difference."""
    ended = [f"{line}\n" for line in lines]
    if lines and not final_newline:
        ended[-1:] = [lines[-1]] if lines[-1] else []
    return ended


def _old(source: Source, start: int, end: int) -> list[str]:
    return _ended(source.raw[start:end], end < len(source.raw) or source.final_newline)


def _runs(source: Source, placement: Placement) -> list[Splice]:
    """Return the runs of changed lines, without equal lines at their ends."""
    raw, count, runs = source.raw, len(source.raw), _joined(placement.splices)
    if count and not (source.final_newline and placement.final_newline):
        last = runs[-1] if runs else Splice(0, 0, ())  # it must hold the last line of both files
        if last.end < count:
            runs.append(Splice(count - 1, count, (raw[-1],)))
        elif last.start and (last.start == count or not last.lines):
            runs[-1] = Splice(last.start - 1, count, (raw[last.start - 1], *last.lines))
        runs = _joined(runs)
    ended = [
        run._replace(lines=(*_ended(run.lines, run.end < count or placement.final_newline),))
        for run in runs
    ]
    small = [_shortened(run, source) for run in ended]
    return [run for run in small if run.lines or run.end > run.start]


def _joined(splices: Sequence[Splice]) -> list[Splice]:
    """Join adjacent splices so that all removed lines come before all new ones."""
    runs = list[Splice]()
    for splice in splices:
        if runs and runs[-1].end == splice.start:
            before = runs.pop()
            splice = Splice(before.start, splice.end, before.lines + splice.lines)
        runs.append(splice)
    return runs


def _shortened(run: Splice, source: Source) -> Splice:
    old, new = _old(source, run.start, run.end), run.lines
    start, end, first, last = without_equal_ends(old, new, (0, len(old), 0, len(new)))
    return Splice(run.start + start, run.start + end, new[first:last])


def _hunks(source: Source, runs: list[Splice]) -> Iterator[str]:
    drift = 0
    for group in _groups(runs):
        start = max(group[0].start - _CONTEXT, 0)
        end = min(group[-1].end + _CONTEXT, len(source.raw))
        grown = sum(len(run.lines) - (run.end - run.start) for run in group)
        old, new = _range(start, end), _range(start + drift, end + drift + grown)
        yield f"@@ -{old} +{new} @@"
        for run in group:
            yield from _marked(" ", _old(source, start, run.start))
            yield from _marked("-", _old(source, run.start, run.end))
            yield from _marked("+", run.lines)
            start = run.end
        yield from _marked(" ", _old(source, start, end))
        drift += grown


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line.removesuffix("\n")
        if line[-1:] != "\n":
            yield _NO_NEWLINE


def _groups(runs: list[Splice]) -> Iterator[list[Splice]]:
    """Group the runs whose contexts touch. Each group is one hunk."""
    group = [runs[0]]
    for run in runs[1:]:
        if run.start - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(run)
    yield group


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return f"{start + 1}"
    return f"{start + 1 if count else start},{count}"


def _applied(patch: str, before: str) -> str:
    """Return the new text of a file according to unidiff. Raises ValueError."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet  # 7 ms

    # keep newlines; a form feed does not end a line
    old, new, at = StringIO(before, newline="\n").readlines(), list[str](), 0
    try:
        hunks = [hunk for file in PatchSet(patch) for hunk in file]
    except UnidiffParseError as error:
        raise ValueError(f"unidiff can't read it: {error}") from None
    for hunk in hunks:
        start = hunk.source_start - (hunk.source_length > 0)
        come, gone = _side(hunk, "+"), _side(hunk, "-")
        new += old[at:start]
        at = start + len(gone)
        if gone != old[start:at] or hunk.target_start != len(new) + (len(come) > 0):
            raise ValueError(f"the hunk at line {hunk.source_start} does not fit")
        new += come
    return "".join([*new, *old[at:]])


def _side(hunk: "Hunk", mark: str) -> list[str]:
    """Return the old or the new lines of a hunk."""
    lines = [*hunk]
    return [
        line.value.removesuffix("\n") if below.line_type == "\\" else line.value
        for line, below in zip(lines, [*lines[1:], lines[-1]], strict=True)
        if line.line_type in (mark, " ")
    ]
