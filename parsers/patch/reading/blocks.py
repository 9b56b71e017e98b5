r"""Blocks of old and new lines: search and replace, tags, and the marks of a conflict.

text     = (path | "replace all: yes" | outside | block | conflict)+
block    = open old divider new close                  (block_marks.py)
         | "<search>" old "</search>" "<replace>" new "</replace>"       or old_str and new_str
open     = "<<<<<<< SEARCH" | "------- SEARCH" | "<<<<<<<" [path]
         | "<<<<<<< HEAD" where the close is ">>>>>>> REPLACE"
close    = ">>>>>>> REPLACE" | ">>>>>>>" [the path at the open]
conflict = "<<<<<<< HEAD" (ours, a branch ...) old divider new ">>>>>>>" any other word
         | fence context* (conflict context*)+ fence
path     = above the block, in the fence's info, at the mark; it holds for the blocks below it

Old lines that are all empty: the file is new. A block without its close was cut off. A conflict
has in its old part what the file holds.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from enum import Enum, auto
from typing import NamedTuple

from react_agent.parsers.block_marks import ALL, REPLACE, SEARCH, USAGE, YES, dividers, no_divider
from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.labelled_path import labelled_path, looks_like_path
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.kept_lines import kept_lines
from react_agent.parsers.patch.reading.path_line import (
    files_in,
    known_first,
    path_above,
    path_in_comment,
    path_in_info,
    path_of,
)

_CLOSING = LatePattern(r">{5,9}(?:[ \t]+(?P<word>\S.*)?)?")
_BASE = LatePattern(r"\|{5,9}(?:[ \t].*)?")
_OLD_TAG = LatePattern(r"[ \t]*<(?P<name>search|old_str)>(?P<rest>.*)")
_NEW_TAG = LatePattern(r"[ \t]*<(?P<name>replace|new_str)>(?P<rest>.*)")
_OLD = ("search", "original", "old", "before")
_OURS = ("head", "ours", "current", "mine", "local", "main", "master", "base")
_THEIRS = ("theirs", "incoming", "updated")


class _Kind(Enum):
    BLOCK = auto()
    CONFLICT = auto()


class _Block(NamedTuple):
    path: str
    hunk: Hunk
    is_new: bool  # nothing to look for
    is_empty: bool


def is_blocks(lines: Sequence[str]) -> bool:
    lines = [line.removesuffix("\r") for line in lines]
    return _Kind.BLOCK in _regions(lines).values() or any(map(_OLD_TAG.fullmatch, lines))


def is_conflicts(lines: Sequence[str]) -> bool:
    return bool(_regions([line.removesuffix("\r") for line in lines]))


def read_blocks(lines: Sequence[str], files: Collection[str] = ()) -> Reading:
    """A line that begins with one of the files names it, whatever comes after it."""

    def rule(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
        return _changes(_Blocks(cursor, files))

    return read(lines, rule)


def _regions(lines: Sequence[str]) -> dict[int, _Kind]:
    """The lines that open a block or a conflict, counted from 0."""
    found, closing = dict[int, _Kind](), ""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if line[:5] == ">>>>>" and _CLOSING.fullmatch(line):
            closing = line
        elif line[:5] in ("<<<<<", "-----") and (kind := _kind(lines[at].rstrip(), closing)):
            found[at] = kind
    return found


def _kind(line: str, closing: str) -> _Kind | None:
    mark = SEARCH.fullmatch(line.lstrip(" \t"))
    if not mark:
        return None
    word, path = (mark["word"] or "").casefold().rstrip(":>"), mark["path"] or ""
    if mark["dashes"] or word in _OLD:
        return _Kind.BLOCK
    if line[:1] != "<":
        return None  # an indented one needs a word that tells what it is
    if not (word or path) or (not word and looks_like_path(labelled_path(path))):
        return _Kind.BLOCK
    is_apart = bool(word) or line.lstrip("<")[:1] in (" ", "\t")
    return _by_closing(f"{word}:{path}".strip(":").casefold(), closing) if is_apart else None


def _by_closing(said: str, closing: str) -> _Kind | None:
    words = closing.lstrip(">").strip().casefold()
    if words and not words.startswith(_THEIRS) and REPLACE.fullmatch(closing):
        return _Kind.BLOCK
    is_ours = said.partition(":")[0].split()[0] in _OURS
    return _Kind.CONFLICT if is_ours or closing else None


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
        self._regions = _regions(cursor.lines)
        self._opening = sorted(self._regions)
        self._closing = [at for at, line in enumerate(cursor.lines) if _CLOSING.fullmatch(line)]
        self._path = ""
        self._is_named = False  # by the line above
        self._other = ""  # another file that the line above names, in more words
        self.everywhere = False
        self.found = list[_Block]()
        self.idle = list[int]()  # the lines of blocks that change nothing

    def take(self) -> None:
        """A block, or a line between them."""
        cursor, number = self.cursor, self.cursor.number
        if kind := self._regions.get(cursor.at):
            old, new = self._region(kind)
            if kind is _Kind.BLOCK:
                self._add(number, old, new)
            else:
                self._add_lines(number, kept_lines(old, new))
        elif "<" in cursor.peek() and _OLD_TAG.fullmatch(cursor.peek()):
            self._add(number, *_tagged_pair(cursor))
        elif (fence := opening_fence(cursor.peek())) and (end := self._end_of(fence)) is not None:
            if path := path_in_info(fence.info):
                self._path, self._is_named = path, True
            self._fenced(end)
        else:
            self._take_outside()

    def _take_outside(self) -> None:
        line = self.cursor.peek()
        fence = opening_fence(line)
        path = self._path_in(line, fence)
        self._path = path or self._path
        if path or (line.strip() and not fence):
            self._is_named = bool(path)
        if line.strip() and not fence:
            others = set[str]() if path else files_in(line)
            is_named = any(self._path.endswith(other) for other in others)
            self._other = "" if is_named or not self._path else min(others, default="")
        said = ALL.fullmatch(line) if len(line) < 60 else None
        if said:
            self.everywhere = said["value"].casefold() in YES
        self.cursor.take_outside(Role.HEADER if path or said else Role.PROSE)

    def _path_in(self, line: str, fence: Fence | None) -> str:
        if fence:
            return path_in_info(fence.info)
        return path_above(line) or known_first(line, self._files)

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

    def _add_lines(self, number: int, lines: Sequence[Line]) -> None:
        """Of a conflict: what it quotes has to be lines of the file."""
        if all(line.mark == "+" for line in lines):
            raise Unread(
                f"the region of line {number} has nothing to stand beside: put unchanged lines of "
                "the file around it, within the fence"
            )
        self.found.append(_Block(self._path, Hunk(number, tuple(lines)), False, False))
        self._is_named = False

    def _region(self, kind: _Kind) -> tuple[list[str], list[str]]:
        """The old and the new lines between marks."""
        cursor, number = self.cursor, self.cursor.number
        line = cursor.take(Role.HEADER)
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        mark = SEARCH.fullmatch(line.strip())
        at_mark = (mark and mark["path"]) or ""
        if path := path_of(at_mark):
            self._path, self._other = path, ""
        began = cursor.at
        while not cursor.ended and not _closes(kind, cursor.peek(), indent, at_mark):
            if self._regions.get(cursor.at) and any(map(str.isalpha, cursor.peek())):
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
        cursor.roles[began + found[0]] = Role.HEADER
        old = body[: found[0]]
        if kind is _Kind.CONFLICT and any(_BASE.fullmatch(line) for line in old):
            raise Unread(
                f"the region of line {number} has three parts, and it is not clear which of them "
                "the file has: write a search/replace block or a unified diff"
            )
        return old, body[found[0] + 1 :]

    def _end_of(self, fence: Fence) -> int | None:
        """The line that closes it, if it holds a conflict; what a conflict holds closes nothing."""
        lines, at, holds = self.cursor.lines, self.cursor.at + 1, False
        place = bisect_left(self._opening, at)
        if place == len(self._opening) or self._regions[self._opening[place]] is _Kind.BLOCK:
            return None
        while at < len(lines) and not fence.is_closed_by(lines[at]):
            kind = self._regions.get(at)
            if kind is _Kind.BLOCK:
                raise Unread(f"line {at + 1} opens a block beside a conflict in one fence: {USAGE}")
            if kind:
                holds = True
                place = bisect_left(self._closing, at)
                at = self._closing[place] if place < len(self._closing) else at
            at += 1
        if holds and at == len(lines):
            raise Unread(
                f"the fence of line {self.cursor.number} was cut off: it is never closed; send "
                "all of it"
            )
        return at if holds else None

    def _fenced(self, end: int) -> None:
        """Conflicts in a fence, with what is around them there as context."""
        cursor = self.cursor
        cursor.take(Role.FENCE)
        path = "" if self._is_named else path_in_comment(cursor.peek()) or path_of(cursor.peek())
        if path:
            self._path = path
            cursor.take(Role.HEADER)
        number, lines = cursor.number, list[Line]()
        while cursor.at < end:
            if cursor.at in self._regions:
                lines += kept_lines(*self._region(_Kind.CONFLICT))
            else:
                lines.append(Line(" ", cursor.take(Role.BODY)))
        cursor.take(Role.FENCE)
        self._add_lines(number, _without_empty_ends(lines))


def _closes(kind: _Kind, line: str, indent: str, at_mark: str) -> bool:
    bare = line.removeprefix(indent).rstrip()
    found = _CLOSING.fullmatch(bare)
    if kind is _Kind.CONFLICT:
        return found is not None
    is_same = found is not None and found["word"] is not None and found["word"] == at_mark.strip()
    return is_same or REPLACE.fullmatch(bare) is not None


def _without_empty_ends(lines: list[Line]) -> list[Line]:
    """Within a fence they are there for the looks."""
    first, last = 0, len(lines)
    while first < last and lines[first].mark == " " and not lines[first].text.strip():
        first += 1
    while last > first and lines[last - 1].mark == " " and not lines[last - 1].text.strip():
        last -= 1
    return lines[first:last]


def _tagged_pair(cursor: LineCursor) -> tuple[list[str], list[str]]:
    number = cursor.number
    old = _tagged(cursor, _OLD_TAG, number)
    while not cursor.ended and not cursor.peek().strip():
        cursor.take(Role.BLANK)
    if not _NEW_TAG.fullmatch(cursor.peek()):
        raise Unread(f"the block of line {number} has old lines only: write <replace> below them")
    return old, _tagged(cursor, _NEW_TAG, number)


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
