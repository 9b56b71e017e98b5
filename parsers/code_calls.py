"""Python code that is handed to a tool, as a shell line that runs it.

input = code | fenced code | an object or a field with code | arguments of the program
"""

import re
from itertools import count

from react_agent.parsers.call import Call, read_as
from react_agent.parsers.fence import unfenced
from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.unreadable import Unreadable

_ARGUMENTS = re.compile(r"(?:-[A-Za-z]|--?[a-z]|[\w./-]+\.py(?=\s|$)).*")
_PROGRAM = re.compile(r"(?:python|ipython)[0-9.]*\s+\S.*", re.DOTALL)
_CELL = ("%%bash", "%%sh", "!%%bash")


def code_call(text: str) -> Call | Unreadable | None:
    """None: there is no code in it."""
    named = named_text(text, COMMANDS)
    if isinstance(named, Unreadable):
        return named
    code = unfenced(named.text if isinstance(named, NamedText) else text)
    bare = code.strip()
    if not bare:
        return None
    if _PROGRAM.fullmatch(bare):
        return read_as("run", bare)
    if "\n" not in bare and _ARGUMENTS.fullmatch(bare):
        return read_as("run", f"python3 {bare}")
    return _cell(code)


def _cell(code: str) -> Call | Unreadable:
    """As a notebook takes it: lines with `!` are commands."""
    lines = [line for line in code.split("\n") if line.strip()]
    if lines[0].strip() in _CELL:
        return read_as("run", "\n".join(lines[1:]))
    commands = [line.removeprefix("!").strip() for line in lines if line.startswith("!")]
    if len(commands) == len(lines):
        return read_as("run", "\n".join(commands))
    if commands or any(line.startswith("%") for line in lines):
        return Unreadable("commands and code can't be mixed: write lines of a shell, or code only")
    return Call("run", fed_to_python(code), "read as run python3, with this code")


def fed_to_python(code: str) -> str:
    """The code as a here-document, up to a mark that does not occur in it."""
    marks = (f"EOF_{number}" if number else "EOF" for number in count())
    mark = next(mark for mark in marks if mark not in code)
    return f"python3 - <<'{mark}'\n{code.removesuffix(chr(10))}\n{mark}"
