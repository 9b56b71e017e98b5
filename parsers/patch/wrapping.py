"""What stands before every line of a patch: the indent of a list, or the marks of a quoted mail."""

import re
from collections.abc import Sequence

_ANCHOR = re.compile(r"(?P<before>\s*(?:> ?)*)(?:diff --git |--- \S|\+\+\+ \S|@@ ?[-.@\w])")


def unwrapped(lines: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The lines without it, and what was done; a header that has nothing before it ends that."""
    anchors = [(n, found["before"]) for n, line in enumerate(lines) if (found := _anchor(line))]
    if len(anchors) < 2 or not all(before for _, before in anchors):
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
    count = f"{len(before)} blank{'s' * (len(before) > 1)}"
    return stripped, (f"the whole patch was indented by {count}: they were left out",)


def _anchor(line: str) -> re.Match[str] | None:
    if "-" not in line and "+" not in line and "@" not in line:
        return None
    return _ANCHOR.match(line)
