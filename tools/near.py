"""Names that somebody may have meant when he wrote one that isn't there."""

import difflib
from collections.abc import Iterable, Sequence
from posixpath import basename, dirname, normpath

_MOST = 5
_BESIDE = 3  # of the folder that was named
_CANDIDATES = 100  # difflib is slow: only names that share letters with the wanted one get there
_ALIKE = 0.65


def near_names(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """The same name elsewhere; if there is none, names that are spelled alike."""
    name = basename(wanted.rstrip("/")).casefold()
    same = [path for path in known if basename(path).casefold() == name]
    nearest_first = sorted(same, key=lambda path: (-_likeness(wanted, path), path))
    return tuple(nearest_first or _spelled_alike(name, known))[:_MOST]


def near_paths(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """What is in the folder that was named, the most alike first; then near names elsewhere."""
    path = normpath(wanted)
    folder = dirname(path)
    beside = [name for name in known if folder and dirname(name) == folder]
    nearest_first = sorted(beside, key=lambda name: (-_likeness(path, name), name))
    return tuple(dict.fromkeys((*nearest_first[:_BESIDE], *near_names(wanted, known))))[:_MOST]


def _spelled_alike(name: str, known: Iterable[str]) -> list[str]:
    letters = _pairs(name)
    shared = [(len(letters & _pairs(basename(path).casefold())), path) for path in known]
    candidates = [path for count, path in sorted(shared, reverse=True)[:_CANDIDATES] if count]
    scored = [(_likeness(name, basename(path).casefold()), path) for path in candidates]
    return [path for score, path in sorted(scored, reverse=True) if score >= _ALIKE]


def _pairs(name: str) -> frozenset[str]:
    ends = f" {name} "
    return frozenset(ends[at : at + 2] for at in range(len(ends) - 1))


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
