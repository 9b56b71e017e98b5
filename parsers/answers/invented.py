"""A summary without the sentences that name what its source does not.

Names are files, dotted, underscored and CamelCase symbols, numbers of two digits and more, and all
that stands in backticks. Whoever reads on looks for them, and must not look for what is not there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SENTENCE = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?;])\s+|(?<=[.!?][\"')`\]])\s+|(?<=[。！？；])"
)
_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./~@-]*[A-Za-z0-9_])?")
_NUMBER = re.compile(r"\d+")
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
    """Not as a part of a longer word."""
    at = source.find(name)
    while at >= 0:
        around = source[at - 1 : at] + source[at + len(name) : at + len(name) + 1]
        if not _OF_A_WORD.search(around):
            return True
        at = source.find(name, at + 1)
    return False
