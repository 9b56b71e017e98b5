"""A call by the name of a shell or of a program, in what is left to see of a command line.

input = line | "$ " line | quoted line | fenced line | an object or a field with a command
      | for a program: its arguments, or an object of them
"""

import re

from react_agent.parsers.call import Call
from react_agent.parsers.fence import unfenced
from react_agent.parsers.json_tokens import insists_on_json
from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.payload import read_fields, unquoted
from react_agent.parsers.shell_calls import call_of_line
from react_agent.parsers.shell_line import SHELLS

_SHELLS = SHELLS | {
    "run", "shell", "terminal", "console", "cmd", "command", "exec", "execute_bash", "run_command",
    "execute_command", "run_shell_command", "run_terminal_cmd", "run_terminal_command", "run_bash",
    "bash_command", "run_in_terminal",
}  # fmt: skip
_TARGETS = {
    **dict.fromkeys(("cat", "less", "more", "bat", "nl"), "read_file"),
    **dict.fromkeys(("ls", "ll", "dir", "tree"), "list_files"),
    **dict.fromkeys(("find", "fd"), "find_file"),
    **dict.fromkeys(("grep", "rg", "ag", "ack", "git_grep", "egrep", "fgrep", "ripgrep"), "grep"),
}
_SPELLED = {"ripgrep": "rg", "git_ls_files": "git ls-files", "gitgrep": "git grep"}
_PROMPT = re.compile(r"[$>#%] +(?=\S)")
_LINES = re.compile(r"lines?:?|L?\d+(?:\s*[-,:]\s*L?\d*)?", re.IGNORECASE)


def written_call(name: str, text: str) -> Call | None:
    """Never raises. None: `written_line` is to be run as it is."""
    target = _TARGETS.get(name, "")
    if target and _is_tools_own(name, target, text):
        return Call(target, text)
    call = call_of_line(written_line(name, text))
    if call and call.input == text:
        return Call(call.tool, text)
    return call


def written_line(name: str, text: str) -> str:
    """The shell line that such a call means."""
    line = _bare(text)
    if name in _SHELLS:
        return line
    program = _SPELLED.get(name) or re.sub(r"^git_", "git ", name)
    is_named = line == program or line.startswith((f"{program} ", f"{program}\t"))
    return line if is_named else f"{program} {line}".strip()


def _bare(text: str) -> str:
    named = named_text(text, COMMANDS)
    inner = named.text if isinstance(named, NamedText) else text
    line = unfenced(inner).strip()
    whole = unquoted(line)
    line = whole if re.search(r"\s", whole) else line
    return _PROMPT.sub("", line, count=1) if _PROMPT.match(line) and line[0] != "#" else line


def _is_tools_own(name: str, target: str, text: str) -> bool:
    """Whether it is not a shell's words but what our tool reads by itself."""
    if isinstance(named_text(text, COMMANDS), NamedText):
        return False
    if insists_on_json(text) or read_fields(text):
        return True
    line = _bare(text)
    if line.startswith((f"{_SPELLED.get(name, name)} ", name.replace("_", " ") + " ")):
        return False
    if target == "grep":
        return not line.startswith(("-", "'", '"')) and "\n" not in line and not _is_piped(line)
    if target == "find_file":
        return not any(word.startswith("-") for word in line.split()) and not _is_piped(line)
    return target == "read_file" and any(_LINES.fullmatch(word) for word in line.split()[1:])


def _is_piped(line: str) -> bool:
    return re.search(r"\s(?:\||&&|;|>|2>)", line) is not None
