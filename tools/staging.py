"""Bringing an index in line with the work tree; what git add would refuse is left out and named."""

import os
from collections.abc import Callable, Iterable, Sequence

from react_agent.tools.git import Git


def stage(
    git: Git, base: str, *, wanted: Callable[[str], bool] = lambda path: True
) -> tuple[str, ...]:
    """Make the index hold the work tree: what `base` tracks, and the new files that are wanted.

    What the index held before does not matter. Ignored files are never new. The files left out are
    returned; a repository that was made inside the work tree is one, and ends in a slash.
    """
    git.run("read-tree", "--reset", base)
    gone, changed = _differences(git)
    if gone:
        git.run("update-index", "-z", "--force-remove", "--stdin", stdin=_joined(gone))
    new = untracked(git)
    taken = [path for path in new if wanted(path) and not path.endswith("/")]
    refused = _add(git, [*changed, *taken])
    return tuple(sorted({*new} - {*taken} | {*refused}))


def untracked(git: Git) -> list[str]:
    """Files that the index does not hold and no rule ignores."""
    return names(git.run("ls-files", "-z", "--others", "--exclude-standard"))


def _differences(git: Git) -> tuple[list[str], list[str]]:
    # "dirty": to look for changes inside a submodule starts the filters that its settings name
    fields = names(
        git.run("diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=dirty")
    )
    pairs = list(zip(fields[0::2], fields[1::2], strict=True))
    gone = [path for letter, path in pairs if letter == "D"]
    return gone, [path for letter, path in pairs if letter != "D"]


def _add(git: Git, paths: Sequence[str]) -> list[str]:
    """Add them, and find by halving those that can't be: unreadable, a FIFO, a name git forbids."""
    if not paths:
        return []
    answer = git.ask("update-index", "-z", "--add", "--remove", "--stdin", stdin=_joined(paths))
    if not answer.code:
        return []
    if len(paths) == 1:
        return list(paths)
    half = len(paths) // 2
    return _add(git, paths[:half]) + _add(git, paths[half:])


def _joined(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def names(output: bytes) -> list[str]:
    """What git printed because of -z."""
    return [os.fsdecode(field) for field in output.split(b"\0")[:-1]]
