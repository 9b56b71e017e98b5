"""A plain-text file of facts, and which entry a question is about.

file  = (comment | entry | blank)*
entry = title ("|" title)* NEWLINE line*     ended by a blank line
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_WORD = re.compile(r"\w+")
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
    title_terms: frozenset[str] = field(compare=False)
    terms: frozenset[str] = field(compare=False)

    @property
    def title(self) -> str:
        return self.titles[0]


def read_almanac(text: str) -> tuple[Entry, ...]:
    entries, lines = list[Entry](), list[str]()
    for line in (*text.split("\n"), ""):
        if line.startswith("#"):
            continue
        if line.strip():
            lines.append(line.strip())
        elif lines:
            entries.append(_entry(lines))
            lines = []
    return tuple(entries)


def nearest(question: str, entries: Sequence[Entry]) -> list[Entry]:
    """The best first; none where nothing is about it."""
    asked = _terms(question)
    known = Counter(term for entry in entries for term in entry.terms)
    worth = {term: math.log(1 + len(entries) / known[term]) for term in asked if known[term]}
    most = sum(worth.get(term, math.log(1 + len(entries))) for term in asked)
    scores = [(_score(entry, worth), entry) for entry in entries]
    near = [(score, entry) for score, entry in scores if _is_about(entry, asked, score, most)]
    return [entry for _, entry in sorted(near, key=lambda pair: -pair[0])]


def _score(entry: Entry, worth: dict[str, float]) -> float:
    """Of titles of the same words, the shorter one is meant."""
    in_title = sum(worth[term] for term in entry.title_terms & worth.keys())
    in_text = sum(worth[term] for term in entry.terms & worth.keys())
    return in_text + (_OF_A_TITLE - 1) * in_title - len(entry.title_terms) / 100


def _is_about(entry: Entry, asked: frozenset[str], score: float, most: float) -> bool:
    whole_title = any(_terms(title) <= asked for title in entry.titles if _terms(title))
    return whole_title or (bool(asked & entry.terms) and score >= _ENOUGH * most)


def _entry(lines: Sequence[str]) -> Entry:
    titles = tuple(title.strip() for title in lines[0].split("|") if title.strip()) or (lines[0],)
    text = "\n".join(lines[1:])
    of_titles = _terms(" ".join(titles))
    return Entry(titles, text, of_titles, of_titles | _terms(text))


def _terms(text: str) -> frozenset[str]:
    return frozenset(_stems(_WORD.findall(_plain(text))))


def _stems(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        if word not in _SMALL:
            yield word.removesuffix("s") if len(word) > len("its") else word


def _plain(text: str) -> str:
    """Without accents: few people type them."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))
