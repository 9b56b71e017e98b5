"""Where a text holds whole files: a fence or a pair of tags with a path.

part = [path line] fence lines fence | "<file path=...>" lines "</file>"
     | path line "<content>" lines "</content>"
path = in the fence's info | in the line above it | in a comment that is its first line

A fence of a shell or of its output is a file only where its ending or the fence itself says so; one
that holds a change in another format is none.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.fence import Fence, follow, opening_fence
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.path_line import (
    has_ending,
    path_in_comment,
    path_in_info,
    path_in_tag,
    path_of,
)

_TERMINAL = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "fish"), ("sh", "bash", "zsh", "fish")),
    **dict.fromkeys(("text", "txt", "plaintext"), ("txt", "md", "rst", "in", "cfg", "lock")),
    **dict.fromkeys(("console", "shell-session", "output", "log", "terminal", "powershell"), ()),
    **dict.fromkeys(("diff", "patch", "udiff"), ()),
}
_RANGE = LatePattern(r"(?:\w+[ \t]+)?\d+:\d+:")
_OPENING_TAG = LatePattern(r"[ \t]*<(?P<name>[a-z_]+)(?:[ \t][^<>]*)?>[ \t]*")
_CONTENT = LatePattern(r"[ \t]*<(?:contents?|file_contents?|file_text|code|source)>[ \t]*")
_OTHER = LatePattern(
    r"@@ |@@$|\*\*\* (?:Begin|Update|Add|Delete)\b|<{5,9}(?: ?[A-Za-z].*)?$|-{5,9} ?SEARCH\b"
    r"|diff --git |[ \t]*<(?:search|old|find|original|old_str|old_string|old_text)>"
)


class FilePart(NamedTuple):
    path: str
    start: int  # its first line, counted from 0: the opening fence or tag
    end: int  # its last one
    named_at: int  # the line that says its path
    indent: int = 0
    is_closed: bool = True

    @property
    def first(self) -> int:
        """The first line of the file."""
        return self.start + (2 if self.named_at == self.start + 1 else 1)


def file_parts(lines: Sequence[str]) -> Iterator[FilePart]:
    at, above, skipped = 0, -1, -1
    while at < len(lines):
        part = None if at == skipped else _part(lines, at, above)
        if part is None:
            above = at if lines[at].strip() else above
        elif part.path:
            yield part
        elif part.is_closed and any(map(path_in_tag, lines[at + 1 : part.end])):
            skipped, part = part.end, None  # it holds tags that are parts
        if part is not None:
            above = -1
        at = part.end + 1 if part else at + 1


def _part(lines: Sequence[str], at: int, above: int) -> FilePart | None:
    """What begins at that line; a fence without a path too."""
    line = lines[at]
    bare = line.lstrip()[:1]
    if bare == "<":
        return _tagged(lines, at, above)
    fence = opening_fence(line) if bare in ("`", "~") else None
    if not fence:
        return None
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
    if above >= 0 and (path := path_of(lines[above])) and _is_file(path, lines[above]):
        return path, above
    first = lines[at + 1] if at + 1 < len(lines) else ""
    path = path_in_comment(first)
    return (path, at + 1) if path and has_ending(path) else ("", at)


def _is_file(path: str, line: str) -> bool:
    return has_ending(path) or "file" in line.casefold() or bool(path_in_tag(line))


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


def _tagged(lines: Sequence[str], at: int, above: int) -> FilePart | None:
    opened = _OPENING_TAG.fullmatch(lines[at])
    if not opened:
        return None
    path, named_at = path_in_tag(lines[at]), at
    if not path and _CONTENT.fullmatch(lines[at]) and above >= 0:
        path, named_at = path_of(lines[above]), above
    if not path:
        return None
    is_closed, last = _end_of_tag(opened["name"], lines, at)
    if _holds_other(lines[at + 1 : last]):
        return None
    return FilePart(path, at, last, named_at, 0, is_closed)


def _end_of_tag(name: str, lines: Sequence[str], at: int) -> tuple[bool, int]:
    """Whether it is closed, and where; another one with a path ends the search."""
    closing = f"</{name}>"
    for end in range(at + 1, len(lines)):
        if lines[end].strip() == closing:
            return True, end
        if f"<{name} " in lines[end] and path_in_tag(lines[end]):
            return False, end - 1
    return False, len(lines) - 1
