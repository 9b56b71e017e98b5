r"""Search/replace blocks.

text   = (path | "replace all: yes" | wrapper | outside | block)+
block  = search [place] old divider new replace        (block_marks.py) | tagged | headed
place  = ":start_line:" NUMBER ["-------"]
path   = above the block, in the fence's info, in the mark; it holds for the blocks below it
tagged = "<search>" old "</search>" "<replace>" new "</replace>"       (tagged_block.py)

Old lines that are all empty: the file is new. A block without its end was cut off.
"""

from collections.abc import Sequence

from react_agent.parsers.block_marks import ALL, REPLACE, SEARCH, USAGE, YES, dividers, no_divider
from react_agent.parsers.fence import opening_fence
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.block_changes import Block, changes_of
from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.one_format import read
from react_agent.parsers.patch.path_line import files_in, path_in_info, path_in_sentence, path_of
from react_agent.parsers.patch.regions import Kind, indent_of, regions
from react_agent.parsers.patch.tagged_block import (
    opens_headed,
    opens_tagged,
    read_headed,
    read_tagged,
)

_NO_PATH = f"there is no path above the block of line {{}}: {USAGE}"
_WRAPPER = LatePattern(
    r"[ \t]*</?(?:file|edit|edits|change|changes|block|diff|replace_in_file|apply_diff|patch"
    r"|search_replace|str_replace|modification)(?:[ \t][^<>]*)?>[ \t]*"
)
_PLACE = LatePattern(r":start_line:[ \t]*(?P<start>\d{1,9})[ \t]*")
_PLACE_END = LatePattern(r":end_line:[ \t]*\d{1,9}[ \t]*|-{7}[ \t]*")
_WRONG_WAY = LatePattern(r"<{5,9}[ \t]*(?:REPLACE|UPDATED|END)\b.*")
_ESCAPED = LatePattern(r"\\(?:<{7}|={7}|>{7}|-{7})(?: .*)?")


def is_blocks(lines: Sequence[str]) -> bool:
    lines = [line.removesuffix("\r") for line in lines]
    if Kind.BLOCK in regions(lines).values():
        return True
    return any(opens_tagged(lines, at) or opens_headed(lines, at) for at in range(len(lines)))


def read_blocks(lines: Sequence[str]) -> Reading:
    return read(lines, _changes)


