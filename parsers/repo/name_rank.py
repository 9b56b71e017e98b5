"""Which of many names somebody means, the strictest reading first.

What a name is compared as is a row: whoever reads the answer is told which of them it was.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.claims.spelling import word_parts

_END = "\0"  # of a name, which can't hold it
_LITERAL = re.compile(r"\*\*/|[*?]|\[.*", re.DOTALL)
_NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Ranked:
    how: str  # said to the model; empty for the name itself
    names: tuple[str, ...]


class _Name(NamedTuple):  # it is made ten times as fast as a frozen dataclass
    path: str
    folded: str

    @property
    def base(self) -> str:
        return self.folded.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class _Names:
    every: Sequence[_Name]
    text: str  # all of them, folded: what is not in it is in none

    def holding(self, *parts: str) -> list[_Name]:
        """Those that have all these, ignoring case."""
        folded = [part.casefold() for part in parts]
        if not all(part in self.text for part in folded):
            return []
        found = self.every
        for part in folded:
            found = [name for name in found if part in name[1]]  # folded: by its name it is slow
        return list(found)


_Rung = Callable[[str, _Names], Iterable[_Name]]


def ranked(wanted: str, names: Sequence[str]) -> Iterator[Ranked]:
    """Each rung that finds something, the strictest first; none of them repeats a name."""
    text = _END.join(names).casefold()
    compared = _Names(list(map(_Name, names, text.split(_END))) if names else [], text)
    seen = set[str]()
    for how, rung in _RUNGS:
        found = tuple(name.path for name in rung(wanted, compared) if name.path not in seen)
        seen.update(found)
        if found:
            yield Ranked(how, found)


def glob_ways(glob: str) -> list[str]:
    """In any folder; a `*` may stand for several folders, and `**/` for none."""
    ways = dict.fromkeys((glob.rstrip("/"), glob.rstrip("/").replace("**/", "")))
    return [one for way in ways for one in (way, f"*/{way}")]


def matching(glob: str, names: Sequence[str]) -> list[str]:
    ways = (way.replace("[^", "[!") for way in glob_ways(glob))
    one = re.compile("|".join(map(fnmatch.translate, ways)))
    # most names don't have it, which is seen sooner
    literal = max(_LITERAL.split(glob.rstrip("/")), key=len)
    return [name for name in names if literal in name and one.match(name)]


def _same(wanted: str, names: _Names) -> list[_Name]:
    end = f"/{wanted}"
    found = names.holding(wanted)
    return [name for name in found if name.path == wanted or name.path.endswith(end)]


def _in_another_case(wanted: str, names: _Names) -> list[_Name]:
    bare = wanted.casefold()
    end = f"/{bare}"
    found = names.holding(bare)
    return [name for name in found if name.folded == bare or name.folded.endswith(end)]


def _with_an_extension(wanted: str, names: _Names) -> list[_Name]:
    """`date_util` for `src/date_util.py`."""
    begin = f"{wanted.casefold()}."
    end = f"/{begin}"
    return [name for name in names.holding(begin) if f"/{_stem(name.folded)}.".endswith(end)]


def _in_another_folder(wanted: str, names: _Names) -> list[_Name]:
    folder, _, last = wanted.rpartition("/")
    if not folder or not last:
        return []
    ways = (_same, _in_another_case, _with_an_extension)
    found = next(filter(None, (way(last, names) for way in ways)), [])
    parts = set(folder.casefold().split("/"))
    return sorted(found, key=lambda name: -len(parts & set(name.folded.split("/"))))


def _with_the_same_words(wanted: str, names: _Names) -> list[_Name]:
    """`dateUtil` and `date util` for `date_util.py`, `util/date` for `util/date.py`."""
    letters = _letters(wanted)
    found = _with_all(word_parts(wanted), names)
    return [
        name
        for name in found
        if letters in {_letters(_stem(part)) for part in (name.base, name.folded)}
        or letters in {_letters(part) for part in (name.base, name.folded)}
    ]


def _with_words_in_base(wanted: str, names: _Names) -> list[_Name]:
    words = word_parts(wanted)
    found = [name for name in _with_all(words, names) if all(word in name.base for word in words)]
    return sorted(found, key=lambda name: (len(name.base), name.path))


def _with_words_in_path(wanted: str, names: _Names) -> list[_Name]:
    found = _with_all(word_parts(wanted), names)
    return sorted(found, key=lambda name: (len(name.path), name.path))


def _with_all(words: Sequence[str], names: _Names) -> list[_Name]:
    return names.holding(*words) if words else []


def _stem(path: str) -> str:
    folder, slash, last = path.rpartition("/")
    stem, dot, extension = last.rpartition(".")
    return f"{folder}{slash}{stem if stem and dot else extension}"


def _letters(name: str) -> str:
    return _NO_LETTERS.sub("", name.casefold())


_RUNGS: tuple[tuple[str, _Rung], ...] = (
    ("", _same),
    ("in another case", _in_another_case),
    ("with an extension", _with_an_extension),
    ("in another folder", _in_another_folder),
    ("spelled with the same words", _with_the_same_words),
    ("with these words in the name", _with_words_in_base),
    ("with these words in the path", _with_words_in_path),
)
