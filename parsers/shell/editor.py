"""Edits as other agents' tools take them, as inputs of ours.

input   = an object | field+ | command path option*       command = "view" | "create" | ...
block   = PATH NEWLINE "<<<<<<< SEARCH" old "=======" new ">>>>>>> REPLACE"
"""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping

from react_agent.parsers.patch.reading.blocks import is_blocks
from react_agent.parsers.patch.reading.unified import is_unified
from react_agent.parsers.patch.reading.v4a import is_v4a
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.shell.call import Call
from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.values.arguments import (
    PATH_NAME,
    folded_key,
    read_fields,
    read_value,
    unquoted,
)
from react_agent.parsers.values.unreadable import Unreadable

_SEARCH, _BETWEEN, _REPLACE = "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"
_MARKER = re.compile(r"[<>]{5,9}(?:\s.*)?|={5,9}|[-+]{5,9}[ \t]*(?:SEARCH|REPLACE)\b.*")
_KEYS = {
    **dict.fromkeys(("command", "action", "cmd", "subcommand"), "command"),
    **dict.fromkeys(PATH_NAME, "path"),
    **dict.fromkeys(("oldstr", "oldstring", "oldtext", "old", "search", "find"), "old"),
    **dict.fromkeys(("newstr", "newstring", "newtext", "new", "replace", "replacement"), "new"),
    **dict.fromkeys(("filetext", "content", "contents", "text", "filecontent"), "text"),
    **dict.fromkeys(("insertline", "afterline"), "line"),
    **dict.fromkeys(("inserttext",), "inserted"),
    **dict.fromkeys(("edits", "replacements"), "edits"),
    **dict.fromkeys(("viewrange", "range", "lines"), "range"),
}
_FIELDS = frozenset(
    {"command", "path", "file", "file_path", "filename", "target_file", "old_str", "old_string"}
    | {"new_str", "new_string", "file_text", "insert_line", "insert_text", "view_range", "content"}
)
_NUMBERS = re.compile(r"-?\d{1,9}")
_WAYS = "write it anew with path, old_str and new_str"

Given = Mapping[str, object]
Read = Call | Unreadable


def editor_call(text: str) -> Read | None:
    """An editor is told by its command what to do, `edit_file` and its like by the parts.

    A patch, or blocks of SEARCH and REPLACE, are for the tools that read them. None: no edit.
    """
    given = _given(text)
    if given is None:
        return _patch(text)
    if isinstance(given, Unreadable):
        return given
    command, path = str(given.get("command", "")).strip().casefold(), _text(given, "path").strip()
    if command not in _WRITERS and isinstance(given.get("edits"), list):
        return Call("replace", text, f"read as replace {path}".rstrip())
    by_part = next((write for key, write in _BY_PART.items() if key in given), None)
    writer = _WRITERS.get(command, by_part)
    if writer and not path:
        return Unreadable("there is no path in it")
    if not writer and command:
        return Unreadable(f"there is no command {command[:40]!r}: the commands are {_OFFERED}")
    return writer(given) if writer else _patch(text)


def _patch(text: str) -> Call | None:
    lines = text.split("\n")
    if is_blocks(lines):
        return Call("replace", text, "read as replace")
    if is_v4a(lines) or is_unified(lines):
        return Call("apply_patch", text, "read as apply_patch")
    return None


def _given(text: str) -> dict[str, object] | Unreadable | None:
    try:
        value = read_value(unfenced(text) if text.lstrip().startswith("```") else text)
    except ParseError as error:
        return Unreadable(f"{error}; {_WAYS}")
    if isinstance(value, list):
        return None
    if isinstance(value, dict):
        return _named(value.items())
    fields = read_fields(value, _FIELDS)
    if fields:
        return _named((key, unquoted(field)) for key, field in fields)
    return _typed(value)


