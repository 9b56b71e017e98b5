"""Read the answer of a model that was asked for fewer, fuller Thoughts.

answer  = (entry | text)*                    its reasoning left aside
entry   = head text? line*                   up to an empty line, a label, `%%` or another head
head    = "Steps" numbers (":" | "-")        in bold, in brackets, in a list, behind `Thought:`
numbers = n | n "-" m | n "to" m | n "," m

Nothing in the answer is trusted. An entry is dropped if it covers steps that were not asked about
or that an earlier entry covers. A sentence is dropped if it has a name that its source lacks: a
file, a dotted, underscored or CamelCase symbol, a number of two or more digits, or anything in
backticks. A later reader would look for it in vain.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label
from react_agent.parsers.transcript.quoting import in_any_dialect
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.parsers.turn.special import cleaned

_JOINT = r"\s*(?:[-‐-―−,&]|\.\.\.?|…|to\b|through\b|until\b|and\b)\s*(?:steps?\s*|#)?"
_HEAD = LatePattern(
    r"[\s>*_#`•+-]*+(?:\d{1,3}[.)]\s+[*_`]*+)?(?P<opened>[\[(]\s*)?(?:(?P<word>steps?)\b[\s*_#:]*+)?"
    rf"(?P<numbers>\d{{1,6}}(?:{_JOINT}\d{{1,6}})*+)(?P<closed>[\s\])*_`]*+)"
    r"(?P<mark>[:：]|[-‐-―=]+(?=\s))?(?P<rest>.*)",
    re.IGNORECASE,
)
_NUMBER = LatePattern(r"\d+")
_LIST = LatePattern(r",|&|and", re.IGNORECASE)
_FENCE = LatePattern(r"\s*(?:```|~~~)[\w-]*\s*")
_BULLET = LatePattern(r"(?:[-*•+]|\d{1,2}[.)])\s+")
_BOLD = LatePattern(r"\*\*(\S(?:[^*]*\S)?)\*\*")
_STRAY = "*_ \t"
_CLOSED = frozenset("])*_`")


class Condensed(NamedTuple):
    first: int
    last: int
    text: str  # one line


def read_condensed(answer: str, first: int, last: int) -> list[Condensed]:
    """Return the entries for steps from `first` to `last`, in their order."""
    found, reached = list[Condensed](), first - 1
    for entry in _entries(answer):
        if entry.text and reached < entry.first <= entry.last <= last:
            found.append(entry)
            reached = entry.last
    return found


def write_condensed(entries: Iterable[Condensed]) -> str:
    return "\n\n".join(f"Steps {one.first}-{one.last}: {one.text}" for one in entries)


@dataclass(slots=True)
class _Open:
    first: int
    last: int
    lines: list[str] = field(default_factory=list)

    @property
    def entry(self) -> Condensed:
        text = " ".join(" ".join(self.lines).split())
        return Condensed(self.first, self.last, _BOLD.sub(r"\1", text).strip())


def _entries(answer: str) -> Iterator[Condensed]:
    here: _Open | None = None
    for line in cleaned(without_reasoning(answer)).split("\n"):
        text = _unlabelled(line)
        head = _head(text) if text else None
        if here and (head or text is None or (here.lines and not text.strip())):
            yield here.entry
            here = None
        if head:
            here, text = head
        if here and text and (said := _said(text)):
            here.lines.append(said)
    if here:
        yield here.entry


def _unlabelled(line: str) -> str | None:
    """Return the line without the label of a thought, or None if the line ends the entry."""
    if line.lstrip().startswith(BOOKKEEPING):
        return None
    labelled = in_any_dialect(line.strip())
    if labelled is None:
        return line
    return labelled.rest if labelled.label is Label.THOUGHT else None


def _head(line: str) -> tuple[_Open, str] | None:
    found = _HEAD.match(line)
    if found is None:
        return None
    is_range = len(_NUMBER.findall(found["numbers"])) > 1 and found["mark"] in (":", "：")
    has_ended = found["mark"] or _CLOSED & set(found["closed"]) or not found["rest"].strip()
    if not (found["word"] or found["opened"] or is_range) or not has_ended:
        return None
    rest = _unlabelled(found["rest"].lstrip(_STRAY + ":："))
    return _Open(*_range(found["numbers"])), "" if rest is None else rest


def _range(numbers: str) -> tuple[int, int]:
    """Return the first and the last number, or (0, 0) for a list with a gap."""
    found = [int(number) for number in _NUMBER.findall(numbers)]
    is_list = _LIST.search(numbers) or len(found) > 2
    if is_list and found != list(range(found[0], found[0] + len(found))):
        return 0, 0
    return found[0], found[-1]


def _said(line: str) -> str:
    bare = line.strip()
    if _FENCE.fullmatch(bare):
        return ""
    while bullet := _BULLET.match(bare):
        bare = bare[bullet.end() :]
    return bare


_SENTENCE = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?;])\s+|(?<=[.!?][\"')`\]])\s+|(?<=[。！？；])"
)
_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./~@-]*[A-Za-z0-9_])?")
_SYMBOL = re.compile(
    r"[A-Za-z0-9]_[A-Za-z0-9]|\b__?[A-Za-z]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}"
    r"|[A-Za-z]\d|\d[A-Za-z]{3}|[A-Za-z0-9]\.[A-Za-z]"
)
_SHORT = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")  # e.g., i.e.
_OF_A_WORD = re.compile(r"\w", re.ASCII)


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
    yield from filter(_is_name, _WORD.findall(sentence))


def _is_name(word: str) -> bool:
    return "/" in word or bool(_SYMBOL.search(word) and not _SHORT.fullmatch(word))


def _is_known(name: str, source: str) -> bool:
    if _stands(name, source):
        return True
    if "-" in name:  # `dates.py-like`
        return all(not _is_name(part) or _is_known(part, source) for part in name.split("-"))
    is_prose = "/" in name and not ("." in name or "_" in name)  # `and/or`
    return is_prose and all(_stands(part, source) for part in name.split("/") if part)


def _stands(name: str, source: str) -> bool:
    """Return whether the name occurs in the source as a whole word."""
    at = source.find(name)
    while at >= 0:
        around = source[at - 1 : at] + source[at + len(name) : at + len(name) + 1]
        if not _OF_A_WORD.search(around):
            return True
        at = source.find(name, at + 1)
    return False
