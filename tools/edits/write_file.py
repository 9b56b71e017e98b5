"""Create a file; put lines into one. A text that is only a patch is applied."""

from collections.abc import Callable
from typing import TypeAlias

from react_agent.parsers.edits.file_text import FileText, parse_file_text
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import accept_edit, edit_tool, lines_of
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.files.file_list import known_files
from react_agent.tools.files.paths import Refused, refused
from react_agent.tools.files.suggestions import near_it
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.registry import named

_NOTHING = "nothing was changed"
_HINT = "write the PATH on the first line and the whole text of the file below it"
_HINT_TO_INSERT = (
    "write the PATH on the first line, `after line N` on the second (0: at the top), then the text"
)
_BEGINS_PATCH = ("--- ", "diff --git ", "*** Begin Patch")
_EDITORS = ("replace", "apply_patch")


_Contents: TypeAlias = Callable[[str, FileState | None, FileText, Context], str | Unreadable]


def _write_file(text: str, context: Context) -> Observation:
    if text.lstrip().startswith(_BEGINS_PATCH) and read_changes(text).changes:
        return read_as("read as a patch", APPLY_PATCH.call(text, context))
    asked = parse_file_text(text, _HINT)
    return _written(asked, _whole, context)


def _insert(text: str, context: Context) -> Observation:
    asked = parse_file_text(text, _HINT_TO_INSERT, inserted=True)
    if isinstance(asked, FileText):
        if asked.after is None:
            asked = Unreadable(f"the line is missing: {_HINT_TO_INSERT}")
        elif not asked.text:
            asked = Unreadable(f"there is no text to be put in: {_HINT_TO_INSERT}")
    return _written(asked, _with_lines, context)


def _written(asked: FileText | Unreadable, contents: _Contents, context: Context) -> Observation:
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {_NOTHING}")
    place = target(context.root, asked.path)
    if isinstance(place, Refused):
        return refused(place, f"; {_NOTHING}")
    name, state = place.name, state_of(place)
    if isinstance(state, Refused):
        return refused(state, f"; {_NOTHING}", name)
    text = contents(name, state, asked, context)
    if isinstance(text, Unreadable):
        return failed(f"{text.reason}; {_NOTHING}", name)
    try:
        new = FileState(text.encode(errors="surrogateescape"), state.mode if state else None)
    except UnicodeEncodeError:
        return failed(f"the text holds a character that no file can hold; {_NOTHING}", name)
    notes = (f"left out: {', '.join(asked.left_out)}",) if asked.left_out else ()
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}, notes), context)


def _whole(
    name: str, state: FileState | None, asked: FileText, context: Context
) -> str | Unreadable:
    if state and state.text == asked.text:
        return Unreadable(f"{name} already has exactly this content")
    if state and state.data:
        editors = " or ".join(named(tool) for tool in _EDITORS if tool in context.offered)
        way = f"with {editors}" if editors else "only the lines that have to change"
        lines = counted(len(lines_of(state)), "line")
        has = f"{name} exists already, with {lines}, and is not written over"
        return Unreadable(f"{has}: change {'it ' if editors else ''}{way}")
    return asked.text


def _with_lines(
    name: str, state: FileState | None, asked: FileText, context: Context
) -> str | Unreadable:
    """The last line of the file keeps its end, or its lack of one."""
    after, count = asked.after or 0, len(lines_of(state))
    if state is None and after:
        return Unreadable(f"{name} does not exist{near_it(name, known_files(context))}")
    if after > count:
        has = f"{name} has {counted(count, 'line')}"
        return Unreadable(f"{has}, so there is no line {after}")
    content = state.text if state else ""
    lines, new = content.split("\n"), asked.text.removesuffix("\n").split("\n")
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
