"""Turn a call of another agent's tool into a call of one of our tools.

command = the arguments of a program of that name | its whole line | an object or fields with it
shell   = a line | a quoted line | a fenced line | an object or a field with a line
editor  = [command] path and parts, as an object or as fields
        | a patch, or blocks of search and replace
code    = code | fenced code | an object or a field with code | arguments of python
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from react_agent.parsers.edits.edits import NEWS, OLDS, TEXTS
from react_agent.parsers.patch.reading.blocks import is_blocks
from react_agent.parsers.patch.reading.unified import is_unified
from react_agent.parsers.patch.reading.v4a import is_v4a
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.hidden import HiddenKind
from react_agent.parsers.shell.lookups import Call, lookup, read_as
from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.values.arguments import (
    LINES,
    PATH_NAME,
    Named,
    Unreadable,
    folded_key,
    read_fields,
    read_value,
    unquoted,
)
from react_agent.parsers.values.commands import COMMANDS, named_text
from react_agent.parsers.values.damaged_json import insists_on_json

# Programs that our tools replace. Models also write our tools' inputs under these names.
_TOOLS = {
    **dict.fromkeys(("cat", "less", "more", "bat", "nl"), "read_file"),
    **dict.fromkeys(("ls", "dir", "find"), "list_files"),
}
_SUBCOMMAND = re.compile(r"\A(git|pip|npm|go|cargo)_")
# A path and its lines.
_OWN_LINE = re.compile(
    r"\s*[\w.@+*/][\w.@+*/-]*(?:(?::|\s)\s*(?:lines?:?\s*)?L?\d+(?:(?:\s*[-,:]|\s)\s*L?\d*)?)?\s*",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(r"(?:-[A-Za-z]|--?[a-z]|[\w./-]+\.py(?=\s|$)).*")
_PROGRAM = re.compile(r"(?:python|ipython)[0-9.]*\s+\S.*", re.DOTALL)
# The commands of another agent's editor, and our tool for each.
_EDITOR = {
    "view": "read_file",
    "create": "write_file",
    "str_replace": "replace",
    "undo_edit": "undo",
}
_COMMAND_NAMES = ("command", "action", "cmd", "subcommand")
_BY_PART = (
    (OLDS, "replace"),
    (TEXTS, "write_file"),
    (LINES.names, "read_file"),
)
_FIELDS = frozenset(
    {"command", "path", "file", "file_path", "filename", "target_file", "old_str", "old_string"}
    | {"new_str", "new_string", "file_text", "view_range", "content"}
)
_WAYS = "write it again with path, old_str and new_str"
_NO_EDIT = "no edit found: write the path, the old lines and the new lines"
_NO_CODE = "no code given: write a Python program"


@dataclass(frozen=True, slots=True)
class Meant:
    calls: tuple[Call, ...]  # the first call whose tool is offered is used
    line: str = ""  # the command line, if the call has one
    here: Call | None = None  # the call for the folder that commands run in


def meant(kind: HiddenKind, name: str, given: str, folder: str = ".") -> Meant | Unreadable:
    """Return the equivalent call of one of our tools. Never raises."""
    match kind:
        case HiddenKind.COMMAND:
            return _command(name, given, folder)
        case HiddenKind.SHELL:
            line = _bare(given)
            whole = unquoted(line)
            line = whole if len(whole.split()) > 1 else line
            return Meant((Call("run", line), *_looks(line, given)), line)
        case HiddenKind.EDITOR:
            read = _editor(given)
        case _:
            read = _code(given)
    return read if isinstance(read, Unreadable) else Meant((read,))


def _command(name: str, given: str, folder: str) -> Meant:
    """Translate a read-only command into a call of one of our tools, and run any other command."""
    program = "git blame" if name == "blame" else _SUBCOMMAND.sub(r"\1 ", name)
    words, bare = program.split(), _bare(given)
    # it may begin with the program, also in quotes
    whole = (one for one in (bare, unquoted(bare)) if one.split()[: len(words)] == words)
    line = next(whole, f"{program} {bare}".strip())
    if name in _TOOLS and _is_tools_own(name, given):
        looks: tuple[Call, ...] = (Call(_TOOLS[name], given),)
    else:
        looks = _looks(line, given)
    here = lookup(line, folder) if folder != "." else None
    return Meant((*looks, read_as("run", line)), line, here)


def _looks(line: str, given: str) -> tuple[Call, ...]:
    call = lookup(line)
    if call is None:
        return ()
    return (Call(call.tool, given),) if call.input == given else (call,)


def _bare(given: str) -> str:
    named = named_text(given, COMMANDS)
    return unfenced(named.text if isinstance(named, Named) else given).strip()


def _is_tools_own(name: str, given: str) -> bool:
    """Return whether the input must be read by our tool, since it is not a shell command."""
    if insists_on_json(given) or read_fields(given):
        return not isinstance(named_text(given, COMMANDS), Named)
    return all(map(_OWN_LINE.fullmatch, given.strip().split("\n")))


def _editor(text: str) -> Call | Unreadable:
    """Return the call of an editing tool. The command or the parts determine the tool."""
    given = _parts(text)
    if isinstance(given, Unreadable):
        return given
    commands = [key for key in given if folded_key(key) in _COMMAND_NAMES]
    command = str(given[commands[0]]).strip().casefold() if commands else ""
    parts = {key: value for key, value in given.items() if key not in commands}
    keys = {folded_key(key): key for key in parts}
    by_part = next((tool for names, tool in _BY_PART if keys.keys() & names), None)
    tool = _EDITOR.get(command, by_part)
    path = next((str(parts[key]).strip() for name, key in keys.items() if name in PATH_NAME), "")
    if tool is None:
        known = f"unknown command {command[:40]!r}: the commands are {', '.join(_EDITOR)}"
        return Unreadable(known) if command else _patch(text)
    if not path:
        return Unreadable("no path found")
    if command == "str_replace" and not keys.keys() & NEWS:
        parts["new_str"] = ""
    is_object = not commands and insists_on_json(text)  # the tool reads an object by itself
    written = text if is_object else json.dumps(parts, ensure_ascii=False)
    said = "" if is_object else f"read as {tool} {path}"
    return Call(tool, path if tool == "undo" else written, said)


def _patch(text: str) -> Call | Unreadable:
    lines = text.split("\n")
    if is_blocks(lines):
        return Call("replace", text)
    is_patch = is_v4a(lines) or is_unified(lines)
    return Call("apply_patch", text) if is_patch else Unreadable(_NO_EDIT)


def _parts(text: str) -> Mapping[str, object] | Unreadable:
    """Return the members of an object or the fields, or none for any other text."""
    try:
        value = read_value(unfenced(text) if text.lstrip().startswith("```") else text)
    except ParseError as error:
        return Unreadable(f"{error}; {_WAYS}")
    if isinstance(value, dict):
        return {key: one for key, one in value.items() if one is not None}
    fields = read_fields(value, _FIELDS) if isinstance(value, str) else ()
    return {key: unquoted(field) for key, field in fields}


def _code(text: str) -> Call | Unreadable:
    """Return the call that runs the code."""
    named = named_text(text, COMMANDS)
    if isinstance(named, Unreadable):
        return named
    code = unfenced(named.text if isinstance(named, Named) else text)
    bare = code.strip()
    if not bare:
        return Unreadable(_NO_CODE)
    if _PROGRAM.fullmatch(bare):
        return read_as("run", bare)
    if "\n" not in bare and _ARGUMENTS.fullmatch(bare):
        return read_as("run", f"python3 {bare}")
    return Call("run", fed_to_python(code), "read as run python3, with this code")


def fed_to_python(code: str) -> str:
    """Return the code as a here-document, with an end marker that does not occur in the code."""
    marks = (f"EOF_{number}" if number else "EOF" for number in count())
    mark = next(mark for mark in marks if mark not in code)
    return f"python3 - <<'{mark}'\n{code.removesuffix(chr(10))}\n{mark}"
