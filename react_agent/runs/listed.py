"""The runs there are, the newest first, and those of them that a person asks for."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from react_agent.runs.glance import Glance, glance
from react_agent.runs.run_folder import RunFolder
from react_agent.tools import disk


@dataclass(frozen=True, slots=True)
class Lying:
    """A run that has not been looked into."""

    folder: RunFolder
    written: float  # when something was last added to it, in seconds


@dataclass(frozen=True, slots=True)
class Listed:
    run: Glance
    written: float
    age: float  # seconds


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is not said asks for nothing."""

    outcomes: tuple[str, ...] = ()
    repository: Path | None = None  # or a folder in it
    text: str = ""  # in its name, the title of its issue, its repository or its model
    older_than: float | None = None  # seconds


def lying_in(runs: Path) -> list[Lying]:
    """In folders of their own: what a link leads to is somebody else's."""
    folders = disk.entries(runs) if runs.is_dir() else []
    own = (
        Path(one.path)
        for one in folders
        if one.is_dir(follow_symlinks=False) and one.name[0] != "."
    )
    found = [one for folder in own if (one := _lying(RunFolder(folder)))]
    return sorted(found, key=lambda one: (-one.written, one.folder.path.name))


def _lying(folder: RunFolder) -> Lying | None:
    try:
        found = os.lstat(folder.transcript)
    except OSError:
        return None
    return Lying(folder, found.st_mtime) if S_ISREG(found.st_mode) else None


def listed(found: Iterable[Lying], wanted: Wanted, now: float) -> Iterator[Listed]:
    """Each is looked into when it is asked for."""
    for one in found:
        age = max(now - one.written, 0.0)  # something may have been added since it was asked
        if age >= (wanted.older_than or 0):
            run = glance(one.folder)
            if _is_wanted(run, wanted):
                yield Listed(run, one.written, age)


def _is_wanted(run: Glance, wanted: Wanted) -> bool:
    told = "\n".join((run.name, run.title, run.repository, run.model)).casefold()
    return (
        (not wanted.outcomes or run.outcome in wanted.outcomes)
        and (wanted.repository is None or _is_in(wanted.repository, run.repository))
        and wanted.text.casefold() in told
    )


def _is_in(folder: Path, repository: str) -> bool:
    return bool(repository) and Path(repository) in (folder, *folder.parents)
