"""Suggest existing names similar to one that does not exist."""

import difflib
import heapq
from collections import Counter
from collections.abc import Sequence
from posixpath import basename, dirname, normpath

from react_agent.tools.files.file_list import one_line

_MOST = 5
_MOST_LISTED = 8
_BESIDE = 3  # of the folder that was named
_CANDIDATES = 100  # difflib is slow: only names that share letters with the wanted one get there
_ALIKE = 0.65
_END = "\0"  # of a path, which can't hold it
_LONG_ENOUGH = 4  # letters, to be like a name without its extension


def near_names(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """The same name elsewhere; if there is none, names that are spelled alike."""
    name = basename(wanted.rstrip("/")).casefold()
    folded = _END.join(known).casefold().split(_END) if known else []
    lasts = [path.rpartition("/")[2] for path in folded]
    same = [path for path, last in zip(known, lasts, strict=True) if last == name]
    nearest_first = sorted(same, key=lambda path: (-_likeness(wanted, path), path))
    return tuple(nearest_first or _spelled_alike(name, known, lasts))[:_MOST]


def near_paths(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """What is in the folder that was named, the most alike first; then near names elsewhere."""
    path = normpath(wanted)
    folder = dirname(path)
    beside = [name for name in known if folder and dirname(name) == folder]
    nearest_first = sorted(beside, key=lambda name: (-_likeness(path, name), name))
    return tuple(dict.fromkeys((*nearest_first[:_BESIDE], *near_names(wanted, known))))[:_MOST]


def near_it(wanted: str, known: Sequence[str]) -> str:
    """To be said behind what is not there; empty if nothing is near it."""
    near = near_paths(wanted, known)
    return f"; near it: {listed(near)}" if near else ""


def _spelled_alike(name: str, known: Sequence[str], lasts: Sequence[str]) -> list[str]:
    """A name without its extension is wanted as often as one with it."""
    shared, ends = Counter[int](), [f" {last} " for last in lasts]
    padded = f" {name} "
    for pair in {padded[at : at + 2] for at in range(len(padded) - 1)}:
        shared.update([at for at, end in enumerate(ends) if pair in end])
    is_stem = len(name) >= _LONG_ENOUGH and "." not in name
    scored = list[tuple[float, str]]()
    for _, path, at in heapq.nlargest(
        _CANDIDATES, ((n, known[at], at) for at, n in shared.items())
    ):
        stem, dot, _ = lasts[at].rpartition(".")
        written = (lasts[at], stem) if is_stem and dot else (lasts[at],)
        scored.append((max(_likeness(name, one) for one in written), path))
    return [path for score, path in sorted(scored, reverse=True) if score >= _ALIKE]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(one_line(name) for name in names[:_MOST_LISTED])
    left = len(names) - _MOST_LISTED
    return f"{shown} and {left:,} more" if left > 0 else shown
