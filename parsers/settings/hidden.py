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


class HiddenKind(StrEnum):
    """How a call of a hidden tool is answered."""

    ALIAS = "alias"  # it is another name of a tool
    REDIRECT = "redirect"  # by a message: why it is not available, and what to do instead
    PROTOCOL = "protocol"  # by a message: it is a special line of the reply format
    # It is a tool of another agent, and is translated into a call of our own tools. It takes:
    COMMAND = "command"  # the arguments of a program of that name
    SHELL = "shell"  # a command line
    EDITOR = "editor"  # a command for an editor, in the form that other agents use
    CODE = "code"  # a Python program, or its arguments


TRANSLATED = (HiddenKind.COMMAND, HiddenKind.SHELL, HiddenKind.EDITOR, HiddenKind.CODE)


@dataclass(frozen=True, slots=True)
class Hidden:
    kind: HiddenKind
    text: str = ""  # the message, or the tool of an alias

    @property
    def target(self) -> str:
        """Return the tool of an alias, or an empty string."""
        return self.text if self.kind is HiddenKind.ALIAS else ""


def read_hidden(text: str) -> Hidden:
    word, _, rest = text.strip().partition(" ")
    if word in tuple(HiddenKind) and bool(rest) is not (word in TRANSLATED):
        return Hidden(HiddenKind(word), rest.strip())
    return Hidden(HiddenKind.REDIRECT, text.strip())


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
