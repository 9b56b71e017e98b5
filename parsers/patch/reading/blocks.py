r"""Blocks of old and new lines: search and replace, and the marks of a conflict.

text  = (path | "replace all: yes" | outside | block)+
block = open old divider new close                     (edits/marks.py)
open  = "<<<<<<< SEARCH" | "------- SEARCH" | "<<<<<<<" [path] | "<<<<<<< HEAD" (ours, a branch ...)
close = ">>>>>>>" [any word] | "+++++++ REPLACE"
path  = above the block, in the fence's info, at the mark; it holds for the blocks below it

Old lines that are all empty: the file is new. A block without its close was cut off.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from react_agent.parsers.edits.marks import (
    ALL,
    REPLACE,
    SEARCH,
    USAGE,
    YES,
    dividers,
    labelled_path,
    looks_like_path,
    no_divider,
)
from react_agent.parsers.patch.changes import FileChange, Hunk, Reading, Role
from react_agent.parsers.patch.line_diff import kept_lines
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.path_line import (
    files_in,
    known_first,
    path_above,
    path_in_info,
    path_of,
)
from react_agent.parsers.text.fence import opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_CLOSING = LatePattern(r">{5,9}(?:[ \t]+\S.*)?")
_BASE = LatePattern(r"\|{5,9}(?:[ \t].*)?")
_OLD = ("search", "original", "old", "before")


class _Block(NamedTuple):
    path: str
    hunk: Hunk
    is_new: bool  # nothing to look for
    is_empty: bool


def is_blocks(lines: Sequence[str]) -> bool:
    """By marks that are those of nothing else."""
    return any(_openings([line.removesuffix("\r") for line in lines]).values())


def is_conflicts(lines: Sequence[str]) -> bool:
    return bool(_openings([line.removesuffix("\r") for line in lines]))


def read_blocks(lines: Sequence[str], files: Collection[str] = ()) -> Reading:
    """A line that begins with one of the files names it, whatever comes after it."""

    def rule(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
        return _changes(_Blocks(cursor, files))

    return read(lines, rule)


def _openings(lines: Sequence[str]) -> dict[int, bool]:
    """The lines that open a block, counted from 0, and whether only a block can begin so."""
    found, is_closed, is_replaced = dict[int, bool](), False, False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if line[:5] == ">>>>>" and _CLOSING.fullmatch(line):
            is_closed, is_replaced = True, line.lstrip(">").strip().casefold() == "replace"
        elif line[:5] in ("<<<<<", "-----") and (mark := SEARCH.fullmatch(line)):
            word, path = (mark["word"] or "").casefold().rstrip(":>"), mark["path"] or ""
            is_path = not word and (not path or looks_like_path(labelled_path(path)))
            if mark["dashes"] or word in _OLD or (lines[at][:1] == "<" and is_path):
                found[at] = True
            elif lines[at][:1] == "<" and (word or (is_closed and line.lstrip("<")[:1] == " ")):
                found[at] = is_replaced
    return found


def _changes(blocks: "_Blocks") -> tuple[list[FileChange], list[str]]:
    while not blocks.cursor.ended:
        blocks.take()
    if not blocks.found:
        raise Unread(_nothing(blocks.idle))
    if blocks.everywhere:
        last = blocks.found[-1]
        blocks.found[-1] = last._replace(hunk=last.hunk._replace(everywhere=True))
    return _by_path(blocks.found), [
        f"the block of line {at} changes nothing: it was left out" for at in blocks.idle
    ]


def _nothing(idle: Sequence[int]) -> str:
    if not idle:
        return f"there is no block: {USAGE}"
    same = "its old lines and its new ones are the same: write the new ones as they are to be"
    return f"the block of line {idle[0]} changes nothing, {same}"


def _by_path(blocks: Sequence[_Block]) -> list[FileChange]:
    """One change for each path, in the order in which they come."""
    found = dict[str, list[_Block]]()
    for block in blocks:
        found.setdefault(block.path, []).append(block)
    return [_of_one(path, of_path) for path, of_path in found.items()]


def _of_one(path: str, blocks: Sequence[_Block]) -> FileChange:
    for block in blocks:
        if block.is_new and len(blocks) > 1:
            raise Unread(
                f"the block of line {block.hunk.at} has nothing to look for, and {path} has other "
                "blocks: quote a line beside the new ones"
            )
        if block.is_empty:
            raise Unread(
                f"the block of line {block.hunk.at} is empty: write the old and the new lines"
            )
    hunks = tuple(block.hunk for block in blocks)
    return FileChange(hunks[0].at, None if blocks[0].is_new and path else path, path, hunks)


class _Blocks:
    """What was read so far, and what holds for the next block."""

    def __init__(self, cursor: LineCursor, files: Collection[str]) -> None:
        self.cursor = cursor
        self._files = files
        self._openings = _openings(cursor.lines)
        self._path = ""
        self._other = ""  # another file that the line above names, in more words
        self.everywhere = False
        self.found = list[_Block]()
        self.idle = list[int]()  # the lines of blocks that change nothing

    def take(self) -> None:
        """A block, or a line between them."""
        cursor = self.cursor
        if cursor.at in self._openings:
            self._add(cursor.number, *self._marked())
        else:
            self._take_outside()

    def _take_outside(self) -> None:
        line = self.cursor.peek()
        fence = opening_fence(line)
        if fence:
            path = path_in_info(fence.info)
        else:
            path = path_above(line) or known_first(line, self._files)
        self._path = path or self._path
        if line.strip() and not fence:
            others = set[str]() if path else files_in(line)
            is_named = any(self._path.endswith(other) for other in others)
            self._other = "" if is_named or not self._path else min(others, default="")
        said = ALL.fullmatch(line) if len(line) < 60 else None
        if said:
            self.everywhere = said["value"].casefold() in YES
        self.cursor.take_outside(Role.HEADER if path or said else Role.PROSE)

    def _add(self, number: int, old: list[str], new: list[str]) -> None:
        if old == new and any(line.strip() for line in old):
            roles = self.cursor.roles
            roles[number - 1 :] = [Role.IDLE] * (len(roles) - number + 1)
            self.idle.append(number)
        else:
            if self._other:
                raise Unread(
                    f"it is not clear whether the block of line {number} is for {self._path} or "
                    f"for {self._other}: write its PATH above it, alone in a line"
                )
            is_new = not any(line.strip() for line in old)
            lines = kept_lines([] if is_new else old, new)
            hunk = Hunk(number, lines, everywhere=self.everywhere, is_block=True)
            self.found.append(_Block(self._path, hunk, is_new, is_new and not any(new)))
        self.everywhere = False

    def _marked(self) -> tuple[list[str], list[str]]:
        """The old and the new lines between marks."""
        cursor, number = self.cursor, self.cursor.number
        line = cursor.take(Role.HEADER)
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        mark = SEARCH.fullmatch(line.strip())
        if path := path_of((mark and mark["path"]) or ""):
            self._path, self._other = path, ""
        began = cursor.at
        while not cursor.ended and not _closes(cursor.peek().removeprefix(indent).rstrip()):
            if cursor.at in self._openings and any(map(str.isalpha, cursor.peek())):
                raise Unread(f"the block of line {number} has no >>>>>>> of its own: {USAGE}")
            cursor.take(Role.BODY)
        if cursor.ended:
            raise Unread(
                f"the block of line {number} was cut off: it has no >>>>>>> REPLACE; send all of it"
            )
        body = cursor.lines[began : cursor.at]
        cursor.take(Role.HEADER)
        length = len(mark["mark"] or mark["dashes"]) if mark else 0
        found = dividers([line.removeprefix(indent) for line in body], length)
        if len(found) != 1:
            raise Unread(no_divider(found, began))
        if any(_BASE.fullmatch(line) for line in body[: found[0]]):
            raise Unread(
                f"the block of line {number} has three parts, and it is not clear which of them "
                f"the file has: {USAGE}"
            )
        cursor.roles[began + found[0]] = Role.HEADER
        return body[: found[0]], body[found[0] + 1 :]


def _closes(line: str) -> bool:
    return bool(_CLOSING.fullmatch(line) or REPLACE.fullmatch(line))
