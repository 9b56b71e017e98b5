"""Read the answer of a model that was asked to condense its Thoughts into fewer ones.

answer = (entry | text)*                     reasoning is ignored
entry  = "Steps" numbers (":" | "-") line*   (labelled.py) up to an empty line, a label or `%%`

Nothing in the answer is trusted. An entry is dropped if it covers a step that the request did not
include or that an earlier entry covers. A sentence is dropped if it contains a name that does not
occur in its source: a file, a dotted, underscored or CamelCase symbol, a number of two or more
digits, or anything in backticks. A later reader would search for such a name in vain.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from react_agent.parsers.answers.labelled import read
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.names import is_name
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label
from react_agent.parsers.transcript.quoting import in_any_dialect

_NUMBER = LatePattern(r"\d+")
_BULLET = LatePattern(r"(?m)^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_BOLD = LatePattern(r"\*\*(\S(?:[^*]*\S)?)\*\*")


class Condensed(NamedTuple):
    first: int
    last: int
    text: str  # one line


def read_condensed(answer: str, first: int, last: int) -> list[Condensed]:
    """Return the entries for the steps from `first` to `last`, in order."""
    found, reached = list[Condensed](), first - 1
    for one in read("\n".join(map(_unlabelled, answer.split("\n"))), ("step",)):
        lines = _BULLET.sub("", one.text.partition("\n\n")[0])
        text = _BOLD.sub(r"\1", " ".join(_unlabelled(lines).split()))
        if text and one.numbers and reached < one.number <= one.numbers[-1] <= last:
            found.append(Condensed(one.number, one.numbers[-1], text))
            reached = one.numbers[-1]
    return found


def write_condensed(entries: Iterable[Condensed]) -> str:
    return "\n\n".join(f"Steps {one.first}-{one.last}: {one.text}" for one in entries)


def _unlabelled(line: str) -> str:
    """Return the line without a thought's label. A line with another label ends the entry."""
    if line.lstrip().startswith(BOOKKEEPING):
        return ""
    labelled = in_any_dialect(line.strip())
    if labelled is None:
        return line
    return labelled.rest if labelled.label is Label.THOUGHT else ""


_SENTENCE = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?;])\s+|(?<=[.!?][\"')`\]])\s+|(?<=[。！？；])"
)
_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./~@-]*[A-Za-z0-9_])?")


@dataclass(frozen=True, slots=True)
class Source:
    text: str
    numbers: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", frozenset(_NUMBER.findall(self.text)))


def without_invented(text: str, source: Source) -> str:
    sentences = (sentence.strip() for sentence in _SENTENCE.split(text))
    return " ".join(
        sentence
        for sentence in sentences
        if sentence
        and all(_is_known(name, source.text) for name in _names(sentence))
        and all(number in source.numbers for number in _NUMBER.findall(sentence) if len(number) > 1)
    )


def _names(sentence: str) -> Iterator[str]:
    for quoted in _QUOTED.findall(sentence):
        yield from _WORD.findall(quoted)
    yield from filter(is_name, _WORD.findall(sentence))


def _is_known(name: str, source: str) -> bool:
    """Return whether the name, or each of its parts, occurs in the source as a whole word."""
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source, re.ASCII):
        return True
    parts = name.split("-") if "-" in name else ()  # `dates.py-like`
    return bool(parts) and all(not is_name(one) or _is_known(one, source) for one in parts)
