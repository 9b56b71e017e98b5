"""Read whole files. Each file must be complete.

part = [path line] fence lines fence
path = in the fence's info | in the line above it

A fence with shell commands or their output is a file only if the file's extension or the fence says
so. A fence with a change in another format is not a file. A line of dots, or a comment with dots,
stands for omitted lines.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, is_change, read
from react_agent.parsers.patch.reading.path_line import has_ending, path_in_info, path_of
from react_agent.parsers.text.fence import Fence, blocks, opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_TEXTS = ("bash", "sh", "shell", "zsh", "fish", "text", "txt", "plaintext")
_ENDINGS = (".sh", ".bash", ".zsh", ".fish", ".txt", ".md", ".rst", ".in", ".cfg", ".lock")
_NO_FILES = ("console", "shell-session", "output", "log", "terminal", "diff", "patch", "udiff")
_SHOWN = 60  # characters of a quoted line
_MARKDOWN = ("md", "markdown", "mdx", "rst", "txt")


class FilePart(NamedTuple):
    path: str
    start: int  # its opening fence, counted from 0
    end: int  # its closing fence, or the end of the text
    named_at: int  # the line that names its path
    indent: int
    is_closed: bool


def is_whole(lines: Sequence[str]) -> bool:
    return any(True for _ in file_parts([line.removesuffix("\r") for line in lines]))


def read_whole(lines: Sequence[str]) -> Reading:
    return read(lines, _files)


def file_parts(lines: Sequence[str]) -> Iterator[FilePart]:
    below = 0  # the line after the last fence
    for fence, at, end in blocks([*lines]):
        above = next((n for n in range(at - 1, below - 1, -1) if lines[n].strip()), -1)
        path, named_at = _path(fence, lines, at, above)
        if (
            path
            and _may_be_file(fence, path, named_at == at)
            and not any(is_change(lines, inner) for inner in range(at + 1, end))
        ):
            yield FilePart(path, at, end, named_at, fence.indent, end < len(lines))
        below = end + 1


def _path(fence: Fence, lines: Sequence[str], at: int, above: int) -> tuple[str, int]:
    if path := path_in_info(fence.info):
        return path, at
    written = lines[above] if above >= 0 else ""
    path = path_of(written)
    return (path if has_ending(path) or "file" in written.casefold() else ""), above


def _may_be_file(fence: Fence, path: str, is_in_info: bool) -> bool:
    language = fence.info.split()[0].casefold().strip("{}.") if fence.info else ""
    is_text = is_in_info or path.endswith(_ENDINGS)
    return language not in _NO_FILES and (language not in _TEXTS or is_text)


def _files(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    changes = list[FileChange]()
    parts = list(file_parts(cursor.lines))
    ends = [part.start for part in parts[1:]] + [len(cursor.lines)]
    for part, until in zip(parts, ends, strict=False):
        _refuse(cursor.lines, part, until)
        changes.append(_file(cursor, part))
    return changes, []


def _file(cursor: LineCursor, part: FilePart) -> FileChange:
    while cursor.at < part.start:
        cursor.take_outside(Role.HEADER if cursor.at == part.named_at else Role.PROSE)
    number = cursor.number
    cursor.take(Role.FENCE)
    spaces = " " * part.indent
    body = [
        line.removeprefix(spaces) if line.startswith(spaces) else line.lstrip(" ")
        for line in cursor.take_to(part.end, Role.BODY)
    ]
    cursor.take_to(part.end + 1, Role.FENCE)
    return FileChange(number, part.path, part.path, whole=tuple(body))


def _refuse(lines: Sequence[str], part: FilePart, until: int) -> None:
    number, ending = part.start + 1, part.path.rpartition(".")[2].casefold()
    if not part.is_closed:
        raise Unread(
            f"{part.path}, from line {number} on, was cut off: the fence that opens there is never "
            "closed; send all of the file"
        )
    before = ""
    for at in range(part.start + 1, part.end):
        line = lines[at].strip()
        if is_elision(line) and not (_means_dots(lines[at], before, ending)):
            raise Unread(
                f"line {at + 1}, `{line[:_SHOWN]}`, stands for lines of {part.path} that were left "
                "out: write the whole file, or a diff of the changes"
            )
        before = line or before
    below = [fence for fence in map(opening_fence, lines[part.end + 1 : until]) if fence]
    if ending in _MARKDOWN and below and not below[0].info:  # that fence may be a part of the file
        raise Unread(
            f"it is not clear where {part.path}, from line {number} on, ends: there are fences "
            "in it; put four backticks around the file"
        )


_COMMENT = LatePattern(
    r"(?:(?P<mark>#+|//+|/\*+|<!--|--+|;+|%+|\"{3}|'{3}|\{/\*)|(?=[\[(<{.…]))[ \t]*(?P<text>.*)"
)
_AROUND = " \t[](){}<>*/-\"'"
_DOTS = LatePattern(r"\.{3,}|…")
_OMITS = LatePattern(
    r"\W*(?:(?:the|all|your|code|other)\s+)*"
    r"(?:exist\w*|rest|remain\w*|unchanged|same|omitted|other)\b",
    re.IGNORECASE,
)
_IS_KEPT = LatePattern(r"\b(?:code|unchanged|here|omitted|(?:the )?same)$", re.IGNORECASE)
_STUBS = ("py", "pyi", "pyx", "ipynb")
_LONGEST = 200


def is_elision(line: str) -> bool:
    """Return whether a line stands for omitted lines: only dots, or a comment with dots."""
    found = _COMMENT.fullmatch(line) if len(line) <= _LONGEST else None
    if not found:
        return False
    text = found["text"].strip(_AROUND)
    words = _DOTS.sub("", text).strip(_AROUND)
    if words == text:
        return bool(found["mark"] and _OMITS.match(words) and _IS_KEPT.search(words))
    is_apart = bool(_DOTS.match(text)) or words == text.rstrip(".…" + _AROUND)
    return not words or (is_apart and _OMITS.match(words) is not None)


def _means_dots(line: str, before: str, ending: str) -> bool:
    """Return whether a line of dots is literal: an empty body, a doctest or the end of YAML."""
    if _DOTS.sub("", line).strip(" \t[]()"):
        return False
    if ending in (*_MARKDOWN, "yml", "yaml") or before.startswith((">>>", "...")):
        return True
    is_body = before.endswith((":", '"""', "'''")) or before.startswith("@")
    return ending in _STUBS and line[:1] in (" ", "\t") and is_body
