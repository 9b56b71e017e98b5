"""The first command of a shell line that a redirect answers, so that it is not run.

pattern = program subcommand* option*      the option anywhere after them
        | program "$"                      with nothing after it but options, and no script fed
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from react_agent.parsers.shell.line import SHELLS, commands, program
from react_agent.parsers.shell.scanner import Command

Pattern = tuple[str, ...]

ALONE = "$"
_VERSION = re.compile(r"(?P<name>python|pip|pypy|ipython)[0-9][0-9.]*")
# The options before a subcommand that take a word.
_GLOBAL = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"),
    "pip": ("--log", "--proxy", "--timeout", "--retries", "--cache-dir", "--python"),
    "docker": ("-H", "--host", "-c", "--context", "--config", "-l"),
    "npm": ("--prefix", "-C", "-w"),
}
_GIVES_CODE = ("-c", "-m", "-s", "-e", "-h", "--help", "-V", "-VV", "--version")


@dataclass(frozen=True, slots=True)
class Barred:
    pattern: Pattern
    text: str  # the command, as it is written


def first_barred(text: str, patterns: Collection[Pattern]) -> Barred | None:
    """Never raises."""
    for command in commands(text):
        given = tuple(_spoken(command))
        for pattern in patterns:
            if _fits(pattern, given, command):
                return Barred(pattern, command.text)
    return None


def _spoken(command: Command) -> Iterator[str]:
    """Its words, with one name for one program and without what comes before a subcommand."""
    name, rest = _plain_name(program(command)), command.words[1:]
    if name == "python" and len(rest) > 1 and rest[0] == "-m" and rest[1] in ("pip", "pip3"):
        name, rest = "pip", rest[2:]
    yield name
    valued, at = _GLOBAL.get(name), 0
    while valued and at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in valued else 1
    yield from rest[at:]


def _plain_name(name: str) -> str:
    found = _VERSION.fullmatch(name)
    return found["name"] if found else name


def _fits(pattern: Pattern, given: Sequence[str], command: Command) -> bool:
    if not pattern or not given or given[0] != pattern[0]:
        return False
    if pattern[1:] == (ALONE,):
        return _is_alone(given, command)
    subcommands = [word for word in pattern if not word.startswith("-")]
    options = [word for word in pattern if word.startswith("-")]
    after = given[len(subcommands) :]
    is_same = list(given[: len(subcommands)]) == subcommands
    return is_same and all(_has(option, after) for option in options)


def _has(option: str, after: Sequence[str]) -> bool:
    """Before a `--`; `-rf` has `-f`."""
    end = after.index("--") if "--" in after else len(after)
    return any(_is_option(option, word) for word in after[:end])


def _is_option(option: str, word: str) -> bool:
    if word == option or word.startswith(f"{option}="):
        return True
    is_letter = len(option) == len("-x") and word.startswith("-") and not word.startswith("--")
    return is_letter and word[1:].isalpha() and option[1] in word


def _is_alone(given: Sequence[str], command: Command) -> bool:
    is_shell = given[0] in SHELLS
    if command.is_fed:
        return False
    return all(
        word.startswith("-") and word != "-" and not _gives_code(word, is_shell=is_shell)
        for word in given[1:]
    )


def _gives_code(word: str, *, is_shell: bool) -> bool:
    letters = word[1:] if not word.startswith("--") else ""
    return word in _GIVES_CODE or (is_shell and letters.isalpha() and "c" in letters)
