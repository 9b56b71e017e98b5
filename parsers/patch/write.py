r"""Write the patch that git reads, and apply it in memory exactly as it is written.

patch = file*
file  = "diff --git " names attribute* ["--- " name "+++ " name hunk+]
hunk  = "@@ -" start ["," count] " +" start ["," count] " @@" line+
line  = (" " | "-" | "+") text ["\ No newline at end of file"]

It is counted, in order, with three lines around each change. Each number and line is taken at its
word when it is applied: what it does is what is reported.
"""

from collections.abc import Iterator, Mapping, Sequence

from react_agent.parsers.patch.changes import Named
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Source, Splice
from react_agent.parsers.repo.git_name import read_name, write_name
from react_agent.parsers.text.late_pattern import LatePattern

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


_HUNK = LatePattern(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ATTRIBUTE = LatePattern(
    r"(old mode|new mode|new file mode|deleted file mode|(?:rename|copy) (?:from|to)) (.+)"
)
_NO_NEWLINE_NOTE = "\\ No newline at end of file"
_ENDLESS = "\n"  # marks a line that does not end in one: no line can hold it

Files = Mapping[str, str]
Results = dict[str, str | None]


class _Patch:
    """A cursor over the lines of a patch."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.at = 0
        if self.lines.pop():
            raise ValueError("the patch does not end in a newline")

    def peek(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def error(self, what: str) -> ValueError:
        return ValueError(f"line {self.at} of the patch: {what}")


def applied(patch: str, files: Files) -> Results:
    """The files that it changes, none where one is deleted; ValueError where it does not fit."""
    rest, results = _Patch(patch), Results()
    gone, made = list[str](), Results()
    while rest.at < len(rest.lines):
        old, new, text, stays = _read_file(rest, files)
        if old is not None and not stays:
            gone.append(old)
        if new is not None:
            _put(made, new, text)
    _check(gone, made, files)
    results.update(dict.fromkeys(gone))
    results.update(made)
    return results


def _put(made: Results, name: str, text: str) -> None:
    if name in made:
        raise ValueError(f"{name} is written twice")
    made[name] = text


def _check(gone: list[str], made: Results, files: Files) -> None:
    if len(set(gone)) < len(gone):
        raise ValueError("a file is taken twice")
    for name in made:
        if name in files and name not in gone:
            raise ValueError(f"{name} exists already")


def _read_file(rest: _Patch, files: Files) -> tuple[str | None, str | None, str, bool]:
    header = rest.take()
    given = dict[str, str]()
    while found := _ATTRIBUTE.fullmatch(rest.peek()):
        given[found[1]] = found[2]
        rest.take()
    old, new = _names(header, given, rest)
    if old is not None and old not in files:
        raise rest.error(f"{old} does not exist")
    before = "" if old is None else files[old]
    after = before
    if rest.peek().startswith("--- "):
        _check_names(rest, old, new)
        after = _changed(rest, before)
    if new is None and after:
        raise rest.error(f"{old} is deleted, and something of it stays")
    return old, new, after, "copy from" in given


def _names(header: str, given: Mapping[str, str], rest: _Patch) -> tuple[str | None, str | None]:
    """In lines of their own if they differ; if not, the header has one name twice."""
    both = header.removeprefix("diff --git ")
    old = given.get("rename from", given.get("copy from"))
    new = given.get("rename to", given.get("copy to"))
    middle = len(both) // 2
    if old is None or new is None:
        left, right = read_name(both[:middle]), read_name(both[middle + 1 :])
        fits = old is new and left[:2] == "a/" and right[:2] == "b/" and left[2:] == right[2:]
        old = new = left[2:]
    else:
        old, new = read_name(old), read_name(new)
        fits = _are_both(both, old, new)
    if both == header or not fits:
        raise rest.error(f"expected diff --git and the names of a file, found {header!r}")
    created, deleted = "new file mode" in given, "deleted file mode" in given
    return (None if created else old), (None if deleted else new)


def _are_both(both: str, old: str, new: str) -> bool:
    spaces = (at for at, letter in enumerate(both) if letter == " ")
    names = ((read_name(both[:at]), read_name(both[at + 1 :])) for at in spaces)
    return (f"a/{old}", f"b/{new}") in names


def _check_names(rest: _Patch, old: str | None, new: str | None) -> None:
    expected = (
        "/dev/null" if old is None else f"a/{old}",
        "/dev/null" if new is None else f"b/{new}",
    )
    for mark, name in zip(("--- ", "+++ "), expected, strict=True):
        line = rest.take() if rest.peek().startswith(mark) else ""
        if read_name(line.removeprefix(mark).removesuffix("\t")) != name:
            raise rest.error(f"expected {mark}{name}")
    if not rest.peek().startswith("@@ "):
        raise rest.error("expected a hunk")


def _changed(rest: _Patch, before: str) -> str:
    old = before.split("\n")
    if last := old.pop():
        old.append(last + _ENDLESS)
    new, at = list[str](), 0
    while rest.peek().startswith("@@ "):
        at = _hunk(rest, old, new, at)
    new += old[at:]
    return _text(new, rest)


def _text(lines: list[str], rest: _Patch) -> str:
    endless = bool(lines) and lines[-1].endswith(_ENDLESS)
    text = "\n".join(lines) + ("\n" if lines and not endless else "")
    if text.count("\n") != len(lines):
        raise rest.error("a line without a newline is not the last one")
    return text.removesuffix(_ENDLESS) if endless else text


def _hunk(rest: _Patch, old: list[str], new: list[str], at: int) -> int:
    """Add to the new lines all up to the end of the hunk; where that is in the old ones."""
    header = _HUNK.fullmatch(rest.take())
    if not header:
        raise rest.error("expected @@ -START,COUNT +START,COUNT @@")
    old_count, new_count = int(header[2] or 1), int(header[4] or 1)
    start, end = int(header[1]) - (old_count > 0), int(header[1]) - (old_count > 0) + old_count
    if not at <= start <= end <= len(old):
        raise rest.error(f"no place in {len(old)} lines")
    new += old[at:start]
    if int(header[3]) != len(new) + (new_count > 0):
        raise rest.error(f"the new lines begin at {len(new) + 1}")
    gone, come = _sides(rest, old_count, new_count)
    if gone != old[start:end]:
        raise rest.error("its old lines are not those of the file")
    new += come
    return end


def _sides(rest: _Patch, old_count: int, new_count: int) -> tuple[list[str], list[str]]:
    gone, come = list[str](), list[str]()
    while len(gone) < old_count or len(come) < new_count or rest.peek() == _NO_NEWLINE_NOTE:
        line = rest.take() if rest.peek() else ""
        mark, text = line[:1], line[1:]
        if rest.peek() == _NO_NEWLINE_NOTE:
            rest.take()
            text += _ENDLESS
        if mark not in ("-", " ", "+"):
            raise rest.error(f"expected a line that begins with a space, + or -, found {line!r}")
        if mark != "+":
            gone.append(text)
        if mark != "-":
            come.append(text)
    if (len(gone), len(come)) != (old_count, new_count):
        raise rest.error("its lines are not as many as it says")
    return gone, come
