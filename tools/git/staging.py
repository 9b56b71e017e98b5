"""Bringing an index in line with the work tree; what git add would refuse is left out and named."""

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from react_agent.tools.errors import MachineError
from react_agent.tools.files.meanwhile import meanwhile
from react_agent.tools.git.door import Git, refusal

_IN_A_CIRCLE = "Too many levels of symbolic links"
# --replace: git can't tell that what is below a link in a circle is gone.
_UPDATE = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")


@dataclass(frozen=True, slots=True)
class Staged:
    left_out: tuple[str, ...]  # a repository made inside the work tree is one, and ends in a slash
    compared: int  # files that had to be read


def stage(
    git: Git, base: str, *, wanted: Callable[[str], bool] = lambda path: True
) -> tuple[str, ...]:
    """Make the index hold the work tree: what `base` tracks, and the new files that are wanted.

    What the index held before does not matter. Ignored files are never new. The files left out are
    returned.
    """
    git.run("read-tree", "--reset", base)
    return stage_on(git, wanted).left_out


def stage_on(git: Git, wanted: Callable[[str], bool] = lambda path: True) -> Staged:
    """The same, where the index holds the base already."""
    with meanwhile(partial(untracked, git)) as others:  # both look at every file
        gone, changed = _differences(git)
        new = others()
    if gone:
        git.run("update-index", "-z", "--force-remove", "--stdin", stdin=_joined(gone))
        new = untracked(git)
    taken = [path for path in new if wanted(path) and not path.endswith("/")]
    refused = _add(git, changed, tracked=True) + _add(git, taken, tracked=False)
    left_out = tuple(sorted({*new} - {*taken} | {*refused}))
    return Staged(left_out, len(changed))


def untracked(git: Git) -> list[str]:
    """Files that the index does not hold and no rule ignores."""
    return names(git.run("ls-files", "-z", "--others", "--exclude-standard"))


def _differences(git: Git) -> tuple[list[str], list[str]]:
    # "dirty": to look for changes inside a submodule starts the filters that its settings name
    answer = git.ask(
        *("diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=dirty")
    )
    if answer.code:
        raise refusal("diff-files", answer)
    fields = names(answer.out)
    pairs = list(zip(fields[0::2], fields[1::2], strict=True))
    gone = [path for letter, path in pairs if letter == "D"]
    if _IN_A_CIRCLE in answer.err:  # below a link to itself, it can't tell
        gone = names(git.run("ls-files", "-z", "--deleted"))
    return gone, [path for letter, path in pairs if letter != "D"]


def _add(git: Git, paths: Sequence[str], *, tracked: bool) -> list[str]:
    """Add them, but for what git can't hold, found by halving; any other failure is raised."""
    if not paths:
        return []
    answer = git.ask(*_UPDATE, stdin=_joined(paths))
    if not answer.code:
        return _passed_over(paths, answer.err)
    error = refusal("update-index", answer)
    if isinstance(error, MachineError):
        raise error
    if len(paths) > 1:
        halves = paths[: len(paths) // 2], paths[len(paths) // 2 :]
        return [path for half in halves for path in _add(git, half, tracked=tracked)]
    is_forbidden = not tracked and "nvalid path" in answer.err
    if _can_be_read(git.folder / paths[0]) and not is_forbidden:
        raise error
    return list(paths)


def _passed_over(paths: Sequence[str], told: str) -> list[str]:
    """Names that git forbids, such as `git~1`: it says so, and calls that a success."""
    if "Ignoring path " not in told:
        return []
    as_told = {path: os.fsencode(path).decode(errors="replace") for path in paths}
    return [path for path in paths if f"Ignoring path {as_told[path]}\n" in told]


def _can_be_read(path: Path) -> bool:
    """Whether it is a link, or a regular file that lets us read it: all that git holds."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return stat.S_ISLNK(mode) or (stat.S_ISREG(mode) and os.access(path, os.R_OK))


def _joined(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def names(output: bytes) -> list[str]:
    """What git printed because of -z."""
    return [os.fsdecode(field) for field in output.split(b"\0")[:-1]]
