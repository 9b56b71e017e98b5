"""What a shell line runs: its pipelines if it is plain, and every command that can be seen in it.

Looked through are what only starts another command (`env`, `timeout`, `sudo`, `xargs`, `find
-exec`) and a shell that is handed text (`bash -c`, `eval`, a here-document).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from posixpath import basename

from react_agent.parsers.shell_command import Pipeline, Simple
from react_agent.parsers.shell_scan import scan
from react_agent.parsers.shell_words import Word

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_DEEPEST = 8  # commands that only start another
# The options that take a word, and how many words stand before the command.
_WRAPPERS: dict[str, tuple[str, int]] = {
    "env": ("-u -C -S --unset --chdir", 0),
    "time": ("-f -o", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("-i -o -e", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "exec": ("-a", 0),
    "xargs": ("-n -I -L -P -d -E -s -a", 0),
    "sudo": ("-u -g -h -p -C -D", 0),
    "doas": ("-u -C", 0),
    "watch": ("-n", 0),
}
_RUNNERS = {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run")}
_EXECUTES = ("-exec", "-execdir", "-ok", "-okdir")
_ASKS = ("-v", "-V")  # of `command`: it says where a program is


@dataclass(frozen=True, slots=True)
class ShellLine:
    pipelines: tuple[Pipeline, ...]  # none if it is not plain
    commands: tuple[Simple, ...]  # with those that others start, behind these
    is_plain: bool


def read_line(text: str) -> ShellLine:
    """Never raises."""
    scanned = scan(text)
    commands = tuple(one for each in scanned.commands for one in _seen_in(each, _DEEPEST))
    return ShellLine(scanned.pipelines, commands, scanned.is_plain)


def program(command: Simple) -> str:
    """Its base name."""
    return basename(command.words[0].text) if command.words else ""


def _seen_in(command: Simple, depth: int) -> Iterator[Simple]:
    yield command
    if depth:
        for inner in (*_started(command), *_handed(command)):
            yield from _seen_in(inner, depth - 1)


def _started(command: Simple) -> Iterator[Simple]:
    name, words = program(command), command.words
    if name == "find":
        yield from _executed(command)
    elif name in _WRAPPERS and not (name == "command" and words[1:2] and words[1].text in _ASKS):
        rest = _behind_options(words[1:], *_WRAPPERS[name])
        yield from _with(command, rest, is_fed=name == "xargs")
    elif tuple(word.text for word in words[:2]) in _RUNNERS:
        yield from _with(command, _behind_options(words[2:], "--with --python --extra", 0))


def _with(command: Simple, words: tuple[Word, ...], *, is_fed: bool = False) -> Iterator[Simple]:
    if words:
        yield replace(command, words=words, is_fed=command.is_fed or is_fed)


def _behind_options(words: tuple[Word, ...], valued: str, before: int) -> tuple[Word, ...]:
    at, takes_word = 0, valued.split()
    while at < len(words):
        text = words[at].text
        if text.startswith("-"):
            at += 2 if text in takes_word else 1
        elif "=" in text and text.split("=")[0].isidentifier():
            at += 1
        else:
            break
    return words[at + before :]


def _executed(command: Simple) -> Iterator[Simple]:
    words: list[Word] | None = None
    for word in (*command.words, Word(";")):
        if words is not None and word.text in (";", "+", *_EXECUTES):
            yield from _with(command, tuple(words), is_fed=True)
            words = None
        if word.text in _EXECUTES:
            words = []
        elif words is not None:
            words.append(word)


def _handed(command: Simple) -> Iterator[Simple]:
    """The commands of the text that a shell is handed."""
    if program(command) == "eval":
        yield from scan(" ".join(word.text for word in command.words[1:])).commands
    elif program(command) in SHELLS:
        yield from scan(_script(command) or command.here).commands


def _script(command: Simple) -> str:
    given = command.given
    for at, text in enumerate(given[1:], 1):
        if not text.startswith("-"):
            break
        if "c" in text and not text.startswith("--"):
            return given[at + 1] if at + 1 < len(given) else ""
    return ""
