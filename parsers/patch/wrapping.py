"""What stands before every line of a patch: the indent of a list, or the marks of a quoted mail."""

import re
from collections.abc import Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.late_pattern import LatePattern

_ANCHOR = LatePattern(r"(?P<before>\s*(?:> ?)*)(?:diff --git |--- \S|\+\+\+ \S|@@ ?[-.@\w])")
_BARE = ("diff --git ", "--- ", "+++ ", "@@")


def unwrapped(lines: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The lines without it, and what was done; a header that has nothing before it ends that."""
    if any(line.startswith(_BARE) for line in lines):
        return list(lines), ()
    anchors = [(n, found["before"]) for n, line in enumerate(lines) if (found := _anchor(line))]
    if len(anchors) < 2:
        return list(lines), ()
    before = anchors[0][1]
    if any(other != before for _, other in anchors):
        return list(lines), ()
    bare = before.rstrip()
    stripped = [
        line.removeprefix(before) if line.startswith(before) else "" if line == bare else line
        for line in lines
    ]
    if bare:
        return stripped, (f"each line of the patch had `{bare}` before it: that was left out",)
    count = counted(len(before), "blank")
    return stripped, (f"the whole patch was indented by {count}: they were left out",)


def _anchor(line: str) -> re.Match[str] | None:
    return _ANCHOR.match(line) if line[:1] == ">" or line[:1].isspace() else None
