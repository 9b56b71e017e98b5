"""Old and new texts of files, as an object or as fields.

input  = object | fields
object = {path, old_str, new_str} or {path, edits: [{old_str, new_str}]}, by any usual names
fields = "path:" TEXT, then "old:" TEXT and "new:" TEXT, in turn
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from react_agent.parsers.edits.block_marks import YES
from react_agent.parsers.edits.labelled_path import labelled_path
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.values.arguments import (
    PATH_NAME,
    Part,
    Parts,
    folded_key,
    read_fields,
    read_object,
)
from react_agent.parsers.values.unreadable import Unreadable

OLDS = frozenset({"oldstr", "oldstring", "old", "oldtext", "search", "find", "original"})
NEWS = frozenset(
    {"newstr", "newstring", "new", "newtext", "replace", "replacement", "updated", "replacewith"}
)
_ALLS = frozenset({"replaceall", "all"})
_LISTS = frozenset({"edits", "replacements", "blocks", "changes", "operations"})


@dataclass(frozen=True, slots=True)
class Replacement:
    """Of whole lines, with their ends, or of any text."""

    path: str
    old: str
    new: str
    whole_lines: bool = True
    all: bool = False
    left_out: tuple[str, ...] = field(default=())  # members of an object that mean nothing here


class _Unreadable(Exception):
    """Ends the reading; never leaves this module."""


def parse_replacements(text: str) -> tuple[Replacement, ...] | Unreadable:
    """None of them for text of another kind."""
    try:
        return tuple(_of_objects(text)) or tuple(_of_fields(unfenced(text)))
    except (_Unreadable, ParseError) as error:
        return Unreadable(str(error))


def _whole(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _of_objects(text: str) -> Iterator[Replacement]:
    for parts in read_object(unfenced(text)):
        yield from _of_object(parts, "")


def _of_object(parts: Parts, path: str) -> Iterator[Replacement]:
    path = next(iter(parts.take(PATH_NAME, _text)), path)
    olds, news = parts.take(OLDS, _text), parts.take(NEWS, _text)
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
    wanted = {key for key in keys if folded_key(key) in PATH_NAME | OLDS | NEWS | _ALLS}
    path, old, everywhere = "", None, False
    for key, value in read_fields(text, wanted) if wanted else ():
        name = folded_key(key)
        if name in PATH_NAME:
            path, old = labelled_path(value), None
        elif name in _ALLS:
            everywhere = value.strip().casefold() in YES
        elif name in OLDS:
            old = value
        elif old is None or not path:
            raise _Unreadable(f"`{key}:` stands without `path:` and `old:` above it: write both")
        else:
            yield Replacement(path, _field_text(old), _field_text(value), all=everywhere)
            old = None
    if old is not None:
        raise _Unreadable("there is an old text without a new one: write `new:` below it")


def _field_text(value: str) -> str:
    """A fence or YAML's sign of a block around it goes."""
    first, _, rest = value.partition("\n")
    if first.strip() not in ("|", "|-", "|+"):
        return _whole(unfenced(value).split("\n")) if value else ""
    indents = [len(line) - len(line.lstrip()) for line in rest.split("\n") if line.strip()]
    return _whole([line[min(indents, default=0) :] for line in rest.split("\n")])
