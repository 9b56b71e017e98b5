"""What a call of another agent's tool means, in the words of ours."""

import shlex
from dataclasses import dataclass

from react_agent.parsers.call import Call, read_as
from react_agent.parsers.code_calls import code_call
from react_agent.parsers.editor_calls import edit_call, editor_call, patch_call
from react_agent.parsers.hidden import How
from react_agent.parsers.shell_calls import call_of_line
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.written_call import written_call, written_line

_SHELL = "shell"
_NO_EDIT = "there is no edit to be read in it: write the path, the old lines and the new ones"
_NO_CODE = "there is no code: write a Python program"


@dataclass(frozen=True, slots=True)
class Meant:
    calls: tuple[Call, ...]  # the first that there is a tool for
    line: str = ""  # the command line, where it is one
    here: Call | None = None  # what it is in the folder that commands run in, if that is there


def meant(how: How, name: str, given: str, folder: str = ".") -> Meant | Unreadable:
    match how:
        case How.COMMAND:
            return _command(name, given, folder)
        case How.SHELL:
            line = written_line(_SHELL, given)
            looks = written_call(_SHELL, given)
            return Meant((Call("run", line), *([looks] if looks else [])), line)
        case How.EDITOR:
            read = edit_call(given) or editor_call(given) or patch_call(given)
            return _only(_unsaid(read, given), _NO_EDIT)
        case How.CODE:
            return _only(code_call(given), _NO_CODE)


def _command(name: str, given: str, folder: str) -> Meant:
    """What only looks at something is for a tool of ours, the rest is run."""
    line, looks = written_line(name, given), written_call(name, given)
    here = call_of_line(f"cd {shlex.quote(folder)} && {line}") if folder != "." else None
    return Meant((*([looks] if looks else []), read_as("run", line)), line, here)


def _unsaid(read: Call | Unreadable | None, given: str) -> Call | Unreadable | None:
    """Nothing is said of what is as it was written."""
    if isinstance(read, Call) and read.input.strip() == given.strip():
        return Call(read.tool, read.input)
    return read


def _only(read: Call | Unreadable | None, otherwise: str) -> Meant | Unreadable:
    if read is None:
        return Unreadable(otherwise)
    return read if isinstance(read, Unreadable) else Meant((read,))
