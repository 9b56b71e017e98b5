"""The six labels: how they are written, and how they are recognised.

A label stands at the start of a line. It is written in one spelling and recognised in many: the
decoration around it (`**`, `#`, backticks), its case, how its words are joined, a number, invisible
characters before it and a full-width colon do not count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Label(StrEnum):
    OBJECTIVE = "Objective"
    THOUGHT = "Thought"
    ACTION = "Action"
    INPUT = "Action Input"
    OBSERVATION = "Observation"
    CONCLUSION = "Conclusion"


BOOKKEEPING = "%%"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The spellings of one language or one model; what is written is always among what is read."""

    written: Mapping[Label, str]
    read: Mapping[str, Label]

    def write(self, label: Label) -> str:
        return self.written[label] + ":"


_MARKS = ("***", "**", "__", "`", "*", "_")
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_BEFORE = "*_`# \t0123456789.)" + _INVISIBLE  # `1. **Thought`
_BEHIND = "*_`# \t0123456789"  # `Action 2**`
_JOINTS = str.maketrans("", "", " \t_")
_LONGEST = 40  # of a label with its decoration: a colon further right belongs to the text


def _plain(head: str) -> str:
    """The words of a label, joined: what spellings are compared by."""
    return head.lstrip(_BEFORE).rstrip(_BEHIND).casefold().translate(_JOINTS)


def dialect(written: Mapping[Label, str], also: Mapping[str, Label] | None = None) -> Dialect:
    spellings = {**(also or {}), **{name: label for label, name in written.items()}}
    return Dialect(written, {_plain(name): label for name, label in spellings.items()})


DEFAULT = dialect({label: label.value for label in Label}, also={"Final Answer": Label.CONCLUSION})


@dataclass(frozen=True, slots=True)
class Labelled:
    label: Label
    rest: str


def generous(line: str, spoken: Dialect = DEFAULT) -> Labelled | None:
    """The label a model may have meant at the start of this line."""
    colon = _first_colon(line)
    if colon < 0 or line[0] in " \t":
        return None
    head = line[:colon]
    label = spoken.read.get(_plain(head))
    if label is None:
        return None
    return Labelled(label, _undecorated(line[colon + 1 :], head))


def strict(line: str) -> Labelled | None:
    """The label that this line of a transcript file bears."""
    name, colon, rest = line.partition(":")
    if not colon or name not in _STRICT:
        return None
    return Labelled(_STRICT[name], rest.removeprefix(" "))


_STRICT = {label.value: label for label in Label}


def _first_colon(line: str) -> int:
    ascii_colon = line.find(":", 0, _LONGEST)
    wide_colon = line.find("：", 0, _LONGEST)
    if ascii_colon < 0 or wide_colon < 0:
        return max(ascii_colon, wide_colon)
    return min(ascii_colon, wide_colon)


def _undecorated(rest: str, head: str) -> str:
    """`**Action:** grep` and `**Action**: grep` both leave `grep`; one space is the label's."""
    for mark in _MARKS:
        if rest.startswith(mark) and head.count(mark) % 2:
            return rest.removeprefix(mark).removeprefix(" ")
    return rest.removeprefix(" ")
