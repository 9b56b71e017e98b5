r"""A unified diff as models write it, cut out of what stands around it.

    text    = (prose | fence)* section+ (prose | fence)*
    section = ["diff --git " names] attribute* ["--- " name "+++ " (name hunk+ | "/dev/null" hunk*)]
    hunk    = "@@ -" start ["," count] " +" start ["," count] " @@" line+
    line    = (" " | "+" | "-" | "\") text | ""

Counts are not believed but counted; only where more lines were announced than came is it noted, as
the text may have been cut off there. Nothing that could be a change is left unread.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.diff import Diff, FilePatch, Hunk
from react_agent.parsers.diff_formats import other_format
from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.git_name import read_name
from react_agent.parsers.unreadable import Unreadable

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_ATTRIBUTE = re.compile(
    r"(?:index|old mode|new mode|new file mode|deleted file mode|rename from|rename to"
    r"|copy from|copy to|similarity index|dissimilarity index) .+"
)
_BOTH_NAMES = re.compile(r"diff --git a/(?P<name>.+) b/(?P=name)")
_MARKS = ("", " ", "+", "-", "\\")
_SHOWN = 60  # characters of a line that is quoted
_UNIFIED = "--- a/PATH, +++ b/PATH and hunks that begin with @@ -START,COUNT +START,COUNT @@"


class _Unreadable(Exception):
    """Ends the reading of a diff; never leaves this module."""


def parse_diff(text: str) -> Diff | Unreadable:
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    try:
        files = tuple(file for block in _blocks(lines) for file in _sections(block))
        _refuse_drafts(files)
    except _Unreadable as error:
        return Unreadable(str(error))
    return Diff(files)


def _refuse_drafts(files: Sequence[FilePatch]) -> None:
    """A model that thinks again writes a second diff: which one it means is not ours to guess."""
    seen = set[str]()
    for file in files:
        if again := sorted(seen.intersection(file.names)):
            raise _Unreadable(
                f"{again[0]} is changed twice: send the final diff only, with all hunks of a file "
                "below one pair of --- and +++ lines"
            )
        seen.update(file.names)


@dataclass(slots=True)
class _Lines:
    """A cursor over some lines of the text."""

    lines: list[str]
    at: int
    end: int

    @property
    def ended(self) -> bool:
        return self.at >= self.end

    def peek(self, ahead: int = 0) -> str:
        return self.lines[self.at + ahead] if self.at + ahead < self.end else ""

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def error(self, expected: str) -> _Unreadable:
        if self.ended:
            return _Unreadable(f"the diff was cut off: it ends where {expected} should stand")
        found = self.peek()
        shown = found if len(found) <= _SHOWN else found[:_SHOWN] + "..."
        return _Unreadable(f"line {self.at + 1} of the diff: expected {expected}, found {shown!r}")


def _blocks(lines: list[str]) -> list[_Lines]:
    """All from the first section on; where it stands in a fence, what the fences hold."""
    blocks, cursor = list[_Lines](), _Lines(lines, 0, len(lines))
    while not cursor.ended:
        if _begins_section(cursor):
            return [*blocks, cursor]
        fence = opening_fence(cursor.take())
        if fence:
            blocks += _fenced(cursor, fence)
    if not blocks:
        raise _no_diff(lines)
    return blocks


def _no_diff(lines: list[str]) -> _Unreadable:
    if other := other_format(lines):
        return _Unreadable(f"this is {other}, which is not read: write a unified diff, {_UNIFIED}")
    return _Unreadable(f"there is no diff: write {_UNIFIED}")


def _fenced(cursor: _Lines, fence: Fence) -> list[_Lines]:
    start = cursor.at
    while not cursor.ended and not _closes(fence, cursor.peek()):
        cursor.take()
    heads = (_Lines(cursor.lines, at, cursor.at) for at in range(start, cursor.at))
    holds_diff = any(_begins_section(head) for head in heads)
    if holds_diff and cursor.ended:
        raise cursor.error("the end of the fence")
    block = _Lines(cursor.lines, start, cursor.at)
    if not cursor.ended:
        cursor.take()
    return [block] if holds_diff else []


def _closes(fence: Fence, line: str) -> bool:
    """A fence in a line of the diff has a mark before it."""
    return line[:1] not in (" ", "+", "-") and fence.is_closed_by(line)


def _begins_section(lines: _Lines) -> bool:
    if lines.peek().startswith("diff --git "):
        return True
    return lines.peek().startswith("--- ") and lines.peek(1).startswith("+++ ")


def _sections(lines: _Lines) -> list[FilePatch]:
    files = list[FilePatch]()
    while not lines.ended:
        if _begins_section(lines):
            files.append(_section(lines))
        elif lines.peek().startswith(("+", "-", "@@", "GIT binary patch")):
            raise lines.error("the --- and +++ lines of a file, or nothing more")
        else:
            lines.take()
    return files


def _section(lines: _Lines) -> FilePatch:
    both = _BOTH_NAMES.fullmatch(lines.take()) if lines.peek().startswith("diff --git ") else None
    attributes = tuple(_attributes(lines))
    if not lines.peek().startswith("--- "):
        return _without_hunks(lines, both["name"] if both else None, attributes)
    old = _name(lines.take().removeprefix("--- "), "a/")
    if not lines.peek().startswith("+++ "):
        raise lines.error("a +++ line")
    new = _name(lines.take().removeprefix("+++ "), "b/")
    if old and new and old != new and not _said(attributes, "rename to", "copy to"):
        raise _Unreadable(
            f"the --- and +++ lines name two files, {old} and {new}: to rename a file, write "
            f"rename from {old} and rename to {new} below a diff --git line"
        )
    hunks = () if old and not new and _ends_section(lines) else tuple(_hunks(lines))
    return FilePatch(old, new, hunks, attributes)


def _ends_section(lines: _Lines) -> bool:
    """A deletion may do without hunks, but what looks like a part of one must be one."""
    return _begins_section(lines) or not lines.peek().startswith(("+", "-", "@@"))


def _attributes(lines: _Lines) -> Iterator[str]:
    while _ATTRIBUTE.fullmatch(lines.peek()):
        line = lines.take()
        if not line.startswith("index "):
            yield line


def _without_hunks(lines: _Lines, both: str | None, attributes: tuple[str, ...]) -> FilePatch:
    """A file that is renamed, given another mode, or is empty before or after."""
    old = _said(attributes, "rename from", "copy from") or both
    new = _said(attributes, "rename to", "copy to") or both
    if not attributes or not old or not new:
        raise lines.error("a --- line")
    return FilePatch(
        None if _said(attributes, "new file mode") else read_name(old),
        None if _said(attributes, "deleted file mode") else read_name(new),
        (),
        attributes,
    )


def _said(attributes: tuple[str, ...], *keys: str) -> str | None:
    for line in attributes:
        for key in keys:
            if line.startswith(f"{key} "):
                return line.removeprefix(f"{key} ")
    return None


def _name(text: str, prefix: str) -> str | None:
    name = read_name(text.split("\t")[0].strip())
    return None if name == "/dev/null" else name.removeprefix(prefix)


def _hunks(lines: _Lines) -> Iterator[Hunk]:
    if not lines.peek().startswith("@@"):
        raise lines.error("a hunk that begins with @@")
    while lines.peek().startswith("@@"):
        yield _hunk(lines)


def _hunk(lines: _Lines) -> Hunk:
    header = _HUNK.match(lines.peek())
    if not header:
        raise lines.error("@@ -START,COUNT +START,COUNT @@ with numbers")
    lines.take()
    at, body = lines.at, list[str]()
    while not lines.ended and lines.peek()[:1] in _MARKS and not _begins_section(lines):
        body.append(lines.take())
    old_start, old_count, new_start, new_count = (int(each or 1) for each in header.groups())
    hunk = Hunk(at, old_start, new_start, tuple(body))
    lacking = (old_count - len(hunk.old), new_count - len(hunk.new))
    if not body or (max(lacking) > 0 and not lines.ended and not _goes_on(lines)):
        raise lines.error("a line that begins with a space, + or -")
    return replace(
        hunk,
        missing=max(lacking[0], 0) if lacking[0] == lacking[1] else 0,
        # a count that is off by one is a slip; models make it in every other patch
        cut_off=min(lacking) > 1 and lines.ended and body[-1][:1] in ("+", "-"),
    )


def _goes_on(lines: _Lines) -> bool:
    line = lines.peek()
    return line.startswith("@@") or _begins_section(lines) or opening_fence(line) is not None
