"""A call by the name of a shell or of a program, in what is left to see of a command line.

input = line | "$ " line | quoted line | fenced line | an object or a field with a command
      | for a program: its arguments, or an object or fields of them
"""

import re

from react_agent.parsers.call import Call
from react_agent.parsers.fence import unfenced
from react_agent.parsers.json_tokens import insists_on_json
from react_agent.parsers.named_arguments import named_arguments
from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.payload import read_fields, unquoted
from react_agent.parsers.search_command import IsPath
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
_SPELLED = {
    "ripgrep": "rg",
    "git_ls_files": "git ls-files",
    "gitgrep": "git grep",
    "blame": "git blame",
}
_SUBCOMMAND = re.compile(r"^(git|pip|npm|go|cargo)_")
_BLAMED = re.compile(r"(?P<path>\S+):(?P<start>\d+)-(?P<end>\d+)")
_PROMPT = re.compile(r"\A[$>%] +(?=\S)")
_OPTION = re.compile(r"(?:^|\s)--?[A-Za-z]")
_MANY = 3  # words: a pattern of several, or one and several paths
_PATH_LINE = re.compile(r"\s*[\w.@+][\w.@+/-]*(?::\d+(?:-\d+)?)?\s*")
_LINES = re.compile(r"lines?:?|L?\d+(?:\s*[-,:]\s*L?\d*)?", re.IGNORECASE)


def _never(word: str) -> bool:
    return False


def written_call(name: str, text: str, is_path: IsPath = _never) -> Call | None:
    """Never raises. None: `written_line` is to be run as it is."""
    target = _TARGETS.get(name, "")
    if target and _is_tools_own(name, text, is_path):
        return Call(target, text)
    call = call_of_line(written_line(name, text))
    if call and call.input == text:
        return Call(call.tool, text)
    return call


def written_line(name: str, text: str) -> str:
    """The shell line that such a call means."""
    line = _bare(text)
    if name in _SHELLS:
        whole = unquoted(line)
        return whole if len(whole.split()) > 1 else line
    program = _program(name)
    if _is_named(line, program):
        return line
    if arguments := named_arguments(program, text):
        return arguments
    if program == "git blame" and (lines := _BLAMED.fullmatch(line)):
        return f"{program} -L {lines['start']},{lines['end']} -- {lines['path']}"
    whole = unquoted(line)
    return whole if _is_named(whole, program) else f"{program} {line}".strip()


def _program(name: str) -> str:
    return _SPELLED.get(name) or _SUBCOMMAND.sub(r"\1 ", name)


def _is_named(line: str, program: str) -> bool:
    return line.split()[: len(program.split())] == program.split()


def _bare(text: str) -> str:
    named = named_text(text, COMMANDS)
    line = unfenced(named.text if isinstance(named, NamedText) else text).strip()
    return _PROMPT.sub("", line, count=1)


def _is_tools_own(name: str, text: str, is_path: IsPath) -> bool:
    """Whether it is not a shell's words but what our tool reads by itself."""
    if isinstance(named_text(text, COMMANDS), NamedText):
        return False
    if insists_on_json(text) or read_fields(text):
        return True
    line = _bare(text)
    if _is_named(line, _program(name)) or _is_named(unquoted(line), _program(name)):
        return False
    if "\n" in line and all(map(_PATH_LINE.fullmatch, line.split("\n"))):
        return True
    words, target = line.split(), _TARGETS[name]
    if target == "grep":
        is_typed = (
            _OPTION.search(line)
            or line.startswith(("'", '"'))
            or (1 < len(words) < _MANY and is_path(words[-1]))
        )
        return not is_typed and "\n" not in line and not _is_piped(line)
    if target == "find_file":
        return not any(word.startswith("-") for word in words) and not _is_piped(line)
    return not line.startswith("-") and any(map(_LINES.fullmatch, words[1:]))


def _is_piped(line: str) -> bool:
    return re.search(r"\s(?:\||&&|;|>|2>)", line) is not None