def _named(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found = dict[str, object]()
    for key, value in pairs:
        name = _KEYS.get(folded_key(str(key)))
        if name and value is not None:
            found.setdefault(name, value)
    return found


def _typed(text: str) -> dict[str, object] | None:
    """`view x.py --view_range 1 20`; the text of a new file may be below its first line."""
    line = re.sub(r"\A(?:str_replace_editor|edit|text_editor)\s", "", text.lstrip()).lstrip()
    first, _, below = line.partition("\n")
    if not first.split() or first.split()[0] not in _WRITERS:
        return None
    try:
        words = shlex.split(first if first.startswith("create") else line)
    except ValueError:
        return None
    if len(words) < len(("command", "path")):
        return None
    found: dict[str, object] = {"command": words[0], "path": words[1]}
    name = "range" if words[0] == "view" else ""
    for word in words[2:]:
        if word.startswith("--"):
            key, equals, value = word.partition("=")
            name = _KEYS.get(folded_key(key.strip("-")), "")
            found[name] = value if equals else ""
        else:
            found[name] = f"{found.get(name, '')} {word}".strip()
    if words[0] == "create" and below:
        found.setdefault("text", below)
    return None if "" in found else found


def _text(given: Given, *keys: str) -> str:
    value = next((given[key] for key in keys if key in given), "")
    return value if isinstance(value, str) else str(value)


def _call(tool: str, path: str, rest: str) -> Call:
    text = f"{path.strip()}{rest}"
    return Call(tool, text, f"read as {tool} {text.partition(chr(10))[0]}")


def _view(given: Given) -> Read:
    path, asked = _text(given, "path"), given.get("range")
    numbers = [int(one) for one in _NUMBERS.findall(re.sub(r"(?<=\d)-", " ", str(asked or "")))]
    match numbers:
        case []:
            return _call("read_file", path, "")
        case [start]:
            return _call("read_file", path, f":{max(start, 1)}")
        case [start, end]:
            last = f"-{end}" if end > 0 else ""
            return _call("read_file", path, f":{max(start, 1)}{last}")
        case _:
            return Unreadable("a view_range is two line numbers: [START, END]")


def _create(given: Given) -> Read:
    if "text" not in given:
        return Unreadable("there is no file_text in it: what is the file to hold?")
    return _call("write_file", _text(given, "path"), f"\n{_text(given, 'text')}")


def _replace(given: Given) -> Read:
    old, new = (_text(given, key).removesuffix("\n") for key in ("old", "new"))
    if not old:
        return Unreadable("there is no old_str in it: which lines are to be replaced?")
    if any(_MARKER.fullmatch(line.rstrip()) for line in f"{old}\n{new}".split("\n")):
        parts = {"path": _text(given, "path"), "old_str": old, "new_str": new}
        return Call("replace", json.dumps(parts), f"read as replace {parts['path']}")
    news = [new] if _text(given, "new") else []
    block = "\n".join((_SEARCH, old, _BETWEEN, *news, _REPLACE))
    return _call("replace", _text(given, "path"), f"\n{block}")


def _insert(given: Given) -> Read:
    line = _text(given, "line").strip()
    if not line.isdecimal():
        return Unreadable("insert_line must be a number: after which line? 0 is the beginning")
    if "inserted" not in given and "new" not in given and "text" not in given:
        return Unreadable("there is no insert_text in it: what is to be inserted?")
    text = _text(given, "inserted", "new", "text")
    return _call("insert", _text(given, "path"), f"\nafter line {line}\n{text}")


def _undo(given: Given) -> Read:
    return _call("undo", _text(given, "path"), "")


_WRITERS: Mapping[str, Callable[[Given], Read]] = {
    "view": _view,
    "create": _create,
    "str_replace": _replace,
    "insert": _insert,
    "undo_edit": _undo,
}
_BY_PART: Mapping[str, Callable[[Given], Read]] = {
    "old": _replace,
    "line": _insert,
    "text": _create,
    "range": _view,
}
_OFFERED = ", ".join(_WRITERS)
