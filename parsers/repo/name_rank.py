"""Find which of many names somebody means, with the strictest comparison first.

A row of the table below is a way to compare names. The answer says which row found the names.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.claims.spelling import word_parts

_END = "\0"  # the end of a name, which can't contain a NUL
_LITERAL = re.compile(r"\*\*/|[*?]|\[.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ranked:
    how: str  # said to the model; empty for the name itself
    names: tuple[str, ...]


class _Name(NamedTuple):  # ten times faster to make than a frozen dataclass
    path: str
    folded: str

    @property
    def base(self) -> str:
        return self.folded.rpartition("/")[2]


_Rung = Callable[[str, Sequence[_Name]], Iterable[_Name]]


def ranked(wanted: str, names: Sequence[str]) -> Iterator[Ranked]:
    """Yield the names that each rung finds, the strictest rung first; no name is repeated."""
    folded = _END.join(names).casefold().split(_END)
    compared = list(map(_Name, names, folded)) if names else []
    seen = set[str]()
    for how, rung in _RUNGS:
        found = tuple(name.path for name in rung(wanted, compared) if name.path not in seen)
        seen.update(found)
        if found:
            yield Ranked(how, found)


def glob_ways(glob: str) -> list[str]:
    """Return globs that match in any folder. A `*` may match several folders, and `**/` none."""
    ways = dict.fromkeys((glob.rstrip("/"), glob.rstrip("/").replace("**/", "")))
    return [one for way in ways for one in (way, f"*/{way}")]


def matching(glob: str, names: Sequence[str]) -> list[str]:
    ways = (way.replace("[^", "[!") for way in glob_ways(glob))
    one = re.compile("|".join(map(fnmatch.translate, ways)))
    # most names lack the literal text, and this check is faster
    literal = max(_LITERAL.split(glob.rstrip("/")), key=len)
    return [name for name in names if literal in name and one.match(name)]


def _ends(text: str, end: str) -> bool:
    """Return whether the path ends with these names."""
    return text == end or text.endswith(f"/{end}")


def _same(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    return [name for name in names if _ends(name.path, wanted)]


def _in_another_case(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    bare = wanted.casefold()
    return [name for name in names if bare in name[1] and _ends(name.folded, bare)]


def _with_an_extension(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    """Return the names that add an extension, such as `src/date_util.py` for `date_util`."""
    bare = wanted.casefold()
    return [name for name in names if f"{bare}." in name[1] and _ends(_stem(name.folded), bare)]


def _in_another_folder(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    folder, _, last = wanted.rpartition("/")
    if not folder or not last:
        return []
    ways = (_same, _in_another_case, _with_an_extension)
    found = next(filter(None, (way(last, names) for way in ways)), [])
    parts = set(folder.casefold().split("/"))
    return sorted(found, key=lambda name: -len(parts & set(name.folded.split("/"))))


def _with_words_in_base(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    words = word_parts(wanted)
    found = _with_words_in_path(wanted, names)
    found = [name for name in found if all(word in name.base for word in words)]
    return sorted(found, key=lambda name: (len(name.base), name.path))


def _with_words_in_path(wanted: str, names: Sequence[_Name]) -> list[_Name]:
    """Return the names that have all words of `wanted`, ignoring case."""
    words = word_parts(wanted)
    found = names if words else ()
    for word in words:
        found = [name for name in found if word in name[1]]  # `folded`, but faster
    return sorted(found, key=lambda name: (len(name.path), name.path))


def _stem(path: str) -> str:
    folder, slash, last = path.rpartition("/")
    stem, _, extension = last.rpartition(".")
    return f"{folder}{slash}{stem or extension}"


_RUNGS: tuple[tuple[str, _Rung], ...] = (
    ("", _same),
    ("in another case", _in_another_case),
    ("with an extension", _with_an_extension),
    ("in another folder", _in_another_folder),
    ("with these words in the name", _with_words_in_base),
    ("with these words in the path", _with_words_in_path),
)
