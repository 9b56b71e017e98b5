"""Create a file; put lines into one. What is written is applied where it is a patch."""

from collections.abc import Sequence
from dataclasses import replace
from posixpath import splitext

from react_agent.parsers.file_request import readings
from react_agent.parsers.file_text import FileText, parse_file_text
from react_agent.parsers.patch.changes import FileChange, Refusal
from react_agent.parsers.patch.names import named as meant
from react_agent.parsers.patch.reader import read_changes
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import accept_edit, edit_tool
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.edits.edit_report import lines_of
from react_agent.tools.files.combined import refused
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Place, Refused
from react_agent.tools.files.repo_files import WorkFiles
from react_agent.tools.files.suggestions import near_paths
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import named

_NOTHING = "nothing was changed"
_HINT = "write the PATH on the first line and the whole text of the file below it"
_HINT_TO_INSERT = (
    "write the PATH on the first line, `after line N` on the second (0: at the top), then the text"
)
_PATCHES = (".patch", ".diff")
_BEGINS_PATCH = ("--- ", "diff --git ", "*** Begin Patch")
_EDITORS = ("replace", "apply_patch")


def _write_file(text: str, context: Context) -> Observation:
    if text.lstrip().startswith(_BEGINS_PATCH) and read_changes(text).changes:
        return read_as("read as a patch", APPLY_PATCH.call(text, context))
    asked = parse_file_text(text, _HINT)
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {_NOTHING}")
    if _is_patch(asked, context):
        return _patched(asked, context)
    place = target(context.root, asked.path)
    if isinstance(place, Refused):
        return refused(place, f"; {_NOTHING}")
    try:
        return _written(place, asked, context)
    except UnicodeEncodeError:
        return failed(f"the text holds a character that no file can hold; {_NOTHING}", place.name)


def _written(place: Place, asked: FileText, context: Context) -> Observation:
    name, state = place.name, state_of(place)
    if isinstance(state, Refused):
        return refused(state, f"; {_NOTHING}", name)
    new = FileState(asked.text.encode(errors="surrogateescape"), state.mode if state else None)
    if state == new:
        return failed(f"{name} already has exactly this content; {_NOTHING}", name)
    if state and state.data:
        return failed(_exists(name, state, context), name)
    notes = (f"left out: {', '.join(asked.left_out)}",) if asked.left_out else ()
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}, notes), context)


def _exists(name: str, state: FileState, context: Context) -> str:
    editors = " or ".join(named(tool) for tool in _EDITORS if tool in context.offered)
    way = f"change it with {editors}" if editors else "change only the lines that have to change"
    lines = counted(len(lines_of(state)), "line")
    return f"{name} exists already, with {lines}, and is not written over: {way}; {_NOTHING}"


def _is_patch(asked: FileText, context: Context) -> bool:
    is_named_so = splitext(asked.path)[1] in _PATCHES
    if not is_named_so and not asked.text.lstrip().startswith(_BEGINS_PATCH):
        return False
    changes = read_changes(asked.text).changes
    return bool(changes) and (is_named_so or _fits(changes, WorkFiles(context)))


def _fits(changes: Sequence[FileChange], files: WorkFiles) -> bool:
    """It is one for files that are here, by just these names; elsewhere it may be an example."""
    if not any(change.old for change in changes):
        return False
    found = meant(changes, files.keys())
    return not isinstance(found, Refusal) and not any(one.repairs for one in found)


def _patched(asked: FileText, context: Context) -> Observation:
    tried = APPLY_PATCH.call(asked.text, context)
    done = "was applied instead" if tried.status is Status.OK else "could not be applied"
    return read_as(f"{asked.path} was not written: its text is a patch, which {done}", tried)


WRITE_FILE = edit_tool(
    "write_file",
    "create a new file; input: the PATH on the first line, the text of the file below it",
    _write_file,
)


def _insert(text: str, context: Context) -> Observation:
    asked = parse_file_text(text, _HINT_TO_INSERT, inserted=True)
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {_NOTHING}")
    asked = _with_line_of_path(asked)
    if asked.after is None:
        return failed(f"the line is missing: {_HINT_TO_INSERT}; {_NOTHING}")
    if not asked.text:
        return failed(f"there is no text to be put in: {_HINT_TO_INSERT}; {_NOTHING}")
    place = target(context.root, asked.path)
    if isinstance(place, Refused):
        return refused(place, f"; {_NOTHING}")
    try:
        return _inserted(place, asked.after, asked.text, context)
    except UnicodeEncodeError:
        return failed(f"the text holds a character that no file can hold; {_NOTHING}", place.name)


def _with_line_of_path(asked: FileText) -> FileText:
    """`src/x.py:12` on the first line."""
    *_, last = readings(asked.path)
    if asked.after is not None or last.path == asked.path or last.end is not None:
        return asked
    return replace(asked, path=last.path, after=last.start)


def _inserted(place: Place, after: int, text: str, context: Context) -> Observation:
    name, state = place.name, state_of(place)
    if isinstance(state, Refused):
        return refused(state, f"; {_NOTHING}", name)
    if state is None and after:
        near = near_paths(name, file_list(context.root))
        hint = f"; near it: {', '.join(near)}" if near else ""
        return failed(f"{name} does not exist{hint}; {_NOTHING}", name)
    count = len(lines_of(state))
    if after > count:
        has = f"{name} has {counted(count, 'line')}"
        return failed(f"{has}, so there is no line {after}; {_NOTHING}", name)
    content = _with_lines(state.text if state else "", after, text)
    new = FileState(content.encode(errors="surrogateescape"), state.mode if state else None)
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}), context)


def _with_lines(content: str, after: int, text: str) -> str:
    """The last line of the file keeps its end, or its lack of one."""
    lines, new = content.split("\n"), text.removesuffix("\n").split("\n")
    if content and all(line.endswith("\r") for line in lines[:-1]) and len(lines) > 1:
        new = [line.removesuffix("\r") + "\r" for line in new]
    return "\n".join((*lines[:after], *new, *lines[after:]))


INSERT = edit_tool(
    "insert",
    "put lines into a file; input: the PATH, then `after line N` (0: at the top), then the lines",
    _insert,
)
