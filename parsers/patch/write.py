r"""Write the patch that git reads: counted, in order, with three lines around each change.

patch = file*
file  = "diff --git " names attribute* ["--- " name "+++ " name hunk+]
hunk  = "@@ -" start ["," count] " +" start ["," count] " @@" line+
line  = (" " | "-" | "+") text ["\ No newline at end of file"]
"""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.changes import Named
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Source, Splice
from react_agent.parsers.repo.git_names import write_name

_CONTEXT = 3
_NO_NEWLINE = "\n\\ No newline at end of file"  # kept at the end of the line that has none
_FILE = "100644"


def canonical(parts: Sequence[tuple[Named, Source, Placement]]) -> str:
    """All parts in their order; those that change nothing are left out."""
    return "".join(f"{line}\n" for part in parts for line in _file(*part))


def _file(named: Named, source: Source, placement: Placement) -> Iterator[str]:
    old = named.old if named.old is not None else named.new or ""
    new = named.new if named.new is not None else old
    lines, runs = _runs(source, placement)
    attributes = [*_attributes(named)]
    if not attributes and not runs:
        return
    yield f"diff --git {write_name(f'a/{old}')} {write_name(f'b/{new}')}"
    yield from attributes
    if runs:
        yield f"--- {'/dev/null' if named.old is None else _in_header(f'a/{old}')}"
        yield f"+++ {'/dev/null' if named.new is None else _in_header(f'b/{new}')}"
        yield from _hunks(lines, runs)


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
            how = change.moved or "rename"
            yield f"{how} from {write_name(old)}"
            yield f"{how} to {write_name(new)}"


def _in_header(name: str) -> str:
    """git ends a bare name that holds spaces with a tab, so that no date can follow."""
    written = write_name(name)
    return f"{written}\t" if " " in written and written == name else written


def _runs(source: Source, placement: Placement) -> tuple[list[str], list[Splice]]:
    """The old lines, and the runs of them that change, each as small as its ends allow."""
    lines, runs = source.raw, _joined(placement.splices)
    if not source.final_newline or not placement.final_newline:
        lines, runs = _with_ends(source, runs, placement.final_newline)
    small = (_without_equal_ends(run, lines) for run in runs)
    return lines, [run for run in small if run.lines or run.end > run.start]


def _joined(splices: Sequence[Splice]) -> list[Splice]:
    """Neighbours become one: what goes comes before what is new."""
    runs = list[Splice]()
    for splice in splices:
        if runs and runs[-1].end == splice.start:
            before = runs.pop()
            splice = Splice(before.start, splice.end, before.lines + splice.lines)
        runs.append(splice)
    return runs


def _with_ends(source: Source, runs: list[Splice], newline: bool) -> tuple[list[str], list[Splice]]:
    """A line without a newline is another line than the same one with it."""
    lines, count = list(source.raw), len(source.raw)
    runs = _reaching_the_end(lines, runs, source.final_newline == newline)
    if lines and not source.final_newline:
        lines[-1] += _NO_NEWLINE
    last = runs[-1] if runs else None
    if last and last.end == count and last.lines and not newline:
        *rest, end = last.lines
        runs[-1] = last._replace(lines=(*rest, end + _NO_NEWLINE) if end else tuple(rest))
    return lines, runs


def _reaching_the_end(lines: list[str], runs: list[Splice], same: bool) -> list[Splice]:
    """The last run holds the line that is the last one, before and after."""
    count = len(lines)
    last = runs[-1] if runs else Splice(0, 0, ())
    if last.end < count:
        end = Splice(count - 1, count, (lines[-1],))
        return runs if same else _joined([*runs, end])
    if last.start > 0 and (last.start == count or not last.lines):
        longer = Splice(last.start - 1, count, (lines[last.start - 1], *last.lines))
        return _joined([*runs[:-1], longer])
    return runs


def _without_equal_ends(run: Splice, lines: Sequence[str]) -> Splice:
    start, end, new = run
    most = min(end - start, len(new))
    head = 0
    while head < most and lines[start + head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and lines[end - 1 - tail] == new[-1 - tail]:
        tail += 1
    return Splice(start + head, end - tail, new[head : len(new) - tail]) if head + tail else run


def _hunks(lines: list[str], runs: list[Splice]) -> Iterator[str]:
    drift = 0
    for group in _groups(runs):
        start = max(group[0].start - _CONTEXT, 0)
        end = min(group[-1].end + _CONTEXT, len(lines))
        grown = sum(len(run.lines) - (run.end - run.start) for run in group)
        old, new = _range(start, end), _range(start + drift, end + drift + grown)
        yield f"@@ -{old} +{new} @@"
        yield from _body(lines, group, start, end)
        drift += grown


def _groups(runs: list[Splice]) -> Iterator[list[Splice]]:
    """Runs whose context touches are in one hunk."""
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


def _body(lines: list[str], group: list[Splice], start: int, end: int) -> Iterator[str]:
    for run in group:
        yield from (f" {line}" for line in lines[start : run.start])
        yield from (f"-{line}" for line in lines[run.start : run.end])
        yield from (f"+{line}" for line in run.lines)
        start = run.end
    yield from (f" {line}" for line in lines[start:end])
