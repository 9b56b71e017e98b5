"""Differences between trees: git diffs for a whole run in one command, and line counts.

Line counts look like `src/a.py:+3-1` or, for a binary file, `logo.png:*`.
"""

import contextlib
import os
import re
from collections.abc import Collection, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from react_agent.parsers.patch.line_diff import differing
from react_agent.tools.git.door import OF_CHECKPOINTS, Git, GitError, host_git
from react_agent.tools.git.objects import (
    SUBMODULE,
    Difference,
    Entry,
    ObjectError,
    Objects,
    is_known,
)

MOST_BYTES = 8 * 1024 * 1024  # of all diffs
_LARGE = "core.bigFileThreshold=256k"  # a larger file is told like a binary one
_DEADLINE_S = 20.0
_HOW = ("diff-tree", "-r", "-p", "--find-renames", "-l100", "--no-ext-diff", "--no-textconv")
_HEAD = re.compile(rb"^([0-9a-f]{40}) ([0-9a-f]{40})\n", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # with its end: a last line without one is another
MANY = 500  # files that are named
_LOOKED_AT = 2000  # files; what differs beyond them is counted
_LARGEST = 8_000_000  # bytes of a file that is counted; a larger one is told like a binary one
_BINARY = "*"
_START = 8000  # bytes, in which a binary file has a NUL


class Pair(NamedTuple):
    before: str
    after: str


def tree_diffs(root: Path, pairs: Collection[Pair], base: str) -> Mapping[Pair, str]:
    """Return the diffs between known checkpoints that are not too large or too slow to make.

    Files and attributes of the workspace are ignored. Changed line endings of the base do not
    count, because a checkout may have converted them.
    """
    found, ours = dict[Pair, str](), host_git(root)
    own = ours / OF_CHECKPOINTS
    if not pairs or not own.is_dir():
        return found
    git = Git(own, most_bytes=MOST_BYTES, settings=(_LARGE,))
    git = git.having(GIT_DIR=str(own), GIT_OBJECT_DIRECTORY=str(ours / "objects"))
    sound = [pair for pair in pairs if all(map(is_known, pair))]
    between = "".join(f"{one.before} {one.after}\n" for one in sound if one.before != base)
    with contextlib.suppress(GitError):
        for pair in sound:
            if pair.before == base:
                answer = git.ask(*_HOW, "--ignore-cr-at-eol", *pair, deadline_s=_DEADLINE_S)
                found |= {} if answer.code else {pair: os.fsdecode(answer.out)}
        if not between:
            return found
        answer = git.ask(*_HOW, "--stdin", stdin=between.encode(), deadline_s=_DEADLINE_S)
        fields = [os.fsdecode(field) for field in _HEAD.split(answer.out)[1:]]
        parts = list(zip(map(Pair, fields[::3], fields[1::3]), fields[2::3], strict=True))
        found |= parts[:-1] if answer.code else parts  # the last one is incomplete
    return found


def differing_files(objects: Objects, before: str, after: str) -> list[str]:
    """Return the files that differ between two trees, or none if a tree is missing."""
    try:
        return [one.path for one in objects.differences(before, after)]
    except ObjectError:
        return []


def line_counts(
    objects: Objects, before: str, after: str, *, ends_count: bool = True
) -> list[str] | None:
    """Return line counts of the first files that differ, or None if a tree is missing.

    `ends_count` is False for the base commit, because its checkout may have converted line endings.
    """
    if before == after:
        return []
    try:
        found = objects.differences(before, after)
        first = islice(found, _LOOKED_AT)
        counted = [one for each in first if (one := _counted(objects, each, ends_count))]
        more = max(len(counted) - MANY, 0) + sum(1 for _ in found)
    except ObjectError:
        return None
    return counted[:MANY] + ([f":{more}"] if more else [])


def _counted(objects: Objects, one: Difference, ends_count: bool) -> str:
    """Return the line counts of a file. They are empty if only ignored line endings differ."""
    was, now = (_data(objects, entry) for entry in (one.before, one.after))
    if was is None or now is None:
        return f"{one.path}:{_BINARY}"
    is_compared = bool(one.before and one.after) and not ends_count
    if is_compared and was != now:
        was, now = was.replace(b"\r\n", b"\n"), now.replace(b"\r\n", b"\n")
        if was == now:
            return ""
    old, new = (_LINE.findall(data.decode("latin-1")) for data in (was, now))
    gaps = differing(old, new)
    return f"{one.path}:+{sum(d - c for *_, c, d in gaps)}-{sum(b - a for a, b, *_ in gaps)}"


def _data(objects: Objects, entry: Entry | None) -> bytes | None:
    """Return the content of a file, or None if it is binary or too large."""
    if entry is None:
        return b""
    if entry.mode == SUBMODULE:
        return f"Subproject commit {entry.id}\n".encode()
    size = objects.size(entry.id, "blob")
    if size > _LARGEST:
        return None
    data = b"".join(objects.chunks(entry.id, "blob", size))
    return None if b"\0" in data[:_START] else data
