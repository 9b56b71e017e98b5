"""The `write_file` tool: create a file. A patch is applied."""

from react_agent.parsers.edits.edits import parse_file_text
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.values.arguments import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import NOTHING, accept_edit, edit_tool
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.files.paths import Refused, refused
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.registry import named

_HINT = "write the PATH on the first line and the whole text of the file below it"
_BEGINS_PATCH = ("--- ", "diff --git ", "*** Begin Patch")
_EDITORS = ("replace", "apply_patch")


def _write_file(text: str, context: Context) -> Observation:
    if text.lstrip().startswith(_BEGINS_PATCH) and read_changes(text).changes:
        return read_as("read as a patch", APPLY_PATCH.call(text, context))
    asked = parse_file_text(text, _HINT)
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {NOTHING}")
    place = target(context.root, asked.path)
    if isinstance(place, Refused):
        return refused(place, f"; {NOTHING}")
    name, state = place.name, state_of(place)
    if isinstance(state, Refused):
        return refused(state, f"; {NOTHING}", name)
    if state and state.data:
        return failed(f"{_exists(name, state, asked.text, context)}; {NOTHING}", name)
    try:
        new = FileState(asked.text.encode(errors="surrogateescape"), state.mode if state else None)
    except UnicodeEncodeError:
        return failed(
            f"the text contains a character that can't be stored in a file; {NOTHING}", name
        )
    notes = (f"left out: {', '.join(asked.left_out)}",) if asked.left_out else ()
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}, notes), context)


def _exists(name: str, state: FileState, text: str, context: Context) -> str:
    if state.text == text:
        return f"{name} already has exactly this content"
    editors = " or ".join(named(tool) for tool in _EDITORS if tool in context.offered)
    way = f"it with {editors}" if editors else "only the lines that have to change"
    has = f"{name} exists already, with {counted(len(state.lines), 'line')}"
    return f"{has}; it was not overwritten: change {way}"


WRITE_FILE = edit_tool(
    "write_file",
    "create a new file; input: the PATH on the first line, the text of the file below it",
    _write_file,
)
