"""What a shell line runs: every command that can be seen in it.

Looked through are what only starts another command (`env`, `timeout`, `sudo`, `xargs`, `find
-exec`) and a shell that is handed text (`bash -c`, `eval`, a here-document).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from posixpath import basename

from react_agent.parsers.shell.scanner import Command, Scanner

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
_PROMPT = re.compile(r"\$ +(?=\S)")


def commands(text: str) -> tuple[Command, ...]:
    """Those that others start come after these. Never raises."""
    return tuple(one for each in Scanner(text).commands() for one in _seen_in(each, _DEEPEST))


def pipeline(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each command of a line that is one pipeline; none of another line."""
    scanner = Scanner(text.strip())
    found = scanner.commands()
    is_whole = bool(found) and [one.then for one in found[:-1]] == ["|"] * (len(found) - 1)
    if not scanner.is_plain or not is_whole or found[-1].then:
        return ()
    return tuple(one.words for one in found) if all(one.is_literal for one in found) else ()


def program(command: Command) -> str:
    """Its base name."""
    return basename(command.words[0])


def without_prompt(line: str) -> str:
    """Of a line that was copied with the prompt: `$ ls`.

    Only where every line has one: what stands between could be what a command printed.
    """
    lines = [one.lstrip() for one in line.strip().split("\n")]
    if not all(map(_PROMPT.match, lines)):
        return line
    return "\n".join(_PROMPT.sub("", one, count=1) for one in lines)


def _seen_in(command: Command, depth: int) -> Iterator[Command]:
    yield command
    if depth:
        for inner in (*_started(command), *_handed(command)):
            yield from _seen_in(inner, depth - 1)


def _started(command: Command) -> Iterator[Command]:
    name, words = program(command), command.words
    if name == "find":
        yield from _executed(command)
    elif name in _WRAPPERS and not (name == "command" and words[1:2] and words[1] in _ASKS):
        rest = _after_options(words[1:], *_WRAPPERS[name])
        yield from _with(command, rest, is_fed=name == "xargs")
    elif words[:2] in _RUNNERS:
        yield from _with(command, _after_options(words[2:], "--with --python --extra", 0))


def _with(command: Command, words: tuple[str, ...], *, is_fed: bool = False) -> Iterator[Command]:
    if words:
        yield replace(command, words=words, is_fed=command.is_fed or is_fed)


def _after_options(words: tuple[str, ...], valued: str, before: int) -> tuple[str, ...]:
    at, takes_word = 0, valued.split()
    while at < len(words):
        if words[at].startswith("-"):
            at += 2 if words[at] in takes_word else 1
        elif "=" in words[at] and words[at].split("=")[0].isidentifier():
            at += 1
        else:
            break
    return words[at + before :]


def _executed(command: Command) -> Iterator[Command]:
    words: list[str] | None = None
    for word in (*command.words, ";"):
        if words is not None and word in (";", "+", *_EXECUTES):
            yield from _with(command, tuple(words), is_fed=True)
            words = None
        if word in _EXECUTES:
            words = []
        elif words is not None:
            words.append(word)


def _handed(command: Command) -> Iterator[Command]:
    """The commands of the text that a shell is handed."""
    if program(command) == "eval":
        yield from Scanner(" ".join(command.words[1:])).commands()
    elif program(command) in SHELLS:
        yield from Scanner(_script(command) or command.here).commands()


def _script(command: Command) -> str:
    for at, word in enumerate(command.words[1:], 1):
        if not word.startswith("-"):
            break
        if "c" in word and not word.startswith("--"):
            return command.words[at + 1] if at + 1 < len(command.words) else ""
    return ""
