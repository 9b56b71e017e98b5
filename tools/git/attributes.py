"""Changed files as git normalises them by the attributes of the base commit, without filters.

Attributes are read from an index that holds the base, never from files that commands can write.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import MachineError, reason
from react_agent.tools.git.door import Git
from react_agent.tools.git.staging import names

_FILTER = "filter"
_CONVERTING = ("text", "crlf", "eol", "ident", "working-tree-encoding")
_OFF = ("unspecified", "unset")
_FILES = {"100644": 0o644, "100755": 0o755}


@dataclass(frozen=True, slots=True)
class ChangedFile:
    path: str
    old: str  # its mode before; empty: it is new
    mode: str  # its mode now; empty: it is gone
    blob: str


def changed_files(git: Git, before: str, after: str) -> list[ChangedFile]:
    fields = names(git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", before, after))
    return [
        _changed_file(facts, path) for facts, path in zip(fields[::2], fields[1::2], strict=True)
    ]


def _changed_file(facts: str, path: str) -> ChangedFile:
    old, new, _, blob, _ = facts.removeprefix(":").split(" ")
    return ChangedFile(path, old.strip("0") and old, new.strip("0") and new, blob)


def normalise(git: Git, files: Sequence[ChangedFile]) -> tuple[str, ...]:
    """Put them into the index, which holds the base, as `git add` would.

    Returns the paths left out because a filter of the repository, such as LFS, would store them.
    """
    set_for = _attributes(git, [one.path for one in files if one.mode in _FILES])
    filtered = [one for one in files if _FILTER in set_for.get(one.path, ())]
    converted = [
        one
        for one in files
        if set_for.get(one.path) and one not in filtered and not _is_of_git(one.path)
    ]
    _add_converted(git, converted)
    others = [one for one in files if one not in filtered and one not in converted]
    rows = (f"{one.mode or 0} {one.blob}\t{one.path}\0" for one in others)
    if others:
        git.run("update-index", "-z", "--index-info", stdin=os.fsencode("".join(rows)))
    return tuple(one.path for one in filtered)


def _is_of_git(path: str) -> bool:
    """In the folder where files are converted it would count for the others."""
    return path.rpartition("/")[2] == ".gitattributes"


def _attributes(git: Git, paths: Iterable[str]) -> dict[str, set[str]]:
    """The attributes, of those that matter here, that the base sets for these paths."""
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not given:
        return {}
    told = names(
        git.run("check-attr", "--cached", "-z", "--stdin", _FILTER, *_CONVERTING, stdin=given)
    )
    found = dict[str, set[str]]()
    for path, name, value in zip(told[::3], told[1::3], told[2::3], strict=True):
        if value not in _OFF:
            found.setdefault(path, set()).add(name)
    return found


def _add_converted(git: Git, files: Sequence[ChangedFile]) -> None:
    """By git itself, on copies in a folder that holds nothing else."""
    if not files:
        return
    with disk.temporary_folder("normalise") as folder:
        for one in files:
            _write(folder / one.path, git.run("cat-file", "blob", one.blob), _FILES[one.mode])
        given = b"".join(os.fsencode(one.path) + b"\0" for one in files)
        beside = git.having(GIT_WORK_TREE=str(folder))
        beside.run("update-index", "-z", "--add", "--replace", "--stdin", stdin=given)


def _write(place: Path, data: bytes, mode: int) -> None:
    try:
        disk.mkdir(place.parent, parents=True, exist_ok=True)
        disk.write_bytes(place, data)
        disk.chmod(place, mode)
    except OSError as error:
        raise MachineError(f"a temporary file can't be written: {reason(error)}") from None
