"""Read the behaviour of a hidden tool: one line of a profile or a repository's settings.

answer = "alias" tool | "command" | "shell" | "editor" | "code" | ["redirect" | "protocol"] text
text   names an offered tool as {tool}; {input} is the input of the call, {input|else} has a default

The name of a redirect may be the beginning of a command, such as `git push`. If the name ends with
`$`, as in `python $`, it matches only a command without further arguments.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

_INPUT = re.compile(r"\{input(?:\|(?P<otherwise>[^{}]*))?\}")
_SHOWN = 80  # characters of an input
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|$)\s*", re.DOTALL)
_TOOL = re.compile(r"\{(?P<tool>[a-z_]+)\}")


class How(StrEnum):
    """The kind of input that another agent's tool takes."""

    COMMAND = "command"  # the arguments of a program of that name
    SHELL = "shell"  # a command line
    EDITOR = "editor"  # a command for an editor, in the form that other agents use
    CODE = "code"  # a Python program, or its arguments


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a tool."""

    target: str


@dataclass(frozen=True, slots=True)
class Translated:
    """A tool of another agent, whose calls are translated into calls of our own tools."""

    how: How


@dataclass(frozen=True, slots=True)
class Redirect:
    """A message that says why a tool is not available, and what to do instead."""

    text: str


@dataclass(frozen=True, slots=True)
class Protocol:
    """A message for a call that must be written as a special line of the reply format."""

    text: str


Hidden = Alias | Translated | Redirect | Protocol
KINDS = ("alias", "redirect", "protocol", *How)


def read_hidden(text: str) -> Hidden:
    word, _, rest = text.strip().partition(" ")
    match word:
        case "alias":
            return Alias(rest.strip())
        case "protocol":
            return Protocol(rest.strip())
        case "redirect":
            return Redirect(rest.strip())
    if not rest and word in tuple(How):
        return Translated(How(word))
    return Redirect(text.strip())


def filled(text: str, given: str) -> str:
    """Return the text with the first line of the input inserted."""
    first = given.strip().split("\n")[0][:_SHOWN]
    return _INPUT.sub(lambda found: first or found["otherwise"] or "", text)


def with_tools(text: str, offered: Mapping[str, str]) -> str:
    """Return the text with tool names filled in. Drop sentences with a tool that is not offered."""
    kept = [
        sentence
        for sentence in _SENTENCE.findall(text)
        if all(name in offered for name in _TOOL.findall(sentence) if name != "input")
    ]
    return _TOOL.sub(lambda found: offered.get(found["tool"], found[0]), "".join(kept)).rstrip()
