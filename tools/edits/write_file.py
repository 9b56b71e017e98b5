"""The `write_file` and `insert` tools: create a file, or put lines into one. A patch is applied."""

from collections.abc import Callable

from react_agent.parsers.edits.edits import FileText, parse_file_text
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.values.arguments import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import NOTHING, accept_edit, edit_tool, lines_of
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.files.file_list import known_files, near_it
from react_agent.tools.files.paths import Refused, refused
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.registry import named

_HINT = "write the PATH on the first line and the whole text of the file below it"
_HINT_TO_INSERT = (
    "write the PATH on the first line, `after line N` on the second (0: at the top), then the text"
)
_BEGINS_PATCH = ("--- ", "diff --git ", "*** Begin Patch")
_EDITORS = ("replace", "apply_patch")


def _write_file(text: str, context: Context) -> Observation:
    if text.lstrip().startswith(_BEGINS_PATCH) and read_changes(text).changes:
        return read_as("read as a patch", APPLY_PATCH.call(text, context))
    return _written(parse_file_text(text, _HINT), _whole, context)


def _insert(text: str, context: Context) -> Observation:
    asked = parse_file_text(text, _HINT_TO_INSERT, inserted=True)
    return _written(asked, _with_lines, context)


def _written(
    asked: FileText | Unreadable,
    contents: Callable[[str, FileState | None, FileText, Context], str | Unreadable],
    context: Context,
) -> Observation:
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {NOTHING}")
    place = target(context.root, asked.path)
    if isinstance(place, Refused):
        return refused(place, f"; {NOTHING}")
    name, state = place.name, state_of(place)
    if isinstance(state, Refused):
        return refused(state, f"; {NOTHING}", name)
    text = contents(name, state, asked, context)
    if isinstance(text, Unreadable):
        return failed(f"{text.reason}; {NOTHING}", name)
    try:
        new = FileState(text.encode(errors="surrogateescape"), state.mode if state else None)
    except UnicodeEncodeError:
        return failed(f"the text holds a character that no file can hold; {NOTHING}", name)
    notes = (f"left out: {', '.join(asked.left_out)}",) if asked.left_out else ()
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}, notes), context)


def _whole(
    name: str, state: FileState | None, asked: FileText, context: Context
) -> str | Unreadable:
    if not state or not state.data:
        return asked.text
    if state.text == asked.text:
        return Unreadable(f"{name} already has exactly this content")
    editors = " or ".join(named(tool) for tool in _EDITORS if tool in context.offered)
    way = f"it with {editors}" if editors else "only the lines that have to change"
    has = f"{name} exists already, with {counted(len(state.lines), 'line')}"
    return Unreadable(f"{has}; it was not overwritten: change {way}")


def _with_lines(
    name: str, state: FileState | None, asked: FileText, context: Context
) -> str | Unreadable:
    """Return the file with the lines put in; its last line keeps its newline or lack of one."""
    after, count = asked.after, len(lines_of(state))
    if after is None:
        return Unreadable(f"the line number is missing: {_HINT_TO_INSERT}")
    if not asked.text:
        return Unreadable(f"there is no text to insert: {_HINT_TO_INSERT}")
    if state is None and after:
        return Unreadable(f"{name} does not exist{near_it(name, known_files(context))}")
    if after > count:
        has = f"{name} has {counted(count, 'line')}"
        return Unreadable(f"{has}, so there is no line {after}")
    lines = state.text.split("\n") if state else [""]
    new = asked.text.removesuffix("\n").split("\n")
    if len(lines) > 1 and all(line.endswith("\r") for line in lines[:-1]):
        new = [line.removesuffix("\r") + "\r" for line in new]
    return "\n".join((*lines[:after], *new, *lines[after:]))


WRITE_FILE = edit_tool(
    "write_file",
    "create a new file; input: the PATH on the first line, the text of the file below it",
    _write_file,
)


INSERT = edit_tool(
    "insert",
    "put lines into a file; input: the PATH, then `after line N` (0: at the top), then the lines",
    _insert,
)
