r"""Write the patch that git reads, and apply it in memory exactly as it is written.

patch = file*
file  = "diff --git " names attribute* ["--- " name "+++ " name hunk+]
hunk  = "@@ -" start ["," count] " +" start ["," count] " @@" line+
line  = (" " | "-" | "+") text ["\ No newline at end of file"]

The patch is in order, with exact counts and three lines around each change. Each number and line is
taken literally when the patch is applied, so the reported effect is the real one.
"""

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from react_agent.parsers.patch.changes import Named
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Source, Splice
from react_agent.parsers.repo.git_diff import read_name, write_name
from react_agent.parsers.text.late_pattern import LatePattern

_CONTEXT = 3
_FILE = "100644"
_NO_NEWLINE = "\\ No newline at end of file"
_HUNK = LatePattern(r"-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ATTRIBUTE = LatePattern(
    r"(old mode|new mode|new file mode|deleted file mode|rename (?:from|to)) (.+)"
)


def canonical(parts: Sequence[tuple[Named, Source, Placement]]) -> str:
    """Return the patch of all parts in their order, without those that change nothing."""
    return "".join(f"{line}\n" for part in parts for line in _file(*part))


def _file(named: Named, source: Source, placement: Placement) -> Iterator[str]:
    old = named.old if named.old is not None else named.new or ""
    new = named.new if named.new is not None else old
    runs = _runs(source, placement)
    attributes = [*_attributes(named)]
    if attributes or runs:
        yield _header(old, new)
        yield from attributes
    if runs:
        yield from _names(named.old, named.new)
        yield from _hunks(source, runs)


def _header(old: str, new: str) -> str:
    return f"diff --git {write_name(f'a/{old}')} {write_name(f'b/{new}')}"


def _names(old: str | None, new: str | None) -> tuple[str, str]:
    return (
        f"--- {'/dev/null' if old is None else _in_header(f'a/{old}')}",
        f"+++ {'/dev/null' if new is None else _in_header(f'b/{new}')}",
    )


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
    """Add a tab to a bare name that holds spaces, as git does, so that no date can follow."""
    written = write_name(name)
    return f"{written}\t" if " " in written and written == name else written


def _ended(lines: Sequence[str], final_newline: bool) -> list[str]:
    """Return the lines with newlines, so that a last line without one differs from one with."""
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
    small = [_without_equal_ends(run, source) for run in ended]
    return [run for run in small if run.lines or run.end > run.start]


def _joined(splices: Sequence[Splice]) -> list[Splice]:
    """Join adjacent splices: their removed lines come before their new ones."""
    runs = list[Splice]()
    for splice in splices:
        if runs and runs[-1].end == splice.start:
            before = runs.pop()
            splice = Splice(before.start, splice.end, before.lines + splice.lines)
        runs.append(splice)
    return runs


def _without_equal_ends(run: Splice, source: Source) -> Splice:
    start, end, new = run
    old = _old(source, start, end)
    both = enumerate(zip(old, new, strict=False))
    head = next((at for at, (one, other) in both if one != other), min(len(old), len(new)))
    old, new = old[head:], new[head:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return Splice(start + head, start + head + len(old), new)


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


def applied(patch: str, files: Mapping[str, str]) -> dict[str, str | None]:
    """Return the changed files, None for a deleted one. Raises ValueError if it does not fit."""
    if patch and not patch.endswith("\n"):
        raise ValueError("the patch does not end in a newline")
    above, *parts = ("\n" + patch[:-1]).split("\ndiff --git ")
    if above.strip("\n"):
        raise ValueError(f"expected diff --git and the names of a file, found {above[1:]!r}")
    gone, made = list[str](), dict[str, str | None]()
    for part in parts:
        old, new, text = _read_file(part, files)
        if old is not None:
            gone.append(old)
        if new in made:
            raise ValueError(f"{new} is written twice")
        if new is not None:
            made[new] = text
    if len(set(gone)) < len(gone):
        raise ValueError("a file is taken twice")
    for name in made:
        if name in files and name not in gone:
            raise ValueError(f"{name} exists already")
    return dict[str, str | None].fromkeys(gone) | made


def _read_file(part: str, files: Mapping[str, str]) -> tuple[str | None, str | None, str]:
    header, *hunks = part.split("\n@@ ")
    both, *lines = header.split("\n")
    given = dict[str, str]()
    while lines and (found := _ATTRIBUTE.fullmatch(lines[0])):
        given[found[1]] = found[2]
        del lines[0]
    middle = (len(both) - 1) // 2  # names that differ also have their own lines
    name = read_name(both[:middle]).removeprefix("a/")
    old: str | None = read_name(given.get("rename from", "")) or name
    new: str | None = read_name(given.get("rename to", "")) or name
    if f"diff --git {both}" != _header(old or "", new or ""):
        raise ValueError(f"expected diff --git and the names of a file, found {both!r}")
    old = None if "new file mode" in given else old
    new = None if "deleted file mode" in given else new
    if old is not None and old not in files:
        raise ValueError(f"{old} does not exist")
    before = "" if old is None else files[old]
    if lines or hunks:
        names = _names(old, new)
        if tuple(lines) != names:
            raise ValueError(f"expected {names[0]} and {names[1]}, found {lines}")
        if not hunks:
            raise ValueError("expected a hunk")
    after = _changed(hunks, before)
    if new is None and after:
        raise ValueError(f"{old} is deleted, and something of it stays")
    return old, new, after


def _changed(hunks: Sequence[str], before: str) -> str:
    # keep newlines; a form feed does not end a line
    old, new, at = StringIO(before, newline="\n").readlines(), list[str](), 0
    for hunk in hunks:
        at = _hunk(hunk, old, new, at)
    new += old[at:]
    text = "".join(new)
    if text.count("\n") + (text[-1:] not in ("", "\n")) != len(new):
        raise ValueError("a line without a newline is not the last one")
    return text


def _hunk(hunk: str, old: list[str], new: list[str], at: int) -> int:
    """Add the lines up to the hunk's end to the new ones. Return that end in the old ones."""
    first, *lines = hunk.split("\n")
    header = _HUNK.fullmatch(first)
    if not header:
        raise ValueError("expected @@ -START,COUNT +START,COUNT @@")
    old_count, new_count = int(header[2] or 1), int(header[4] or 1)
    start = int(header[1]) - (old_count > 0)
    if not at <= start <= start + old_count <= len(old):
        raise ValueError(f"no place in {len(old)} lines")
    new += old[at:start]
    if int(header[3]) != len(new) + (new_count > 0):
        raise ValueError(f"the new lines begin at {len(new) + 1}")
    gone, come = list[str](), list[str]()
    for line, below in zip(lines, (*lines[1:], ""), strict=True):
        text = line[1:] if below == _NO_NEWLINE else f"{line[1:]}\n"
        gone += [text] if line[:1] in ("-", " ") else []
        come += [text] if line[:1] in ("+", " ") else []
        if line[:1] not in ("-", " ", "+") and line != _NO_NEWLINE:
            raise ValueError(f"expected a line that begins with a space, + or -, found {line!r}")
    if (len(gone), len(come)) != (old_count, new_count):
        raise ValueError("its lines are not as many as it says")
    if gone != old[start : start + old_count]:
        raise ValueError("its old lines are not those of the file")
    new += come
    return start + old_count
