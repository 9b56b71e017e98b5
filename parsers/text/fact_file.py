"""A plain-text file of facts, and which entries a question is about.

file  = (comment | entry | empty line)*
entry = title ("|" title)* NEWLINE line*     ended by an empty line
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SMALL_WORDS = """
    a about an and are as at be by did do does for from had has have how in is it its me of on or s
    tell that the their there this to was were what when where which who whom whose why will with
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_OF_A_TITLE = 3  # times what a word of the text counts
_ENOUGH = 0.5  # of what the words of a question are worth


@dataclass(frozen=True, slots=True)
class Entry:
    titles: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        return self.titles[0]


def read_fact_file(text: str) -> tuple[Entry, ...]:
    lines = (line.strip() for line in text.split("\n") if not line.startswith("#"))
    parts = re.split(r"\n{2,}", "\n".join(lines).strip("\n"))
    return tuple(_entry(*part.partition("\n")[::2]) for part in parts if part)


def _entry(first: str, text: str) -> Entry:
    titles = tuple(title.strip() for title in first.split("|") if title.strip())
    return Entry(titles or (first,), text)


def nearest(question: str, entries: Sequence[Entry]) -> list[Entry]:
    """The best first; of titles with the same words, the shorter one. None if none is about it."""
    asked = set(_terms(question))
    titles = [set(_terms(" ".join(entry.titles))) for entry in entries]
    every = [title | set(_terms(entry.text)) for title, entry in zip(titles, entries, strict=True)]
    known = Counter(term for terms in every for term in terms)
    worth = {term: math.log(1 + len(entries) / max(known[term], 1)) for term in asked}
    found = list[tuple[float, Entry]]()
    for entry, title, terms in zip(entries, titles, every, strict=True):
        score = sum(worth[term] for term in asked & terms)
        score += (_OF_A_TITLE - 1) * sum(worth[term] for term in asked & title) - len(title) / 100
        wholly = (set(_terms(one)) for one in entry.titles)
        is_whole_title = any(one and one <= asked for one in wholly)
        if is_whole_title or (asked & terms and score >= _ENOUGH * sum(worth.values())):
            found.append((score, entry))
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def _terms(text: str) -> Iterator[str]:
    """Its words without accents, which few people type, and without a plural's s."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    for word in re.findall(r"\w+", plain):
        if word not in _SMALL:
            yield word.removesuffix("s") if len(word) > len("its") else word
