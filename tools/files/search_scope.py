"""Which files a search goes through, and how that is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname

from react_agent.tools.clip import counted
from react_agent.tools.files.file_list import (
    EVERYTHING,
    LITERALLY,
    Listing,
    by_glob,
    file_list,
    is_glob,
    literally,
    one_line,
    with_folders,
)
from react_agent.tools.files.paths import Cause, Refused, inside, unwrapped
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


def pathspecs_of(root: Path, globs: Sequence[str]) -> tuple[str, ...] | Refused:
    """What git is told: everything, or what the globs name."""
    pathspecs = []
    for glob in globs:
        pathspec = _pathspec(root, glob)
        if isinstance(pathspec, Refused):
            return pathspec
        pathspecs.append(pathspec)
    return tuple(pathspecs) or EVERYTHING


def scope_of(
    root: Path, globs: Sequence[str], pathspecs: tuple[str, ...], every: Listing, *, widen: bool
) -> Scope | Refused:
    """What there is of `every` file; globs that name none are refused."""
    files, repositories = _named(root, globs, pathspecs, every), every.submodules
    if globs and not files:
        near = _near(root, globs, every) if widen else ""
        return Refused(Cause.MISSING, f"no file matches path: {', '.join(globs)}{near}")
    others = set(repositories)
    searched = [name for name in files if name not in others] if others else files
    passed_by = tuple(name for name in repositories if _can_hold(root, globs, name))
    return Scope(pathspecs, tuple(searched), tuple(globs), tuple(repositories), passed_by)


def _named(
    root: Path, globs: Sequence[str], pathspecs: tuple[str, ...], every: Listing
) -> Sequence[str]:
    """Only for a pattern git is asked once more."""
    if not globs:
        return every.files
    if any(not one.startswith(LITERALLY) for one in pathspecs):
        return file_list(root, *pathspecs)
    named = [one.removeprefix(LITERALLY) for one in pathspecs]
    below = tuple(f"{name}/" for name in named)
    return [name for name in every.files if "" in named or name in named or name.startswith(below)]


def _can_hold(root: Path, globs: Sequence[str], repository: str) -> bool:
    """Whether a search there would go into the repository, if it went into any."""
    return not globs or any(_leads_to(root, glob, repository) for glob in globs)


def _leads_to(root: Path, glob: str, repository: str) -> bool:
    place = inside(root, glob)
    if isinstance(place, Refused):
        return False
    folder = place.name
    while is_glob(folder):
        folder = dirname(folder)
    if folder in ("", "."):
        return True
    one, other = f"{folder}/", f"{repository}/"
    return one.startswith(other) or other.startswith(one)


def _near(root: Path, globs: Sequence[str], every: Listing) -> str:
    known = with_folders(every.files)
    if near := near_paths(globs[0], known):
        return f"; near it: {listed(near)}"
    folders = [name for name in known if "/" not in name and (root / name).is_dir()]
    return f"; the folders are: {listed(folders)}" if folders and not is_glob(globs[0]) else ""


def _pathspec(root: Path, glob: str) -> str | Refused:
    place = inside(root, glob)
    if isinstance(place, Refused):
        return place
    if is_glob(glob) and not place.full.exists():
        return by_glob(unwrapped(glob).removeprefix("./"))
    return literally(place.name)


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(one_line(name) for name in names[:_MOST_NAMED])
    left = len(names) - _MOST_NAMED
    return f"{shown} and {left:,} more" if left > 0 else shown
