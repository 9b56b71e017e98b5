"""Read unified diffs as models write them, and skip the text around them.

text    = (prose | fence | section | hunk)*
fence   = a line of three or more backticks or tildes
section = header of a file, hunk*                        (hunk.py)
hunk    = [header of a hunk] line+                       (hunk.py)

Each line gets a role. A line that could be part of a change but can't be read is a problem. If a
file has several changes, drafts.py decides which of them count.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.reading.drafts import Section, kept, withdraws
from react_agent.parsers.patch.reading.hunk import (
    SLIP,
    HunkHeader,
    Left,
    begins_file,
    file_header,
    hunk_end,
    hunk_header,
    hunk_of,
    is_change,
    is_signature,
    last_hunk,
)
from react_agent.parsers.text.fence import Fence, opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_NOTHING = "no hunk changes anything: put - before the lines to remove and + before those to add"
_HUNK = "a hunk that begins with @@"
_HEADS = ("@@", "diff ", "--- ", "+++ ")  # what a header may begin with
_GOES_ON = ("@@", "--- ", "diff ", "*** End Patch")
_LANGUAGES = ("diff", "patch", "udiff")
_MAIL = ("From ", "commit ", "# HG changeset patch")
_BINARY = LatePattern(r"GIT binary patch$|Binary files? .+ differ$")
_NOT_BINARY = "a binary file can't be patched here: leave it out"
_SHOWN = 60  # characters of a quoted line


def is_unified(lines: Sequence[str]) -> bool:
    return _holds_diff(lines, 0, len(lines)) or any(
        (fence := opening_fence(line)) and _is_for_diffs(fence) and below[:1] in ("+", "-", " ")
        for line, below in pairwise(lines)
    )


def read_unified(lines: Sequence[str]) -> Reading:
    walk = _Walk(lines)
    walk.take_all()
    changes, repairs, doubts = kept(walk.sections, walk.intros, walk.roles)
    problems = [*walk.problems, *doubts]
    if walk.sections and (doubt := next(filter(withdraws, walk.said), "")):
        problems.append(
            f"the text below the last change withdraws it, {doubt[:_SHOWN]!r}: send the final "
            "diff only"
        )
    if not problems and not changes:
        problems = [_NOTHING]
    roles = tuple(walk.roles)
    if problems:
        return Reading((), roles, (), problems[0])
    idle = (f"the hunk at line {at} changes nothing: it was left out" for at in walk.idle)
    outside = ["the fence around the patch was left out"] if Role.FENCE in roles else []
    if Role.PROSE in roles and not lines[0].startswith(_MAIL):
        outside.append("the text around the patch was left out")
    return Reading(tuple(changes), roles, (*outside, *walk.repairs, *idle, *repairs))


class _Walk:
    """The state of the reader: the lines, their roles, and the results so far."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.roles = [Role.PROSE if line.strip() else Role.BLANK for line in lines]
        self.sections = list[Section]()
        self.intros = list[list[str]]()  # what is written above each block
        self.idle = list[int]()  # the lines of hunks that change nothing
        self.said = list[str]()  # the prose since the last hunk
        self.repairs, self.problems = list[str](), list[str]()
        self.section: Section | None = None
        self.fence: Fence | None = None
        self.is_apart = False  # prose, or a fence's edge, since the last hunk

    def take_all(self) -> None:
        at = 0
        while at < len(self.lines):
            at = self._step(at)
        self._end_section(len(self.lines))

    def _step(self, at: int) -> int:
        line = self.lines[at]
        if not line.strip():
            return self.take(at, at + 1, Role.BLANK)
        if fence := opening_fence(line):
            return self._fence(at, fence)
        if begins_file(self.lines, at):
            self._end_section(at)
            change, end = file_header(self.lines, at)
            self._open(at, end, change)
            return self.take(at, end, Role.HEADER)
        if line.startswith("@@"):
            self.take(at, at + 1, Role.HEADER)
            return self._body(at, at + 1, hunk_header(line))
        if _is_loose_hunk(self, line):
            return self._body(at, at, HunkHeader())
        return self._prose(at)

    def _fence(self, at: int, fence: Fence) -> int:
        is_below = self.section is not None and not self.is_apart
        is_closing = not fence.info and (self.fence is not None or is_below)
        self._end_section(at)
        self.fence, self.is_apart = None, True
        self.take(at, at + 1, Role.FENCE)
        if is_closing:
            return at + 1
        end = _fence_end(self.lines, at + 1, fence)
        if _is_for_diffs(fence) or _holds_diff(self.lines, at + 1, end):
            self.fence = fence
            return at + 1
        other = opening_fence(_line(self.lines, end))
        if other and other.info:  # the line closed a fence, or this fence never closes
            return end if fence.info else at + 1
        return self.take(end, min(end + 1, len(self.lines)), Role.FENCE)

    def _body(self, first: int, at: int, header: HunkHeader) -> int:
        end = hunk_end(self.lines, at, header.counts)
        lines, below = self.lines[at:end], _line(self.lines, _written(self.lines, end))
        is_closed = below.startswith(_GOES_ON) or opening_fence(below) is not None
        mark = self.fence.mark * self.fence.length if self.fence else "\n"
        if not is_closed and lines and lines[-1].endswith(mark):
            is_closed, self.fence = True, None
            lines = [*lines[:-1], lines[-1].removesuffix(mark)]
            self.repairs.append(
                f"the {mark} at the end of line {end} was read as the end of the fence"
            )
        hunk, left = hunk_of(first + 1, header, lines), Left(header.counts, lines)
        section = self._section_at(first)
        self.take(at, end, Role.BODY)
        if hunk.is_idle:
            section.idle += 1
            self.take(first, end, Role.IDLE)
            self.idle.append(first + 1)
            is_last = _written(self.lines, end) == len(self.lines)
            if is_last and (left.more >= SLIP or not hunk.lines):
                self._problem(len(self.lines), "the change of its last hunk")
            return end
        if first == at:
            self.repairs.append(f"the hunk at line {first + 1} has no @@ line above it")
        if not is_closed:
            is_open = self.fence is not None and _written(self.lines, end) == len(self.lines)
            hunk = last_hunk(hunk, left, is_open)
        section.hunks.append(hunk)
        section.end = end
        return end

    def _section_at(self, at: int) -> Section:
        section = self.section
        if section is None:
            from react_agent.parsers.patch.reading.path_line import named_above

            name, said = "", named_above(self.lines, at)
            if said:
                name, line = said
                self.repairs.append(
                    f"the hunk at line {at + 1} names no file: it was read as one of {name}, "
                    f"which line {line + 1} names"
                )
            return self._open(at, at, FileChange(at + 1, name, name))
        if self.is_apart and section.hunks:
            return self._open(at, at, section.header)
        self.is_apart = False
        return section

    def _open(self, first: int, end: int, change: FileChange) -> Section:
        if self.is_apart or not self.intros:  # a block: a stretch of hunks with nothing between
            self.intros.append(self.said)
            self.said = []
        self.is_apart = False
        self.section = Section(len(self.intros) - 1, first, end, change)
        self.sections.append(self.section)
        return self.section

    def _end_section(self, at: int) -> None:
        """End the section. A section without hunks must contain another change of its file."""
        section, self.section = self.section, None
        if section and not (section.hunks or section.idle or _says_enough(self.lines, section)):
            self._problem(
                _written(self.lines, at),
                f"{_HUNK} below the header of {section.name or 'the file'}",
            )

    def _prose(self, at: int) -> int:
        line = self.lines[at]
        if _BINARY.match(line):
            self.problems.append(f"line {at + 1} of the patch: {_NOT_BINARY}")
            if self.section:
                self.section.idle += 1
            return self.take(at, at + 1, Role.HEADER)
        if is_signature(self.lines, at):
            self._end_section(at)
            return at + 2
        if _is_stray(self, at):
            self._problem(at, f"{_HUNK} above it")
        self.is_apart = True
        self.said.append(line)
        return at + 1

    def take(self, at: int, end: int, role: Role) -> int:
        self.roles[at:end] = [role] * (end - at)
        return end

    def _problem(self, at: int, expected: str) -> None:
        if at >= len(self.lines):
            self.problems.append(f"the patch was cut off: it ends where {expected} should be")
            return
        found = self.lines[at]
        shown = found if len(found) <= _SHOWN else found[:_SHOWN] + "..."
        self.problems.append(f"line {at + 1} of the patch: expected {expected}, found {shown!r}")


