"""request = "hook: " name NEWLINE ("commit: " id NEWLINE | push*) "top: " folder NEWLINE
push    = "push: " old " " new " " ref NEWLINE

As the hook's script writes it. The folder comes last, as its name may hold the end of a line.
"""

import re
from dataclasses import dataclass

from react_agent.parsers.settings.errors import parse_error

_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_TOP = "\ntop: "


@dataclass(frozen=True, slots=True)
class Push:
    old: str  # zeros: the branch is new
    new: str
    ref: str

    @property
    def is_new(self) -> bool:
        return not self.old.strip("0")


@dataclass(frozen=True, slots=True)
class HookRequest:
    hook: str
    top: str
    commit: str = ""
    pushes: tuple[Push, ...] = ()


def read_request(text: str) -> HookRequest:
    head, found, top = text.partition(_TOP)
    if not found or not top.endswith("\n"):
        raise parse_error(1, "`top: ` and a folder at the end", text[-40:])
    lines = head.split("\n")
    hook, commit, pushes = "", "", list[Push]()
    for number, line in enumerate(lines, 1):
        name, _, value = line.partition(": ")
        if name == "hook":
            hook = value
        elif name == "commit" and _ID.fullmatch(value):
            commit = value
        elif name == "push":
            pushes.append(read_push(value, number))
        else:
            raise parse_error(number, "`hook: `, `commit: ID` or `push: `", line)
    return HookRequest(hook, top.removesuffix("\n"), commit, tuple(pushes))


def read_push(text: str, number: int = 1) -> Push:
    """`OLD NEW REF`"""
    words = text.split(" ", 2)
    if len(words) != 3 or not all(map(_ID.fullmatch, words[:2])):
        raise parse_error(number, "OLD NEW REF", text)
    return Push(*words)
