"""git's diffs between checkpoints of a workspace: those of a whole run in one command, mostly."""

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from react_agent.tools.git.door import OF_CHECKPOINTS, Git, GitError, host_git

MOST_BYTES = 8 * 1024 * 1024  # of all diffs
_LARGE = "core.bigFileThreshold=256k"  # a larger file is told like a binary one
_DEADLINE_S = 20.0
_HOW = ("diff-tree", "-r", "-p", "--find-renames", "-l100", "--no-ext-diff", "--no-textconv")
_OBJECT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_HEAD = re.compile(rb"^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n", re.MULTILINE)


class Pair(NamedTuple):
    before: str
    after: str


def checkpoints_at(root: Path) -> Git | None:
    """git on the checkpoints of this workspace alone: no file of it is looked at, no attribute
    that a command may have set. None where there are none."""
    ours = host_git(root)
    own = ours / OF_CHECKPOINTS
    if not own.is_dir():
        return None
    git = Git(own, most_bytes=MOST_BYTES, settings=(_LARGE,))
    return git.having(GIT_DIR=str(own), GIT_OBJECT_DIRECTORY=str(ours / "objects"))


def tree_diffs(git: Git, pairs: Collection[Pair], base: str) -> Mapping[Pair, str]:
    """Those that git can tell: of objects that are there, in time, and not too much.

    A checkout may have given the files of the base other ends of lines, which are no change."""
    found = dict[Pair, str]()
    sound = [pair for pair in pairs if all(map(_OBJECT.fullmatch, pair))]
    others = [pair for pair in sound if pair.before != base]
    with contextlib.suppress(GitError):
        for pair in sound:
            if pair.before == base:
                found |= _from_base(git, pair)
        found |= _between(git, others) if others else {}
    return found


def _from_base(git: Git, pair: Pair) -> dict[Pair, str]:
    answer = git.ask(*_HOW, "--ignore-cr-at-eol", *pair, deadline_s=_DEADLINE_S)
    return {} if answer.code else {pair: _text(answer.out)}


def _between(git: Git, pairs: Collection[Pair]) -> dict[Pair, str]:
    given = "".join(f"{pair.before} {pair.after}\n" for pair in pairs)
    answer = git.ask(*_HOW, "--stdin", stdin=given.encode(), deadline_s=_DEADLINE_S)
    found = dict(_parts(answer.out))
    if answer.code and found:
        found.popitem()  # git has failed in the midst of it
    return found


def _parts(out: bytes) -> Iterator[tuple[Pair, str]]:
    heads = list(_HEAD.finditer(out))
    starts = [*(head.start() for head in heads), len(out)]
    for head, end in zip(heads, starts[1:], strict=True):
        before, after = map(bytes.decode, head.groups())
        yield Pair(before, after), _text(out[head.end() : end])


def _text(out: bytes) -> str:
    return out.decode(errors="surrogateescape")
