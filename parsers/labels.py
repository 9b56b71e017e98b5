"""The six labels: how they are written, and how they are recognised.

A label stands at the start of a line. It is written in one spelling and recognised in many: the
decoration around it (`**`, `#`, backticks), its case, a number and a full-width colon do not count.
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


def dialect(written: Mapping[Label, str], also: Mapping[str, Label] | None = None) -> Dialect:
    spellings = {name.casefold(): label for label, name in written.items()}
    return Dialect(written, {**(also or {}), **spellings})


DEFAULT = dialect(
    {label: label.value for label in Label},
    also={
        "actioninput": Label.INPUT,
        "action_input": Label.INPUT,
        "final answer": Label.CONCLUSION,
    },
)

_DECORATION = "*_`#> \t"
_LONGEST = 40  # of a label with its decoration: a colon further right belongs to the text


@dataclass(frozen=True, slots=True)
class Labelled:
    label: Label
    rest: str


def generous(line: str, spoken: Dialect = DEFAULT) -> Labelled | None:
    """The label a model may have meant at the start of this line."""
    if not line or line[0] in " \t":
        return None
    colon = _first_colon(line)
    if colon < 0:
        return None
    head = line[:colon].strip(_DECORATION)
    label = spoken.read.get(_plain(head))
    if label is None:
        return None
    return Labelled(label, _undecorated_rest(line[:colon], line[colon + 1 :]))


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


def _plain(head: str) -> str:
    """`1. Thought`, `Action 2` and `ACTION` are read by their word."""
    return head.strip("0123456789.) \t").casefold()


def _undecorated_rest(head: str, rest: str) -> str:
    """`**Action:** grep` and `**Action**: grep` both leave `grep`; one space is the label's."""
    for mark in ("**", "__", "`", "*"):
        if head.lstrip("# ").startswith(mark) and rest.startswith(mark):
            return rest[len(mark) :].removeprefix(" ")
    return rest.removeprefix(" ")
