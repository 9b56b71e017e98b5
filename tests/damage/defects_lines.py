"""Lines of hunks left out, cut, repeated: what stays of them is as the file has it."""

from random import Random

from draft import Draft, File, Hunk, Line
from row import Defect, Kind, Told, yes


def _one(draft: Draft, rng: Random) -> tuple[File, Hunk] | None:
    hunks = draft.plain_hunks()
    return rng.choice(hunks) if hunks else None


def leading(hunk: Hunk) -> int:
    return next((n for n, line in enumerate(hunk.lines) if line.mark not in ("", " ")), 0)


def trailing(hunk: Hunk) -> int:
    return next((n for n, line in enumerate(reversed(hunk.lines)) if line.mark in ("-", "+")), 0)


def _cut(keep_above: int, keep_below: int):
    """Leaves that many lines of context, in all hunks or in one."""

    def damage(draft: Draft, rng: Random) -> Told:
        hunks = draft.plain_hunks()
        if rng.random() < 0.5:
            hunks = rng.sample(hunks, min(1, len(hunks)))
        changed = [_cut_one(hunk, keep_above, keep_below) for _, hunk in hunks]
        return Told.YES if any(changed) else Told.UNFIT

    return damage


def _cut_one(hunk: Hunk, keep_above: int, keep_below: int) -> bool:
    above = max(leading(hunk) - keep_above, 0)
    below = max(trailing(hunk) - keep_below, 0)
    if any(line.mark == "\\" for line in hunk.lines[len(hunk.lines) - below :]):
        below = 0
    hunk.lines = hunk.lines[above : len(hunk.lines) - below]
    hunk.start += above
    return bool(above or below)


def _drop_inside(blank: bool):
    """A line of context between two others."""

    def damage(draft: Draft, rng: Random) -> Told:
        found = [
            (hunk, n)
            for _, hunk in draft.plain_hunks()
            for n, line in enumerate(hunk.lines[:-1])
            if n and _is_inner(hunk, n) and (not line.text.strip()) == blank
        ]
        if not found:
            return Told.UNFIT
        hunk, n = rng.choice(found)
        beside = (hunk.lines[n - 1], hunk.lines[n + 1])
        text = hunk.lines.pop(n).text.strip()
        hunk.is_literal = False
        # Beside an addition, or a removed line like it, nobody knows on which side it stood.
        return yes(all(one.mark != "+" and one.text.strip() != text for one in beside))

    return damage


def _is_inner(hunk: Hunk, n: int) -> bool:
    marks = [line.mark for line in hunk.lines]
    return marks[n] == " " and "\\" not in marks[n - 1 : n + 2]


def _only_removed(draft: Draft, rng: Random) -> Told:
    """All of the context is of another place, or made up."""
    found = [hunk for _, hunk in draft.plain_hunks() if hunk.removed and hunk.context]
    if not found:
        return Told.UNFIT
    hunk = rng.choice(found)
    for line in hunk.context:
        line.text, line.is_true = f"{line.text[:4]}made_up_{rng.randrange(10**6)}()", False
    hunk.is_literal = False
    # A line added away from the removed ones hangs on context that is nowhere.
    marks = "".join(line.mark for line in hunk.lines if line.mark != "\\").strip()
    return yes(" " not in marks and marks.startswith("-"))


def _blank_end(draft: Draft, rng: Random) -> Told:
    hunks = [hunk for file in draft.files for hunk in file.hunks if file.new and file.old]
    for hunk in hunks:
        hunk.lines.extend(Line("", "") for _ in range(rng.randint(1, 2)))
    return Told.YES if hunks else Told.UNFIT


def _idle(context_only: bool):
    def damage(draft: Draft, rng: Random) -> Told:
        found = _one(draft, rng)
        if not found or len(found[0].source) < 8 or found[0].is_mixed:
            return Told.UNFIT
        file, _ = found
        at = rng.randrange(len(file.source) - 6)
        taken = {line.at for hunk in file.hunks for line in hunk.old}
        if taken.intersection(range(at - 1, at + 7)):
            return Told.UNFIT
        end = "\r" if file.is_crlf else ""
        lines = [Line(" ", file.source[n], n, end) for n in range(at, at + 5)]
        if not context_only:
            lines[2].mark = "-"
            lines.insert(3, Line("+", lines[2].text, None, end))
        file.hunks.append(Hunk(at, 0, lines))
        file.hunks.sort(key=lambda hunk: hunk.start)
        return Told.YES

    return damage


def _split(draft: Draft, rng: Random) -> Told:
    """Two hunks of one: their contexts touch, or overlap."""
    found = [
        (file, hunk, first, second)
        for file, hunk in draft.plain_hunks()
        for first, second in [_two_changes(hunk)]
        if second
    ]
    if not found:
        return Told.UNFIT
    file, hunk, first, second = rng.choice(found)
    between = second - first
    last = first + min(between, rng.randint(1, 3))
    begin = second - min(between, rng.randint(1, 3))
    head, tail = hunk.lines[:last], [_copy(line) for line in hunk.lines[begin:]]
    start = next(line.at for line in tail if line.is_old) or 0
    marks = [line.mark for line in hunk.lines[:begin]]
    moved = hunk.moved + marks.count("+") - marks.count("-")
    hunk.lines = head
    file.hunks.insert(file.hunks.index(hunk) + 1, Hunk(start, moved, tail))
    return Told.YES