def _is_loose_hunk(walk: _Walk, line: str) -> bool:
    """Return whether the line belongs to a hunk that has no header."""
    section = walk.section
    if section is None:
        is_open = walk.fence is not None and _is_for_diffs(walk.fence)
    else:
        is_open = not section.hunks and not section.idle and not walk.is_apart
        if section.header.new is None:
            return is_open and is_change(line)
    return is_open and line[:1] in ("+", "-", " ")


def _says_enough(lines: Sequence[str], section: Section) -> bool:
    """Return whether the file is renamed, deleted, created empty, or given another mode."""
    change = section.header
    if change.new is None:
        return True
    if lines[section.end - 1].startswith(("--- ", "+++ ")):
        return False
    if change.old is None:
        return bool(change.new and change.new_mode)
    return bool(change.moved or change.new_mode)


def _is_stray(walk: _Walk, at: int) -> bool:
    """Return whether the line is part of a change that is outside all hunks."""
    line, below = walk.lines[at], _line(walk.lines, at + 1)
    if line[:1] not in ("+", "-") or line.rstrip() == "--":
        return False
    if walk.fence is not None:
        return True
    is_pair = below.startswith("+" if line[0] == "-" else "-") and is_change(below)
    return is_change(line) and (bool(walk.sections) or is_pair)


def _line(lines: Sequence[str], at: int) -> str:
    return lines[at] if at < len(lines) else ""


def _written(lines: Sequence[str], at: int) -> int:
    """Return the next line that is not blank, starting at `at`."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _holds_diff(lines: Sequence[str], at: int, end: int) -> bool:
    return any(
        lines[n].startswith("@@") or begins_file(lines, n)
        for n in range(at, end)
        if lines[n].startswith(_HEADS)
    )


def _is_for_diffs(fence: Fence) -> bool:
    return re.split(r"[\s:]", fence.info, maxsplit=1)[0].lower() in _LANGUAGES


def _fence_end(lines: Sequence[str], at: int, fence: Fence) -> int:
    for end in range(at, len(lines)):
        other = opening_fence(lines[end])
        if other and other.mark == fence.mark and other.length >= fence.length:
            return end
    return len(lines)
