"""The one text that a tool takes, by the name that models give it: `{"command": "ls"}`.

It is in an object, whose other members are left out and said; a list of words is a command line.
`<command>ls</command>` is read, and `command: ls`, beside fields such as `timeout: 9`: the fields
may stand below a command of one line, or above one of several.
"""

import re
import shlex
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from react_agent.parsers.errors import ParseError
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import (
    Part,
    Parts,
    folded_key,
    read_fields,
    read_object,
    unquoted,
)

COMMANDS = frozenset({"command", "cmd", "commands", "script", "code", "input", "bash", "shell"})
PATCHES = frozenset({"patch", "diff", "input", "content", "changes"})
_TAG = re.compile(r"<(?P<key>\w+)>(?P<text>.*?)</(?P=key)>", re.DOTALL)
_LONGEST_TAGGED = 5_000  # characters; looking for the ends of tags takes its square
_SHELLS = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh")
_SHOWN = 100  # characters of what it was read as
_WORDS = 3  # of `bash -lc COMMAND`


@dataclass(frozen=True, slots=True)
class NamedText:
    text: str
    left_out: tuple[str, ...] = ()  # names

    @property
    def said(self) -> str:
        first, more, _ = self.text.partition("\n")
        shown = first if len(first) <= _SHOWN else f"{first[:_SHOWN]}..."
        left_out = f"; left out: {', '.join(self.left_out)[:_SHOWN]}" if self.left_out else ""
        return f"read as {shown}{' and more lines' if more else ''}{left_out}"


def named_text(text: str, keys: Container[str]) -> NamedText | Unreadable | None:
    """None for what is the text itself."""
    try:
        requests = read_object(text) or _tags(text) or _fields(text, keys)
    except ParseError as error:
        return Unreadable(str(error))
    if len(requests) != 1:
        return None
    found = requests[0].take(keys, _line)
    return NamedText(found[0], requests[0].names) if len(found) == 1 else None


def _tags(text: str) -> tuple[Parts, ...]:
    """`<command>ls</command>`, and nothing but such tags."""
    is_short = len(text) <= _LONGEST_TAGGED and text.lstrip().startswith("<")
    found = list(_TAG.finditer(text)) if is_short else []
    is_all = bool(found) and not _TAG.sub("", text).strip()
    parts = (Part(one["key"], one["text"].strip("\n")) for one in found)
    return (Parts(list(parts)),) if is_all else ()


def _fields(text: str, keys: Container[str]) -> tuple[Parts, ...]:
    lines = text.strip("\n").split("\n")
    heads = [at for at, line in enumerate(lines) if _key(line) in keys]
    if not heads:
        return ()
    above, head, below = lines[: heads[0]], lines[heads[0]], lines[heads[0] + 1 :]
    before, after = (read_fields("\n".join(some)) for some in (above, below))
    ((name, value),) = read_fields(head)
    if (above and not before) or (below and not after and not above):
        return ()
    whole = "\n".join((value, *below)) if below and not after else unquoted(value)
    others = (Part(key, unquoted(one)) for key, one in (*before, *after))
    return (Parts([Part(name, whole), *others]),)


def _key(line: str) -> str:
    field = read_fields(line)
    return folded_key(field[0][0]) if field else ""


def _line(value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return None
    return command_line(value)


def command_line(words: Sequence[str]) -> str:
    """Words as a shell reads them; whole commands as lines."""
    if len(words) == _WORDS and words[0] in _SHELLS and words[1] in ("-c", "-lc"):
        return words[-1]
    are_commands = len(words) > 1 and len(words[0].split()) > 1
    return "\n".join(words) if are_commands else shlex.join(words)


_WORD = re.compile(
    r'"(?P<double>(?:\\.|[^"\\])*)"(?=\s|$)'
    r"|(?P<mark>['`])(?P<single>.*?)(?P=mark)(?=\s|$)"
    r"|(?P<bare>\S+)"
)


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    quoted: bool = False


def words(line: str) -> Iterator[Word]:
    """Backslashes stay, but for one before a double quote: a pattern needs them."""
    for found in _WORD.finditer(line):
        if found["bare"] is not None:
            yield Word(found["bare"])
        elif found["double"] is not None:
            yield Word(found["double"].replace('\\"', '"'), quoted=True)
        else:
            yield Word(found["single"], quoted=True)
