"""The changes of a history, the newest first: of a merge, all that it brought is one change."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from react_agent.tools.git.door import Git

_AT_ONCE = 500  # commits
_DEADLINE_S = 600.0
# No path begins with a slash, so what does is a commit.
_HEAD = "%x00/%H%n%P%n%cI%n%B%x00"
_LOG = ("log", "-z", "--first-parent", "--diff-merges=first-parent", "--name-only", "--no-renames")
# Whatever the repository's own settings say, the same as anywhere.
_DIFF = (
    *("diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--no-renames", "--unified=3", "--inter-hunk-context=0", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)


@dataclass(frozen=True, slots=True)
class Change:
    commit: str
    base: str  # its first parent; empty: it is the first commit
    created: str
    message: str
    paths: tuple[str, ...]


def changes(git: Git, rev: str, since: str | None = None) -> Iterator[Change]:
    """`since`: a day."""
    when = (f"--since={since}T00:00:00Z",) if since else ()  # of a day alone git takes this hour
    skipped = 0
    while True:
        how = (*when, f"--format={_HEAD}", f"--max-count={_AT_ONCE}", f"--skip={skipped}")
        found = list(_read(git.run(*_LOG, *how, rev, "--", deadline_s=_DEADLINE_S)))
        yield from found
        skipped += _AT_ONCE
        if len(found) < _AT_ONCE:
            return


def diff(git: Git, change: Change, paths: Sequence[str]) -> str | None:
    """What it did to these files; None where that is not text in UTF-8."""
    if not paths:
        return ""
    told = git.run(*_DIFF, change.base, change.commit, "--", *paths)
    try:
        return told.decode()
    except UnicodeDecodeError:
        return None


def _read(told: bytes) -> Iterator[Change]:
    head, paths = b"", list[str]()
    for one in told.split(b"\0"):
        if one.startswith(b"/"):
            if head:
                yield _change(head, paths)
            head, paths = one, []
        elif one.strip(b"\n"):
            paths.append(os.fsdecode(one if paths else one.removeprefix(b"\n")))
    if head:
        yield _change(head, paths)


def _change(head: bytes, paths: Sequence[str]) -> Change:
    commit, parents, created, message = head[1:].decode(errors="replace").split("\n", 3)
    return Change(commit, parents.partition(" ")[0], created, message.strip(), tuple(paths))
