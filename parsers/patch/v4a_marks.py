"""The lines with three asterisks that divide a patch.

mark = "***" kind [":"] path      in any case; other words for the same are listed
"""

import re
from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.line_cursor import LineCursor

BEGIN, END = "begin patch", "end patch"
UPDATE, ADD, DELETE = "update file", "add file", "delete file"
MOVE, AT_END = "move to", "end of file"
_SAME = {
    "create file": ADD,
    "new file": ADD,
    "modify file": UPDATE,
    "edit file": UPDATE,
    "remove file": DELETE,
    "rename to": MOVE,
    "move file to": MOVE,
}
_KINDS = {kind: kind for kind in (BEGIN, END, UPDATE, ADD, DELETE, MOVE, AT_END)} | _SAME
_MARK = LatePattern(
    r"\*\*\*[ \t]*(?P<kind>"
    + "|".join(kind.replace(" ", "[ \t]+") for kind in _KINDS)
    + r")(?P<rest>(?:[ \t]*:|[ \t]|$).*)",
    re.IGNORECASE,
)
_ANY = LatePattern(r"\*\*\*[ \t]?[A-Za-z].*")
BEGINNINGS = (BEGIN, UPDATE, ADD, DELETE)
_BARE = (BEGIN, END, AT_END)


class Mark(NamedTuple):
    kind: str  # empty: none that is known
    path: str = ""


def mark_of(line: str) -> Mark | None:
    if line[:3] != "***":
        return None
    found = _MARK.fullmatch(line)
    if not found:
        return Mark("") if _ANY.fullmatch(line) else None
    kind = _KINDS[" ".join(found["kind"].casefold().split())]
    path = found["rest"].strip().removeprefix(":").strip().strip("`\"'")
    if (kind in _BARE) == bool(path.strip("* :")):
        return Mark("")
    return Mark(kind, path)


def begins_file(cursor: LineCursor, mark: Mark | None) -> bool:
    """One of the marks, or the two lines of a unified diff."""
    if mark:
        return mark.kind in (UPDATE, ADD, DELETE)
    return is_diff_head(cursor)


def is_diff_head(cursor: LineCursor) -> bool:
    if cursor.peek()[:11] == "diff --git ":
        return True
    return (
        cursor.peek()[:4] == "--- " and cursor.peek(1)[:4] == "+++ " and cursor.peek(2)[:2] == "@@"
    )
