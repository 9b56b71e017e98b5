"""Which files a search goes through, and how that is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools.clip import counted
from react_agent.tools.files.file_list import (
    EVERYTHING,
    Listing,
    below,
    by_glob,
    globbed,
    is_glob,
    literally,
    one_line,
    with_folders,
)
from react_agent.tools.files.paths import Cause, Refused, inside
from react_agent.tools.files.suggestions import near_paths

_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Scope:
    pathspecs: tuple[str, ...]
    files: tuple[str, ...]
    filters: tuple[str, ...]  # as the model wrote them
    repositories: tuple[str, ...]  # inside this one, and never searched
    passed_by: tuple[str, ...]  # of them, those where the filters lead to

    @property
    def said(self) -> str:
        only = f" (path: {', '.join(self.filters)})" if self.filters else ""
        return f"{counted(len(self.files), 'file')}{only}"


def scope_of(root: Path, globs: Sequence[str], every: Listing, *, widen: bool) -> Scope | Refused:
    """What there is of `every` file; globs that name none are refused."""
    if not globs:
        return _scope(EVERYTHING, every.files, (), every)
    pathspecs, named = list[str](), dict[str, None]()
    for glob in globs:
        place = inside(root, glob)
        if isinstance(place, Refused):
            return place
        is_one = not is_glob(glob) or place.full.exists()
        pathspecs.append((literally if is_one else by_glob)(place.name))
        named |= dict.fromkeys((below if is_one else globbed)(place.name, every.files))
    if not named:
        near = _near(root, globs, every) if widen else ""
        return Refused(Cause.MISSING, f"no file matches path: {', '.join(globs)}{near}")
    return _scope(tuple(pathspecs), tuple(named), tuple(globs), every)


def _scope(
    pathspecs: tuple[str, ...], named: Sequence[str], globs: tuple[str, ...], every: Listing
) -> Scope:
    inner = every.submodules
    files = tuple(name for name in named if name not in inner) if inner else tuple(named)
    passed_by = tuple(name for name in inner if name in named)
    return Scope(pathspecs, files, globs, inner, passed_by)


def _near(root: Path, globs: Sequence[str], every: Listing) -> str:
    known = with_folders(every.files)
    if near := near_paths(globs[0], known):
        return f"; near it: {listed(near)}"
    folders = [name for name in known if "/" not in name and (root / name).is_dir()]
    return f"; the folders are: {listed(folders)}" if folders and not is_glob(globs[0]) else ""


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(one_line(name) for name in names[:_MOST_NAMED])
    left = len(names) - _MOST_NAMED
    return f"{shown} and {left:,} more" if left > 0 else shown
