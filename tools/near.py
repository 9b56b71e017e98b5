"""Names that somebody may have meant when he wrote one that isn't there."""

import difflib
import heapq
from collections.abc import Iterable, Sequence
from posixpath import basename, dirname, normpath

_MOST = 5
_BESIDE = 3  # of the folder that was named
_CANDIDATES = 100  # difflib is slow: only names that share letters with the wanted one get there
_ALIKE = 0.65
_LONG_ENOUGH = 4  # letters, to be like a name without its extension


def near_names(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """The same name elsewhere; if there is none, names that are spelled alike."""
    name = basename(wanted.rstrip("/")).casefold()
    same = [path for path in known if _last(path) == name] or _modules(wanted, known)
    nearest_first = sorted(same, key=lambda path: (-_likeness(wanted, path), path))
    return tuple(nearest_first or _spelled_alike(name, known))[:_MOST]


def _modules(wanted: str, known: Sequence[str]) -> list[str]:
    """`package.module`, or what stands in it, by the file that it is."""
    parts = wanted.split(".") if "/" not in wanted else []
    for end in range(len(parts), 1, -1):
        tail = "/".join(parts[:end])
        files = (f"/{tail}.py", f"/{tail}/__init__.py")
        if found := [path for path in known if f"/{path}".endswith(files)]:
            return found
    return []


def near_paths(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """What is in the folder that was named, the most alike first; then near names elsewhere."""
    path = normpath(wanted)
    folder = dirname(path)
    beside = [name for name in known if folder and dirname(name) == folder]
    nearest_first = sorted(beside, key=lambda name: (-_likeness(path, name), name))
    return tuple(dict.fromkeys((*nearest_first[:_BESIDE], *near_names(wanted, known))))[:_MOST]


def _spelled_alike(name: str, known: Iterable[str]) -> list[str]:
    pairs = _pairs(name)
    ends = [(f" {_last(path)} ", path) for path in known]
    shared = [(sum([pair in end for pair in pairs]), path) for end, path in ends]
    candidates = [path for count, path in heapq.nlargest(_CANDIDATES, shared) if count]
    scored = [(_likeness_of_names(name, _last(path)), path) for path in candidates]
    return [path for score, path in sorted(scored, reverse=True) if score >= _ALIKE]


def _last(path: str) -> str:
    return path.rpartition("/")[2].casefold()


def _likeness_of_names(wanted: str, name: str) -> float:
    """A name without its extension is wanted as often as one with it."""
    stem, dot, _ = name.rpartition(".")
    whole = _likeness(wanted, name)
    bare = dot and len(wanted) >= _LONG_ENOUGH and "." not in wanted
    return max(whole, _likeness(wanted, stem)) if bare else whole


def _pairs(name: str) -> frozenset[str]:
    ends = f" {name} "
    return frozenset(ends[at : at + 2] for at in range(len(ends) - 1))


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
