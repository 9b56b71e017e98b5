"""Unified diffs, read, without drafts, and with what was left out said."""

from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Reading, Role
from react_agent.parsers.patch.diff_fence import holds_diff, is_diff_fence
from react_agent.parsers.patch.drafts import kept
from react_agent.parsers.patch.second_thought import takes_back
from react_agent.parsers.patch.unified import walked
from react_agent.parsers.patch.walk import Walk

_NOTHING = "no hunk changes anything: put - before the lines that go and + before those that come"
_CONTEXT = (
    "this is a context diff (diff -c), with the old lines and the new ones apart: write a unified "
    "one, with --- a/PATH, +++ b/PATH and @@ -START,COUNT +START,COUNT @@"
)
_OLD_RANGE = LatePattern(r"\*\*\* \d+(?:,\d+)? \*\*\*\*")
_MOST = 9  # numbers of lines that are said
_MAIL = ("From ", "commit ", "# HG changeset patch")


def is_unified(lines: Sequence[str]) -> bool:
    return holds_diff(lines, 0, len(lines)) or any(
        is_diff_fence(line) and _has_marks(lines, at) for at, line in enumerate(lines)
    )


def read_unified(lines: Sequence[str]) -> Reading:
    if "***************" in lines and (at := _context_diff(lines)):
        roles = tuple(Role.PROSE if line.strip() else Role.BLANK for line in lines)
        return Reading((), roles, (), f"line {at} of the patch: {_CONTEXT}")
    walk = walked(lines)
    result = kept(walk.sections, walk.intros, walk.roles)
    problems = walk.problems + result.problems + _doubts(walk)
    if not problems and not result.changes:
        problems = [_NOTHING]
    roles = tuple(walk.roles)
    if problems:
        return Reading((), roles, (), problems[0])
    repairs = (*_left_out(lines, roles), *walk.repairs, *_idle(walk.idle), *result.repairs)
    return Reading(result.changes, roles, repairs)


def _context_diff(lines: Sequence[str]) -> int:
    """The line, counted from 1, where one begins; 0 for none."""
    for at, line in enumerate(lines[:-1], 1):
        if line == "***************" and _OLD_RANGE.match(lines[at]):
            return at
    return 0


def _idle(lines: Sequence[int]) -> list[str]:
    if len(lines) == 1:
        return [f"the hunk in line {lines[0]} changes nothing: it was left out"]
    shown = ", ".join(map(str, lines[:_MOST])) + (", ..." if len(lines) > _MOST else "")
    said = f"{len(lines)} hunks change nothing, in lines {shown}: they were left out"
    return [said] if lines else []


def _doubts(walk: Walk) -> list[str]:
    """A reply may end while its writer thinks the last change over."""
    return [
        f"what is said below the last change takes it back, {line[:60]!r}: send the final diff only"
        for line in walk.said
        if walk.sections and takes_back(line)
    ][:1]


def _has_marks(lines: Sequence[str], at: int) -> bool:
    return at + 1 < len(lines) and lines[at + 1][:1] in ("+", "-", " ")


def _left_out(lines: Sequence[str], roles: Sequence[Role]) -> list[str]:
    said = list[str]()
    if Role.FENCE in roles:
        said.append("the fence around the patch was left out")
    is_mail = lines[0].startswith(_MAIL)
    if not is_mail and Role.PROSE in roles:
        said.append(f"the text around the patch was left out: {_ranges(roles)}")
    return said


def _ranges(roles: Sequence[Role]) -> str:
    """The lines of the prose, blank ones between them too."""
    found = list[list[int]]()
    for at, role in enumerate(roles, 1):
        if role is Role.PROSE and found and found[-1][1] == at - 1:
            found[-1][1] = at
        elif role is Role.PROSE:
            found.append([at, at])
        elif role is Role.BLANK and found and found[-1][1] == at - 1:
            found[-1][1] = at
    shown = ", ".join(_range(first, last, roles) for first, last in found[:_MOST])
    return shown + (", ..." if len(found) > _MOST else "")


def _range(first: int, last: int, roles: Sequence[Role]) -> str:
    while roles[last - 1] is Role.BLANK:
        last -= 1
    return f"line {first}" if first == last else f"lines {first}-{last}"
