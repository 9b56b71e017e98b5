r"""Search/replace blocks as models write them.

input  = object | fields | (path | "replace all: yes" | fence | prose | block)+
block  = search old divider new replace            all marks of 5 to 9 characters, at column 0
search = "<<<<<<<" ["SEARCH" | "ORIGINAL" ...] [path] | "------- SEARCH"
path   = the nearest line above a block that looks like one, the info of a fence too; else the
         first line. It holds for the blocks below it
object = {path, old_str, new_str} or {path, edits: [{old_str, new_str}]}, by any usual names
fields = "path:" TEXT, then "old:" TEXT and "new:" TEXT, in turn

Where a line of the old or the new text could be the divider, nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from react_agent.parsers.block_marks import ALL, REPLACE, SEARCH, USAGE, YES, dividers, no_divider
from react_agent.parsers.errors import ParseError
from react_agent.parsers.fence import opening_fence, unfenced
from react_agent.parsers.labelled_path import labelled_path, looks_like_path
from react_agent.parsers.named_parts import Part, Parts, read_object
from react_agent.parsers.payload import folded_key, read_fields
from react_agent.parsers.unreadable import Unreadable

__all__ = ["USAGE", "Replacement", "has_blocks", "parse_replacements"]

_PATHS = frozenset({"path", "file", "filepath", "filename", "targetfile", "absolutepath"})
_OLDS = frozenset({"oldstr", "oldstring", "old", "oldtext", "search", "find", "original"})
_NEWS = frozenset(
    {"newstr", "newstring", "new", "newtext", "replace", "replacement", "updated", "replacewith"}
)
_ALLS = frozenset({"replaceall", "all"})
_LISTS = frozenset({"edits", "replacements", "blocks", "changes", "operations"})
_NO_PATH = f"there is no path above the block: {USAGE}"


@dataclass(frozen=True, slots=True)
class Replacement:
    """Of whole lines, with their ends, where they were written as a block; else of any text."""

    path: str
    old: str
    new: str
    whole_lines: bool = True
    all: bool = False
    left_out: tuple[str, ...] = field(default=())  # members of an object that mean nothing here


class _Unreadable(Exception):
    """Ends the reading; never leaves this module."""


def parse_replacements(text: str) -> tuple[Replacement, ...] | Unreadable:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    try:
        if any(SEARCH.fullmatch(line) for line in lines):
            return tuple(_blocks(lines))
        found = tuple(_of_objects(text)) or tuple(_of_fields(unfenced(text)))
    except (_Unreadable, ParseError) as error:
        return Unreadable(str(error))
    return found or Unreadable(f"there is no block: {USAGE}")


def has_blocks(text: str) -> bool:
    """Whether it means to be search/replace blocks, or an object or fields in place of them."""
    is_marked = any(map(SEARCH.fullmatch, text.split("\n")))
    return is_marked or not isinstance(parse_replacements(text), Unreadable)


@dataclass(slots=True)
class _Lines:
    lines: Sequence[str]
    at: int = 0

    @property
    def ended(self) -> bool:
        return self.at >= len(self.lines)

    def peek(self) -> str:
        return self.lines[self.at]

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]


def _blocks(lines: Sequence[str]) -> list[Replacement]:
    cursor, found = _Lines(lines), list[Replacement]()
    path, first, everywhere = "", "", False
    while not cursor.ended:
        line = cursor.take()
        if mark := SEARCH.fullmatch(line):
            path = _path_in_mark(mark) or path or first
            if not path:
                raise _Unreadable(_NO_PATH)
            old, new = _block(cursor, mark["mark"] or mark["dashes"])
            found.append(Replacement(path, old, new, all=everywhere))
            everywhere = False
        elif said := ALL.fullmatch(line):
            everywhere = said["value"].casefold() in YES
        elif named := _path_in(line):
            path = named
        elif not first and line.strip() and not opening_fence(line):
            first = labelled_path(line)
    return [*found[:-1], replace(found[-1], all=True)] if everywhere else found


def _path_in_mark(found: re.Match[str]) -> str:
    text = labelled_path(found["path"] or "")
    return text if looks_like_path(text) else ""


def _path_in(line: str) -> str:
    fence = opening_fence(line)
    words = [labelled_path(word) for word in fence.info.split()] if fence else [labelled_path(line)]
    return next((word for word in words[::-1] if looks_like_path(word)), "")


def _block(cursor: _Lines, mark: str) -> tuple[str, str]:
    began, body = cursor.at, list[str]()
    while not cursor.ended and not REPLACE.fullmatch(cursor.peek().rstrip()):
        if SEARCH.fullmatch(cursor.peek()) and _has_words(cursor.peek()):
            raise _Unreadable(f"the block of line {began} has no >>>>>>> REPLACE: {USAGE}")
        body.append(cursor.take())
    if cursor.ended:
        raise _Unreadable(f"the block of line {began} was cut off: it has no >>>>>>> REPLACE")
    cursor.take()
    at = _divider(body, len(mark), began)
    return _whole(body[:at]), _whole(body[at + 1 :])


def _whole(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _has_words(mark: str) -> bool:
    return any(letter.isalpha() for letter in mark)


def _divider(body: Sequence[str], length: int, began: int) -> int:
    found = dividers(body, length)
    if len(found) == 1:
        return found[0]
    raise _Unreadable(no_divider(found, began))


def _of_objects(text: str) -> Iterator[Replacement]:
    for parts in read_object(unfenced(text)):
        yield from _of_object(parts, "")


def _of_object(parts: Parts, path: str) -> Iterator[Replacement]:
    path = next(iter(parts.take(_PATHS, _text)), path)
    olds, news = parts.take(_OLDS, _text), parts.take(_NEWS, _text)
    everywhere = any(parts.take(_ALLS, _flag))
    for members in parts.take(_LISTS, _objects):
        for member in members:
            yield from _of_object(member, path)
    if olds or news:
        if not path:
            raise _Unreadable("there is no path: name the file as path")
        if not news:
            raise _Unreadable("there is no new text: write it as new_str, empty to delete")
        old = olds[0] if olds else ""
        yield Replacement(path, old, news[0], False, everywhere, parts.names)


def _text(value: object) -> str | None:
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value if isinstance(value, str) else None


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return value.casefold() in YES
    return value if isinstance(value, bool) else None


def _objects(value: object) -> list[Parts] | None:
    members = value if isinstance(value, list) else [value]
    objects = [member for member in members if isinstance(member, dict)]
    if len(objects) < len(members):
        return None
    return [Parts([Part(*item) for item in member.items()]) for member in objects]


def _of_fields(text: str) -> Iterator[Replacement]:
    known = {key for line in text.split("\n") if (key := line.partition(":")[0].strip().casefold())}
    keys = {key.replace(" ", "_").replace("-", "_") for key in known}
    wanted = {key for key in keys if folded_key(key) in _PATHS | _OLDS | _NEWS | _ALLS}
    path, old, everywhere = "", None, False
    for key, value in read_fields(text, wanted) if wanted else ():
        name = folded_key(key)
        if name in _PATHS:
            path, old = labelled_path(value), None
        elif name in _ALLS:
            everywhere = value.strip().casefold() in YES
        elif name in _OLDS:
            old = value
        elif old is None or not path:
            raise _Unreadable(f"`{key}:` stands without a path and an old text: {USAGE}")
        else:
            yield Replacement(path, _field_text(old), _field_text(value), all=everywhere)
            old = None
    if old is not None:
        raise _Unreadable(f"there is an old text without a new one: {USAGE}")


def _field_text(value: str) -> str:
    """A fence or YAML's sign of a block around it goes."""
    first, _, rest = value.partition("\n")
    if first.strip() not in ("|", "|-", "|+"):
        return _whole(unfenced(value).split("\n")) if value else ""
    indents = [len(line) - len(line.lstrip()) for line in rest.split("\n") if line.strip()]
    return _whole([line[min(indents, default=0) :] for line in rest.split("\n")])
