"""The old and the new lines of a block, told apart by tags or by headings.

tags     = "<search>" lines "</search>" "<replace>" lines "</replace>"   other names for them too
headings = "SEARCH:" fence lines fence "REPLACE:" fence lines fence
"""

import re
from collections.abc import Sequence

from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Role
from react_agent.parsers.patch.line_cursor import LineCursor, Unread

_OLD_TAG = LatePattern(
    r"[ \t]*<(?P<name>search|find|old|original|old_str|old_string|old_text|old_code)>(?P<rest>.*)"
)
_NEW_TAG = LatePattern(
    r"[ \t]*<(?P<name>replace|replacement|new|updated|new_str|new_string|new_text|new_code)>"
    r"(?P<rest>.*)"
)
_OLD_HEADING = LatePattern(
    r"[#*_ \t]*(?:search|find|old|original|old[ _](?:code|text|string|str))(?: block)?[*_ \t]*:"
    r"[*_ \t]*|#+[ \t]+[*_]*(?:search|find|original|old(?: code)?)[*_]*[ \t]*",
    re.IGNORECASE,
)
_NEW_HEADING = LatePattern(
    r"[#*_ \t]*(?:replace(?: with)?|replacement|new|updated|new[ _](?:code|text|string|str))"
    r"(?: block)?[*_ \t]*:[*_ \t]*"
    r"|#+[ \t]+[*_]*(?:replace(?: with)?|replacement|updated|new(?: code)?)[*_]*[ \t]*",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of a heading

Pair = tuple[list[str], list[str]]


def opens_tagged(lines: Sequence[str], at: int) -> bool:
    return "<" in lines[at] and _OLD_TAG.fullmatch(lines[at]) is not None


def opens_headed(lines: Sequence[str], at: int) -> bool:
    """A heading counts only with a fence right below it; one of many uses with the other too."""
    if not _is_heading(lines[at], _OLD_HEADING):
        return False
    fence = _fence_below(lines, at)
    return fence is not None and (_is_plain(lines[at]) or _has_new(lines, at, fence))


def read_tagged(cursor: LineCursor) -> Pair:
    number = cursor.number
    old = _tagged(cursor, _OLD_TAG, number)
    _take_blanks(cursor)
    if not _NEW_TAG.fullmatch(cursor.peek()):
        raise Unread(f"the block of line {number} has old lines only: write <replace> below them")
    return old, _tagged(cursor, _NEW_TAG, number)


def read_headed(cursor: LineCursor) -> Pair:
    number = cursor.number
    old = _fenced(cursor, number)
    _take_blanks(cursor)
    if not _is_heading(cursor.peek(), _NEW_HEADING):
        raise Unread(f"the block of line {number} has old lines only: write REPLACE: below them")
    return old, _fenced(cursor, number)


def _tagged(cursor: LineCursor, form: LatePattern, number: int) -> list[str]:
    """Text beside a tag is a line too; a tag alone in its line is none."""
    opened = form.fullmatch(cursor.peek())
    if not opened:
        return []
    closing, rest = f"</{opened['name']}>", opened["rest"].rstrip()
    if rest.endswith(closing):
        cursor.take(Role.BODY)
        return [text] if (text := rest.removesuffix(closing)) else []
    lines = [opened["rest"]] if rest else []
    cursor.take(Role.BODY if rest else Role.HEADER)
    while not cursor.ended and not cursor.peek().rstrip().endswith(closing):
        if form.fullmatch(cursor.peek()):
            raise Unread(f"the block of line {number} has no {closing}: write it below its lines")
        lines.append(cursor.take(Role.BODY))
    if cursor.ended:
        raise Unread(f"the block of line {number} was cut off: it has no {closing}; send all of it")
    last = cursor.peek().rstrip().removesuffix(closing)
    cursor.take(Role.BODY if last.strip() else Role.HEADER)
    return [*lines, last] if last.strip() else lines


def _fenced(cursor: LineCursor, number: int) -> list[str]:
    cursor.take(Role.HEADER)
    _take_blanks(cursor)
    fence = opening_fence(cursor.peek())
    if not fence:
        raise Unread(f"the block of line {number} has no fence below its heading: write one")
    return _within(cursor, fence, number)


def _within(cursor: LineCursor, fence: Fence, number: int) -> list[str]:
    cursor.take(Role.FENCE)
    lines = list[str]()
    while not cursor.ended and not fence.is_closed_by(cursor.peek()):
        lines.append(cursor.take(Role.BODY))
    if cursor.ended:
        raise Unread(
            f"the block of line {number} was cut off: its fence is never closed; send all of it"
        )
    cursor.take(Role.FENCE)
    return lines


def _take_blanks(cursor: LineCursor) -> None:
    while not cursor.ended and not cursor.peek().strip():
        cursor.take(Role.BLANK)


def _is_heading(line: str, form: LatePattern) -> bool:
    return 0 < len(line) <= _LONGEST and form.fullmatch(line.rstrip()) is not None


def _is_plain(heading: str) -> bool:
    return heading.strip("#*_ \t").casefold().startswith(("search", "find"))


def _has_new(lines: Sequence[str], at: int, fence: Fence) -> bool:
    """Whether the heading of the new lines stands below the fence."""
    first = at + 2 if lines[at + 1].strip() else at + 3
    end = first
    while end < len(lines) and not fence.is_closed_by(lines[end]):
        if _is_heading(lines[end], _OLD_HEADING) and _fence_below(lines, end):
            return False  # the next one: each line is looked at once
        end += 1
    below = next((line for line in lines[end + 1 : end + 4] if line.strip()), "")
    return _is_heading(below, _NEW_HEADING)


def _fence_below(lines: Sequence[str], at: int) -> Fence | None:
    below = [*lines[at + 1 : at + 3], "", ""]
    return opening_fence(below[0]) or (None if below[0].strip() else opening_fence(below[1]))
