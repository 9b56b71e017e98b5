r"""Whole files: each comes complete, or not at all.

part = [path line] fence lines fence
path = in the fence's info | in the line above it | in a comment that is its first line

A fence of a shell or of its output is a file only where its ending or the fence itself tells so;
one that holds a change in another format is none. A line that is a comment with dots, or dots
alone, stands for lines that were left out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.path_line import (
    has_ending,
    path_in_comment,
    path_in_info,
    path_of,
)
from react_agent.parsers.text.fence import Fence, follow, opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_TERMINAL = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "fish"), ("sh", "bash", "zsh", "fish")),
    **dict.fromkeys(("text", "txt", "plaintext"), ("txt", "md", "rst", "in", "cfg", "lock")),
    **dict.fromkeys(("console", "shell-session", "output", "log", "terminal", "powershell"), ()),
    **dict.fromkeys(("diff", "patch", "udiff"), ()),
}
_RANGE = LatePattern(r"(?:\w+[ \t]+)?\d+:\d+:")
_OTHER = LatePattern(
    r"@@ |@@$|\*\*\* (?:Begin|Update|Add|Delete)\b|<{5,9}(?: ?[A-Za-z].*)?$|-{5,9} ?SEARCH\b"
    r"|diff --git |[ \t]*<(?:search|old_str)>"
)
_SHOWN = 60  # characters of a line that is quoted
_MARKDOWN = ("md", "markdown", "mdx", "rst", "txt")


class FilePart(NamedTuple):
    path: str
    start: int  # its opening fence, counted from 0
    end: int  # its last one
    named_at: int  # the line that names its path
    indent: int = 0
    is_closed: bool = True

    @property
    def first(self) -> int:
        """The first line of the file."""
        return self.start + (2 if self.named_at == self.start + 1 else 1)


def is_whole(lines: Sequence[str]) -> bool:
    return any(True for _ in file_parts([line.removesuffix("\r") for line in lines]))


def read_whole(lines: Sequence[str]) -> Reading:
    return read(lines, _files)


def file_parts(lines: Sequence[str]) -> Iterator[FilePart]:
    at, above = 0, -1
    while at < len(lines):
        fence = opening_fence(lines[at])
        if fence is None:
            above = at if lines[at].strip() else above
            at += 1
            continue
        part = _part(fence, lines, at, above)
        if part.path:
            yield part
        at, above = part.end + 1, -1


def _part(fence: Fence, lines: Sequence[str], at: int, above: int) -> FilePart:
    """The fence that opens at that line; one that holds no file has no path."""
    end = _end_of(fence, lines, at)
    last = len(lines) - 1 if end is None else end
    path, named_at = _path(fence, lines, at, above)
    if not _may_be_file(fence, path, named_at == at) or _holds_other(lines[at + 1 : last]):
        path = ""
    return FilePart(path, at, last, named_at, fence.indent, end is not None)


def _end_of(fence: Fence, lines: Sequence[str], at: int) -> int | None:
    open_ones = [fence]
    for end in range(at + 1, len(lines)):
        follow(lines[end], open_ones)
        if not open_ones:
            return end
    return None


def _path(fence: Fence, lines: Sequence[str], at: int, above: int) -> tuple[str, int]:
    if _RANGE.match(fence.info):
        return "", at
    if path := path_in_info(fence.info):
        return path, at
    written = lines[above] if above >= 0 else ""
    path = path_of(written)
    if path and (has_ending(path) or "file" in written.casefold()):
        return path, above
    first = lines[at + 1] if at + 1 < len(lines) else ""
    path = path_in_comment(first)
    return (path, at + 1) if path and has_ending(path) else ("", at)


def _may_be_file(fence: Fence, path: str, is_in_info: bool) -> bool:
    language = fence.info.split()[0].casefold().strip("{}.") if fence.info else ""
    if language not in _TERMINAL:
        return True
    endings = _TERMINAL[language]
    return bool(endings) and (is_in_info or path.rpartition(".")[2].casefold() in endings)


def _holds_other(lines: Sequence[str]) -> bool:
    """A change in another format: nothing else begins its lines so."""
    for at, line in enumerate(lines):
        if line.startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ "):
            return True
        if line.lstrip()[:1] in ("@", "*", "<", "-", "d") and _OTHER.match(line):
            return True
    return False


def _files(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    changes, repairs = dict[str, FileChange](), list[str]()
    parts = list(file_parts(cursor.lines))
    ends = [part.start for part in parts[1:]] + [len(cursor.lines)]
    for part, until in zip(parts, ends, strict=False):
        change = _file(cursor, part, until)
        if other := changes.get(part.path):
            raise Unread(
                f"{part.path} came twice, in lines {other.at} and {change.at}: send the final one "
                "only"
            )
        changes[part.path] = change
        if part.named_at == part.start + 1:
            shown = cursor.lines[part.named_at].strip()[:_SHOWN]
            repairs.append(f"`{shown}`, the first line of its fence, was read as a path only")
    if not changes:
        raise Unread("there is no whole file: write its path, and below it a fence with all of it")
    return list(changes.values()), repairs


def _file(cursor: LineCursor, part: FilePart, until: int) -> FileChange:
    while cursor.at < part.start:
        is_path = cursor.at == part.named_at
        cursor.take_outside(Role.HEADER if is_path else Role.PROSE)
    number = cursor.number
    _refuse(cursor.lines, part, until)
    cursor.take(Role.FENCE)
    if part.first > cursor.at:
        cursor.take(Role.HEADER)
    spaces = " " * part.indent
    body = [
        line.removeprefix(spaces) if line.startswith(spaces) else line.lstrip(" ")
        for line in cursor.take_to(part.end, Role.BODY)
    ]
    cursor.take_to(part.end + 1, Role.FENCE)
    return FileChange(number, part.path, part.path, whole=tuple(body))


def _refuse(lines: Sequence[str], part: FilePart, until: int) -> None:
    number = part.start + 1
    if not part.is_closed:
        raise Unread(
            f"{part.path}, from line {number} on, was cut off: what opens there is never closed; "
            "send all of the file"
        )
    found = elision_in(lines[part.first : part.end], part.path)
    if found is not None:
        shown = lines[part.first + found].strip()[:_SHOWN]
        raise Unread(
            f"line {part.first + found + 1}, `{shown}`, stands for lines of {part.path} that were "
            "left out: write all of the file, or a diff of what changes"
        )
    if part.path.rpartition(".")[2].casefold() in _MARKDOWN and _goes_on(lines[part.end : until]):
        raise Unread(
            f"it is not clear where {part.path}, from line {number} on, ends, because of the "
            "fences in it: put four backticks around the file"
        )


def _goes_on(lines: Sequence[str]) -> bool:
    """A fence without a language below may be one of the file, which the first of them closed."""
    fences = [fence for fence in map(opening_fence, lines[1:]) if fence]
    return bool(fences) and not fences[0].info


_COMMENT = LatePattern(r"[ \t]*(?:#+|//+|/\*+|<!--|--+|;+|%+|\"{3}|'{3}|\{/\*)[ \t]*(?P<text>.*)")
_COMMENT_END = LatePattern(r"(?<![ \t])[ \t]*+(?:(?:\*+/\}?|-->|\"{3}|'{3})[ \t]*+)?$")
_ONLY_DOTS = LatePattern(r"[\[(]?(?:\.{3,}|…)[\])]?")
_OMITS = LatePattern(
    r"\b(?:exist|rest\b|remain|unchanged|same\b|omitted|no change)",
    re.IGNORECASE,
)
_LEFT_OUT = LatePattern(
    r"(?i:(?:\.{3,}|…)\W*(?:(?:the|all|other|your|code) )?"
    r"(?:exist\w*|rest|remain\w*|unchanged|same|omitted)\b.*"
    r"|(?:the )?(?:existing|remaining|rest of)\b.{0,60}(?:\.{3,}|…))"
)
_FILLING = LatePattern(
    r"(?:\W*\b(?:the|of|your|all|and|is|are|here|as|before|above|below|stays?|code|file|contents?"
    r"|class|functions?|methods?|imports|implementation|tests|logic|body|module|existing|rest"
    r"|remain(?:der|ing|s)?|unchanged|same|previous|other|omitted|no|changes?)\b)+\W*",
    re.IGNORECASE,
)
_STUBS = ("py", "pyi", "pyx", "ipynb")
_LONGEST = 200
_TEXTS = (*_MARKDOWN, "yml", "yaml")


def elision_in(lines: Sequence[str], path: str) -> int | None:
    """The first line that stands for others, counted from 0."""
    ending, before = path.rpartition(".")[2].casefold(), ""
    for at, line in enumerate(lines):
        bare = line.strip()
        if _ONLY_DOTS.fullmatch(bare):
            if not _mean_something(line, before, ending):
                return at
        elif len(line) <= _LONGEST and _is_elision(bare):
            return at
        before = bare or before
    return None


def _mean_something(line: str, before: str, ending: str) -> bool:
    """Dots that are a body that does nothing, a line of a doctest, the end of YAML."""
    if ending in _TEXTS or before.startswith((">>>", "...")):
        return True
    is_body = before.endswith((":", '"""', "'''")) or before.startswith("@")
    return ending in _STUBS and line[:1] in (" ", "\t") and is_body


def _is_elision(bare: str) -> bool:
    """A comment or brackets: dots alone, dots beside words that omit, or only such words."""
    found = _COMMENT.match(bare)
    has_dots = "..." in bare or "…" in bare
    if not found:
        return has_dots and bare[0] in "[(<{.…" and _OMITS.search(bare) is not None
    text = _COMMENT_END.sub("", found["text"]).strip()
    omits, fills = _OMITS.search(text), _FILLING.fullmatch(text)
    if has_dots:
        return bool(_ONLY_DOTS.fullmatch(text) or omits or fills)
    return bool(omits and fills)


def stands_for_others(line: str) -> bool:
    """A comment of dots and words that a diff has no use for, whatever else comments mean."""
    found = _COMMENT.match(line) if len(line) <= _LONGEST else None
    text = _COMMENT_END.sub("", found["text"]).strip(" \t[](){}<>") if found else ""
    return _LEFT_OUT.fullmatch(text) is not None
