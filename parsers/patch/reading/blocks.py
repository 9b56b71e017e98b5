"""Read blocks of old and new lines: search and replace blocks, and merge conflicts.

text    = (path | outside | block)+
block   = open old divider new close
open    = "<<<<<<< SEARCH" | "------- SEARCH" | "<<<<<<<" [path] | "<<<<<<< HEAD" (or ours)
divider = "=======";  if several, the one as long as the opening mark; 5 to 9 characters
close   = ">>>>>>>" [any word] | "+++++++ REPLACE"
path    = above the block, in the fence's info or at the mark; also used for the blocks below it

If all old lines are empty, the block creates a file. A block without a closing mark was cut off.
"""

from collections.abc import Collection, Sequence

from react_agent.parsers.patch.changes import FileChange, Hunk, Reading, Role
from react_agent.parsers.patch.line_diff import kept_lines
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.path_line import (
    labelled_path,
    looks_like_path,
    path_above,
    path_in_info,
    path_of,
)
from react_agent.parsers.text.fence import opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

USAGE = (
    "write the PATH on the first line and below it <<<<<<< SEARCH, the lines to be replaced, "
    "=======, the new lines, >>>>>>> REPLACE"
)
_OPEN = LatePattern(
    r"(?:(?P<mark><{5,9})[ \t]*(?P<word>(?i:search|original|old|before|head)\b:?>?)?"
    r"[ \t]*(?P<path>.*)"
    r"|(?P<dashes>-{5,9})[ \t]*(?i:search)\b:?>?[ \t]*)"
)
_CLOSE = LatePattern(r">{5,9}(?:[ \t]+\S.*)?|\+{5,9}[ \t]*REPLACE\b.*")
_DIVIDER = LatePattern(r"={5,9}")
_BASE = LatePattern(r"\|{5,9}(?:[ \t].*)?")
_OLD = ("search", "original", "old", "before")


def is_blocks(lines: Sequence[str]) -> bool:
    """Return whether the text contains marks that occur only in blocks."""
    return any(_openings([line.removesuffix("\r") for line in lines]).values())


def is_conflicts(lines: Sequence[str]) -> bool:
    return bool(_openings([line.removesuffix("\r") for line in lines]))


def read_blocks(lines: Sequence[str], files: Collection[str] = ()) -> Reading:
    return read(lines, lambda cursor: _changes(_Blocks(cursor, files)))


def _openings(lines: Sequence[str]) -> dict[int, bool]:
    """Return the indexes of lines that open a block, and whether each has no other meaning."""
    found, is_closed, is_replaced = dict[int, bool](), False, False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if line[:5] == ">>>>>" and _CLOSE.fullmatch(line):
            is_closed, is_replaced = True, line.lstrip(">").strip().casefold() == "replace"
        elif line[:5] in ("<<<<<", "-----") and (mark := _OPEN.fullmatch(line)):
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
    if blocks.idle and not blocks.found:
        raise Unread(
            f"the block at line {blocks.idle[0]} changes nothing: its old and new lines "
            "are the same; write the new lines as they should be"
        )
    by_path = dict[str, list[Hunk]]()
    for path, hunk in blocks.found:
        by_path.setdefault(path, []).append(hunk)
    return [_of_one(path, hunks) for path, hunks in by_path.items()], [
        f"the block at line {at} changes nothing: it was left out" for at in blocks.idle
    ]


def _of_one(path: str, hunks: Sequence[Hunk]) -> FileChange:
    for hunk in hunks:
        if not any(hunk.old) and not any(hunk.new):
            raise Unread(f"the block at line {hunk.at} is empty: write the old and the new lines")
        if not hunk.old and len(hunks) > 1:
            raise Unread(
                f"the block at line {hunk.at} has no old lines, and {path} has other "
                "blocks: quote a line next to the new ones"
            )
    return FileChange(hunks[0].at, None if path and not hunks[0].old else path, path, tuple(hunks))


class _Blocks:
    """The blocks that were read so far, and the path that applies to the next one."""

    def __init__(self, cursor: LineCursor, files: Collection[str]) -> None:
        self.cursor = cursor
        self._files = files
        self._openings = _openings(cursor.lines)
        self._path = ""
        self.found = list[tuple[str, Hunk]]()  # each hunk with its path
        self.idle = list[int]()  # the lines of blocks that change nothing

    def take(self) -> None:
        """Read a block, or a line between blocks."""
        cursor, number = self.cursor, self.cursor.number
        if cursor.at not in self._openings:
            self._take_outside()
            return
        old, new = self._marked()
        if old == new and any(line.strip() for line in old):
            cursor.roles[number - 1 :] = [Role.IDLE] * (cursor.at - number + 1)
            self.idle.append(number)
        else:
            lines = kept_lines(old if any(line.strip() for line in old) else [], new)
            hunk = Hunk(number, lines, is_block=True)
            self.found.append((self._path, hunk))

    def _take_outside(self) -> None:
        line = self.cursor.peek()
        fence = opening_fence(line)
        path = path_in_info(fence.info) if fence else path_above(line, self._files)
        self._path = path or self._path
        self.cursor.take_outside(Role.HEADER if path else Role.PROSE)

    def _marked(self) -> tuple[list[str], list[str]]:
        """Read a block and return its old and its new lines."""
        cursor, number = self.cursor, self.cursor.number
        line = cursor.take(Role.HEADER)
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        mark = _OPEN.fullmatch(line.strip())
        self._path = path_of((mark and mark["path"]) or "") or self._path
        began = cursor.at
        while not cursor.ended and not _CLOSE.fullmatch(
            cursor.peek().removeprefix(indent).rstrip()
        ):
            if cursor.at in self._openings and any(map(str.isalpha, cursor.peek())):
                raise Unread(f"the block at line {number} has no closing >>>>>>>: {USAGE}")
            cursor.take(Role.BODY)
        if cursor.ended:
            raise Unread(
                f"the block at line {number} was cut off: it has no >>>>>>> REPLACE; send all of it"
            )
        body = cursor.lines[began : cursor.at]
        cursor.take(Role.HEADER)
        length = len(mark["mark"] or mark["dashes"]) if mark else 0
        divider = _divider([line.removeprefix(indent).rstrip() for line in body], length, number)
        if any(_BASE.fullmatch(line) for line in body[:divider]):
            raise Unread(
                f"the block at line {number} has three parts, and it is not clear which of them "
                f"the file has: {USAGE}"
            )
        cursor.roles[began + divider] = Role.HEADER
        return body[:divider], body[divider + 1 :]


def _divider(body: Sequence[str], length: int, number: int) -> int:
    found = [at for at, line in enumerate(body) if _DIVIDER.fullmatch(line)]
    if len(found) > 1:
        found = [at for at in found if len(body[at]) == length]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Unread(f"the block at line {number} has no ======= divider: {USAGE}")
    numbers = ", ".join(str(number + at + 1) for at in found)
    raise Unread(
        f"in the block at line {number} any of lines {numbers} could be the divider: write its "
        "three marks with another length, the same for all of them, from 5 to 9 characters"
    )