def _two_changes(hunk: Hunk) -> tuple[int, int]:
    """Where the first run of context between changes begins and ends."""
    marks = [line.mark for line in hunk.lines]
    first = leading(hunk)
    while first < len(marks) and marks[first] != " ":
        first += 1
    second = next((n for n in range(first, len(marks)) if marks[n] in ("-", "+")), 0)
    return (first, second) if second else (0, 0)


def _copy(line: Line) -> Line:
    return Line(line.mark, line.text, line.at, line.end, line.is_true, line.true)


def _elided(draft: Draft, rng: Random) -> Told:
    """Two hunks written as one, with dots for what stands between."""
    files = [file for file in draft.files if len(file.hunks) > 1 and file.old and file.new]
    if not files:
        return Told.UNFIT
    file = rng.choice(files)
    at = rng.randrange(len(file.hunks) - 1)
    first, second = file.hunks[at : at + 2]
    if any(line.mark == "\\" for line in first.lines) or second.start <= first.start:
        return Told.UNFIT
    first.lines += [Line("", rng.choice(("...", " ...", "    ..."))), *second.lines]
    first.is_literal = False
    del file.hunks[at + 1]
    return Told.YES


def _elided_context(draft: Draft, rng: Random) -> Told:
    """Dots above or below a change that is quoted in full: they stand for any number of lines."""
    found = _one(draft, rng)
    if not found:
        return Told.UNFIT
    _, hunk = found
    if hunk.lines[-1].mark == "\\" or leading(hunk) < 2:
        return Told.UNFIT
    hunk.lines.insert(0, Line(" ", "..."))
    hunk.is_literal = False
    return Told.YES


def _applied_already(draft: Draft, rng: Random) -> Told:
    """The file has the change of one hunk already."""
    found = _one(draft, rng)
    if not found or found[0].newline != (True, True) or found[0].is_mixed:
        return Told.UNFIT
    file, hunk = found
    if len(file.hunks) < 2 and len(draft.files) < 2:
        return Told.UNFIT
    end = "\r\n" if file.is_crlf else "\n"
    new = [line.text for line in hunk.lines if line.mark in (" ", "+")]
    lines = list(file.source)
    lines[hunk.start : hunk.start + len(hunk.old)] = new
    draft.before[file.old or ""] = "".join(line + end for line in lines)
    before, after = "\n".join(file.source), "\n".join(lines)
    old_text, new_text = "\n".join(line.text for line in hunk.old), "\n".join(new)
    told = old_text not in after and new_text not in before and after.count(new_text) == 1
    for other in file.hunks:
        other.is_literal = False  # their numbers are those of the file without it
    return yes(told and leading(hunk) > 1 and trailing(hunk) > 1)


def _reversed(draft: Draft, rng: Random) -> Told:
    """All of it: one hunk alone would be one that was applied already."""
    lines = [line for hunk in draft.hunks for line in hunk.lines]
    if not all(file.is_plain for file in draft.files) or any(line.mark == "\\" for line in lines):
        return Told.UNFIT
    swap = {"-": "+", "+": "-"}
    for line in lines:
        line.mark = swap.get(line.mark, line.mark)
    return Told.NO


def _no_marker(draft: Draft, rng: Random) -> Told:
    changed, same = False, True
    for file in draft.files:
        for hunk in file.hunks:
            kept = [line for line in hunk.lines if line.mark != "\\"]
            changed = changed or len(kept) < len(hunk.lines)
            hunk.lines = kept
        same = same and (file.newline[0] == file.newline[1] and bool(file.old and file.new))
    return yes(same) if changed else Told.UNFIT


LINES = (
    Defect("hunk applied already", _applied_already, kind=Kind.DEPENDS),
    Defect("reversed", _reversed, kind=Kind.LOSING),
    Defect("adjacent or overlapping hunks", _split),
    Defect("elided middle", _elided, 11, Kind.DEPENDS, group="elided"),
    Defect("dots above a hunk", _elided_context, 11, Kind.DEPENDS, group="elided"),
    Defect("context line left out inside", _drop_inside(False), kind=Kind.DEPENDS),
    Defect("blank line left out inside", _drop_inside(True), kind=Kind.DEPENDS),
    Defect("no line below the change", _cut(3, 0), group="cut"),
    Defect("no line above the change", _cut(0, 3), group="cut"),
    Defect("one line around the change", _cut(1, 1), group="cut"),
    Defect("two lines around the change", _cut(2, 2), group="cut"),
    Defect("no context at all", _cut(0, 0), 4, group="cut"),
    Defect("only the removed lines are there", _only_removed, 40, Kind.DEPENDS),
    Defect("no marker of a missing newline", _no_marker, kind=Kind.DEPENDS),
    Defect("hunk of nothing but context", _idle(True), 40, group="idle"),
    Defect("hunk that puts back what it removes", _idle(False), 37, group="idle"),
    Defect("blank line at the end of hunks", _blank_end, 29),
)
