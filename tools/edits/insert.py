"""Put lines into a file, behind a line that is given by its number."""

from dataclasses import replace

from react_agent.parsers.file_request import readings
from react_agent.parsers.file_text import FileText, parse_file_text
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.edits.edit_report import lines_of
from react_agent.tools.edits.keep import keep
from react_agent.tools.files.combined import refused
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Place, Refused
from react_agent.tools.files.suggestions import near_paths
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool

_NOTHING = "nothing was changed"
_HINT = (
    "write the PATH on the first line, `after line N` on the second (0: at the top), then the text"
)


def _insert(text: str, context: Context) -> Observation:
    asked = parse_file_text(text, _HINT, inserted=True)
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {_NOTHING}")
    asked = _with_line_of_path(asked)
    if asked.after is None:
        return failed(f"the line is missing: {_HINT}; {_NOTHING}")
    if not asked.text:
        return failed(f"there is no text to be put in: {_HINT}; {_NOTHING}")
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
    return keep(Edit((change,), {name: state}, {name: new}), context)


def _with_lines(content: str, after: int, text: str) -> str:
    """The last line of the file keeps its end, or its lack of one."""
    lines, new = content.split("\n"), text.removesuffix("\n").split("\n")
    if content and all(line.endswith("\r") for line in lines[:-1]) and len(lines) > 1:
        new = [line.removesuffix("\r") + "\r" for line in new]
    return "\n".join((*lines[:after], *new, *lines[after:]))


INSERT = Tool(
    "insert",
    "put lines into a file; input: the PATH, then `after line N` (0: at the top), then the lines",
    Kind.WRITE,
    _insert,
)
