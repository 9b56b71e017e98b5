"""Lines outside of hunks: prose, or a part of a change that no hunk took."""

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Role
from react_agent.parsers.patch.hunk_end import is_change, is_signature
from react_agent.parsers.patch.walk import HUNK, Walk

_BINARY = LatePattern(r"Binary files? .+ differ$")
_NOT_BINARY = "a binary file can't be patched here: leave it out"
_TITLE = LatePattern(r"-{3,} .* -{3,}$")
_ITEM = LatePattern(r"[-+] \S")


def prose(walk: Walk, at: int) -> int:
    line = walk.lines[at]
    if line == "GIT binary patch" or _BINARY.match(line):
        return _binary(walk, at)
    if is_signature(walk.lines, at):
        walk.end_section(at)
        return at + 2
    if _is_stray(walk, at):
        walk.problem(at, f"{HUNK} above it")
    walk.is_apart = True
    walk.said.append(line)
    return at + 1


def _binary(walk: Walk, at: int) -> int:
    walk.problems.append(f"line {at + 1} of the patch: {_NOT_BINARY}")
    if walk.section:
        walk.section.idle += 1
    end = walk.take(at, at + 1, Role.HEADER)
    if walk.lines[at].startswith("GIT"):
        while end < len(walk.lines) and _is_literal(walk, end):
            end += 1
    return walk.take(at + 1, end, Role.BODY)


def _is_literal(walk: Walk, at: int) -> bool:
    return bool(walk.lines[at]) or walk.line(at + 1).startswith(("literal ", "delta "))


def _is_stray(walk: Walk, at: int) -> bool:
    line, below = walk.lines[at], walk.line(at + 1)
    if line.startswith("@@"):
        return below[:1] in ("+", "-")
    if line[:1] not in ("+", "-") or line.rstrip() == "--" or _TITLE.match(line):
        return False
    if walk.fence is not None:
        return is_change(line) or _ITEM.match(line) is not None
    other = "+" if line[0] == "-" else "-"
    is_pair = below.startswith(other) and is_change(below)
    return is_change(line) and (bool(walk.sections) or is_pair)