def _changes(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    blocks = Blocks(cursor)
    while not cursor.ended:
        blocks.take()
    if not blocks.found:
        raise Unread(_nothing(blocks.idle))
    if blocks.everywhere:
        blocks.found[-1] = blocks.found[-1]._replace(everywhere=True)
    idle = [f"the block of line {at} changes nothing: it was left out" for at in blocks.idle]
    return changes_of(blocks.found), [*blocks.repairs, *idle]


def _nothing(idle: Sequence[int]) -> str:
    if not idle:
        return f"there is no block: {USAGE}"
    same = "its old lines and its new ones are the same: write the new ones as they are to be"
    return f"the block of line {idle[0]} changes nothing, {same}"


class Blocks:
    """What was read so far, and what holds for the next block."""

    def __init__(self, cursor: LineCursor) -> None:
        self._cursor = cursor
        self._regions = regions(cursor.lines)
        self._path = ""
        self._other = ""  # another file that the line above names, in more words
        self.everywhere = False
        self.found = list[Block]()
        self.idle = list[int]()  # the lines of blocks that change nothing
        self.repairs = list[str]()

    def take(self) -> None:
        """A block, or a line between them."""
        cursor = self._cursor
        kind = self._regions.get(cursor.at)
        if kind == Kind.BLOCK:
            self._take_marked()
        elif kind == Kind.CONFLICT:
            raise Unread(
                f"line {cursor.number} opens a conflict beside blocks: write all changes as blocks"
            )
        elif opens_tagged(cursor.lines, cursor.at):
            self._add(cursor.number, *read_tagged(cursor))
        elif opens_headed(cursor.lines, cursor.at):
            self._add(cursor.number, *read_headed(cursor))
        else:
            self._take_outside()

    def _take_outside(self) -> None:
        line = self._cursor.peek()
        fence = opening_fence(line)
        path = path_in_info(fence.info) if fence else path_of(line) or path_in_sentence(line)
        self._path = path or self._path
        if line.strip() and not fence:
            others = files_in(line) if not path else set()
            is_named = any(self._path.endswith(other) for other in others)
            self._other = "" if is_named else min(others, default="")
        said = ALL.fullmatch(line) if len(line) < 60 else None
        if said:
            self.everywhere = said["value"].casefold() in YES
        is_header = path or said or ("<" in line and _WRAPPER.fullmatch(line))
        self._cursor.take_outside(Role.HEADER if is_header else Role.PROSE)

    def _add(self, number: int, old: list[str], new: list[str], start: int | None = None) -> None:
        if not self._path:
            raise Unread(_NO_PATH.format(number))
        if old == new and any(line.strip() for line in old):
            self._leave_out(number)
            return
        if self._other:
            raise Unread(
                f"it is not clear whether the block of line {number} is for {self._path} or for "
                f"{self._other}: write its PATH above it, alone in a line"
            )
        self.found.append(Block(self._path, number, old, new, start, self.everywhere))
        self.everywhere = False

    def _leave_out(self, number: int) -> None:
        roles = self._cursor.roles
        roles[number - 1 :] = [Role.IDLE] * (len(roles) - number + 1)
        self.idle.append(number)
        self.everywhere = False

    def _take_marked(self) -> None:
        cursor, number = self._cursor, self._cursor.number
        line = cursor.take(Role.HEADER)
        mark, indent = SEARCH.fullmatch(line.strip()), indent_of(line)
        if not mark:
            raise Unread(_NO_PATH.format(number))
        if path := path_of(mark["path"] or ""):
            self._path, self._other = path, ""
        start = self._take_place()
        began = cursor.at
        body = self._take_body(number, indent)
        cursor.take(Role.HEADER)
        found = dividers(
            [line.removeprefix(indent) for line in body], len(mark["mark"] or mark["dashes"])
        )
        if len(found) != 1:
            raise Unread(no_divider(found, began))
        cursor.roles[began + found[0]] = Role.HEADER
        old, new = body[: found[0]], body[found[0] + 1 :]
        self._add(number, self._unescaped(old), self._unescaped(new), start)

    def _take_place(self) -> int | None:
        found = _PLACE.fullmatch(self._cursor.peek())
        if not found:
            return None
        self._cursor.take(Role.HEADER)
        while _PLACE_END.fullmatch(self._cursor.peek()):
            self._cursor.take(Role.HEADER)
        return int(found["start"])

    def _take_body(self, number: int, indent: str) -> list[str]:
        cursor, began, has_divider = self._cursor, self._cursor.at, False
        while not cursor.ended and not REPLACE.fullmatch(
            line := cursor.peek().removeprefix(indent).rstrip()
        ):
            if has_divider and _WRONG_WAY.fullmatch(line):
                self.repairs.append(f"line {cursor.number}, `{line}`, was read as >>>>>>> REPLACE")
                return cursor.lines[began : cursor.at]
            if self._regions.get(cursor.at) and any(map(str.isalpha, line)):
                raise Unread(f"the block of line {number} has no >>>>>>> REPLACE: {USAGE}")
            has_divider = has_divider or line[:5] == "====="
            cursor.take(Role.BODY)
        if cursor.ended:
            raise Unread(
                f"the block of line {number} was cut off: it has no >>>>>>> REPLACE; send all of it"
            )
        return cursor.lines[began : cursor.at]

    def _unescaped(self, lines: list[str]) -> list[str]:
        """One dialect writes a backslash before a line that looks like a mark."""
        if not any(line[:1] == "\\" and _ESCAPED.fullmatch(line) for line in lines):
            return lines
        self.repairs.append("the backslash before a line like a mark was left out")
        return [line[1:] if _ESCAPED.fullmatch(line) else line for line in lines]
