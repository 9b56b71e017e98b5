"""Whole files: each comes complete, or not at all."""

from collections.abc import Sequence

from react_agent.parsers.fence import opening_fence
from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.elision import elision_in
from react_agent.parsers.patch.file_parts import FilePart, file_parts
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.one_format import read

_SHOWN = 60  # characters of a line that is quoted
_MARKDOWN = ("md", "markdown", "mdx", "rst", "txt")


def is_whole(lines: Sequence[str]) -> bool:
    return any(True for _ in file_parts([line.removesuffix("\r") for line in lines]))


def read_whole(lines: Sequence[str]) -> Reading:
    return read(lines, _files)


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
    body = _without_wrapper(cursor, part)
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
            f"where {part.path}, from line {number} on, ends can not be told from the fences in "
            "it: put four backticks around the file"
        )


def _goes_on(lines: Sequence[str]) -> bool:
    """A fence without a language below may be one of the file, which the first of them closed."""
    fences = [fence for fence in map(opening_fence, lines[1:]) if fence]
    return bool(fences) and not fences[0].info


def _without_wrapper(cursor: LineCursor, part: FilePart) -> list[str]:
    """Within tags, a fence or another tag may stand around all of it."""
    first, last = part.first, part.end
    if opening_fence(cursor.lines[part.start]) is None:
        held = [at for at in range(first, last) if cursor.lines[at].strip()]
        if len(held) > 1 and _wrap(cursor.lines[held[0]], cursor.lines[held[-1]]):
            first, last = held[0] + 1, held[-1]
    cursor.take_to(first, Role.FENCE)
    body = cursor.take_to(last, Role.BODY)
    cursor.take_to(part.end + 1, Role.FENCE)
    blanks = " " * part.indent
    return [_dedented(line, blanks) for line in body] if blanks else body


def _wrap(first: str, last: str) -> bool:
    fence = opening_fence(first)
    if fence:
        return fence.is_closed_by(last)
    bare = first.strip()
    return bare in ("<content>", "<contents>", "<code>") and last.strip() == f"</{bare[1:]}"


def _dedented(line: str, blanks: str) -> str:
    return line.removeprefix(blanks) if line.startswith(blanks) else line.lstrip(" ")
