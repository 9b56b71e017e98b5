"""Runs that are removed, whole, each while nobody works on it."""

import os
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.loop import transcript as transcripts
from react_agent.runs.listed import Listed
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import reason

_GONE = ".removed-"  # before its name, while it goes
_BLOCK = 512


def size_of(folder: Path) -> int:
    """Bytes that its removal gives back: of a file with several names, its share. No link is
    followed."""
    total = 0
    for one in disk.entries(folder):
        if one.is_dir(follow_symlinks=False):
            total += size_of(Path(one.path))
        else:
            found = os.lstat(one.path)
            total += found.st_blocks * _BLOCK // max(found.st_nlink, 1)
    return total


def remove(runs: Path, one: Listed) -> str:
    """Why it is still there; empty: it is gone."""
    folder = one.run.folder
    try:
        with transcripts.held(folder.transcript):
            if os.lstat(folder.transcript).st_mtime != one.written:
                return "something was added to it just now"
            gone = runs / f"{_GONE}{folder.path.name}"
            disk.rename(folder.path, gone)  # so that no half of it is ever taken for a run
            remove_tree(gone)
    except ReactAgentError as error:
        return str(error)
    except OSError as error:
        return reason(error)
    return ""


def remove_half_gone(runs: Path) -> None:
    """What a process that was killed in the midst of it has left."""
    for one in disk.entries(runs) if runs.is_dir() else ():
        if one.name.startswith(_GONE) and one.is_dir(follow_symlinks=False):
            remove_tree(Path(one.path))
