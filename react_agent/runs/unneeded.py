"""Cuts of repositories that no run needs any more: they are made again where they are wanted."""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from react_agent.runs.glance import glance
from react_agent.runs.listed import lying_in
from react_agent.runs.run_folder import RunFolder
from react_agent.tools import disk

_DAY_S = 86_400.0  # a run that is beginning may have made one, and have written nothing yet
_CUT = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})(?:-[0-9a-f]{16})?\.git")
_HALF = ".building-"  # of one whose making was broken off
_LONGEST = 10_000  # bytes that say where objects are borrowed


def unneeded_cuts(cuts: Path, runs: Path, going: Collection[str], now: float) -> list[Path]:
    """Once the runs of these names are gone: of no other's base, borrowed from by no workspace, and
    a day old or more."""
    staying = [RunFolder(run) for run in _folders(runs) if run.name not in going]
    borrowed = {place for run in staying for place in _borrowed(run.workspace)}
    found = (one.folder for one in lying_in(runs))
    bases = {glance(run).base for run in found if run.path.name not in going}
    return [
        cut
        for cut in _folders(cuts)
        if now - os.lstat(cut).st_mtime >= _DAY_S
        and _is_unneeded(cut.name, bases)
        and os.path.realpath(cut) not in borrowed
    ]


def _folders(folder: Path) -> list[Path]:
    found = disk.entries(folder) if folder.is_dir() else []
    return sorted(Path(one.path) for one in found if one.is_dir(follow_symlinks=False))


def _is_unneeded(name: str, bases: Collection[str]) -> bool:
    found = _CUT.fullmatch(name)
    return found[1] not in bases if found else name.startswith(_HALF)


def _borrowed(workspace: Path) -> Iterator[str]:
    """Whose objects it needs; of a run that is beginning, too, which has no transcript yet."""
    file = workspace / ".git" / "objects" / "info" / "alternates"
    try:
        lines = disk.start_of_regular(file, _LONGEST)
    except OSError:  # it was not kept
        return
    for line in os.fsdecode(lines).split("\n"):
        yield os.path.realpath(Path(line).parent)
