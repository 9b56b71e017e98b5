"""Read the single text that a tool takes, which models may give by name: `{"command": "ls"}`.

text    = the text itself | an object or fields with one; other keys are left out and reported
        | a list of words
edit    = text that ends where an edit ends NEWLINE ["then:" command]
numbers = "all" | (["#" | "%"] number)+               of background commands, with words around them
words   = split as in a shell: at spaces outside quotes
"""

import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.values.arguments import Argument, Named, Unreadable, every, read_arguments

COMMANDS = frozenset({"command", "cmd", "commands", "script", "code", "input", "bash", "shell"})
PATCHES = frozenset({"patch", "diff", "input", "content", "changes"})
ALL = "all"
_SHELLS = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh")
_WORDS = 3  # of `bash -lc COMMAND`
_NUMBER = re.compile(r"(?<![\w.-])[#%]?(\d{1,9})(?![\w-])")  # not the 9 of `kill -9 1`
_ALL = re.compile(r"\b(?:all|every\w*)\b", re.IGNORECASE)
_WORD = re.compile(
    r'"(?P<double>(?:\\.|[^"\\])*)"(?=\s|$)'
    r"|(?P<mark>['`])(?P<single>.*?)(?P=mark)(?=\s|$)"
    r"|(?P<bare>\S+)"
)


# The command below an edit. An edit that has no end of its own could hold such a line, except a
# Python definition, and no file has a line with the name of our tool.
_THEN = re.compile(r"(?P<edit>.*\S)\s*\n[Tt]hen:[ \t]+(?P<command>[^\n]*\S)\s*", re.DOTALL)
_IS_CLOSED = re.compile(r"\s*(?:>{5,9} ?REPLACE\b.*|```+|~~~+|\*\*\* End Patch|[-+ @\\].*)")
_IS_PATCH = re.compile(r"^(?:@@ |--- |\*\*\* |<{5,9} ?SEARCH)", re.MULTILINE)
_IS_PYTHON = re.compile(r"^(?:def|class|async def) \w+.*:\s*$", re.MULTILINE)
_OUR_TESTS = re.compile(r"run_tests\b")


class Checked(NamedTuple):
    """An edit, and the command that checks it."""

    edit: str
    command: str


def checked_edit(text: str) -> Checked | None:
    """Return the edit and, if the last line is `then: COMMAND`, the command."""
    found = _THEN.fullmatch(text)
    if found is None:
        return None
    edit, last = found["edit"], found["edit"].rpartition("\n")[2]
    is_closed = _IS_PATCH.search(edit) and _IS_CLOSED.fullmatch(last)
    is_fenced = last.strip() in ("```", "~~~")
    is_python = _IS_PYTHON.search(edit) and not _IS_PATCH.search(edit)
    if is_closed or is_fenced or is_python or _OUR_TESTS.match(found["command"]):
        return Checked(edit, found["command"])
    return None


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    quoted: bool = False


def named_text(text: str, names: Collection[str]) -> Named | Unreadable | None:
    """Return the text that is given by name, or None for a plain text."""
    argument = Argument(names, _line, begins=True)
    requests = read_arguments(text, (argument,))
    if isinstance(requests, Unreadable):
        return requests
    found = every(requests, argument)
    return Named(found, requests[0].left_out) if len(requests) == len(found) == 1 else None


def _line(value: object) -> tuple[str] | None:
    """Return the line, one that a shell splits into these words, or LINE of `bash -c LINE`."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        is_script = len(value) == _WORDS and value[0] in _SHELLS and value[1] in ("-c", "-lc")
        return (value[-1] if is_script else shlex.join(value),)
    return (value,) if isinstance(value, str) and value else None


_NUMBERS = Argument(
    {"id", "ids", "number", "command", "commandid", "pid", "job", "input", ""},
    lambda value: (str(value),),
)


def background_numbers(text: str) -> tuple[int, ...] | str:
    """Return the numbers of background commands, each once (possibly none), or ALL."""
    requests = read_arguments(text, (_NUMBERS,))
    if not isinstance(requests, Unreadable) and requests:
        text = " ".join(every(requests, _NUMBERS))
    numbers = tuple(dict.fromkeys(int(found) for found in _NUMBER.findall(text)))
    return ALL if not numbers and _ALL.search(text) else numbers


def words(line: str) -> Iterator[Word]:
    """Yield the words of a line. Keep backslashes for patterns, except before `"`."""
    for found in _WORD.finditer(line):
        double, single, bare = found.group("double", "single", "bare")
        if bare is not None:
            yield Word(bare)
        else:
            yield Word(single if double is None else double.replace('\\"', '"'), quoted=True)
