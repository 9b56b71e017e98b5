"""What commits changed, as values and as text."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.tools.git.door import Git
from react_agent.tools.git.history import DEADLINE_S, text_of

# Of a merge, what it brought to its first parent; nothing that a repository chooses is started.
_QUIETLY = ("-m", "--first-parent", "-M", "--no-ext-diff", "--no-textconv", "--no-color")
_MOST_BYTES = 16 * 1024 * 1024  # of one file's diff


@dataclass(frozen=True, slots=True)
class Change:
    """Of one file."""

    names: tuple[str, ...]  # before and after, where it moved
    added: str  # lines; "-" of a binary file
    removed: str

    @property
    def line(self) -> str:
        before, after = text_of(self.names[0]), text_of(self.names[-1])
        moved = f" (renamed from {before})" if before != after else ""
        size = "binary" if self.added == "-" else f"+{self.added} -{self.removed}"
        return f"{size} {after}{moved}".replace("\n", "\\n")


def diff_of(git: Git, commit: str, paths: Sequence[str] = ()) -> str:
    """Binary files are named in it, not shown. Raises GitError where it is far too long."""
    less = replace(git, most_bytes=_MOST_BYTES)
    args = ("show", *_QUIETLY, "--format=", "-p", commit, "--", *paths)
    return less.run(*args, deadline_s=DEADLINE_S).decode(errors="replace").strip("\n")


def changes_of(git: Git, commit: str) -> list[Change]:
    out = git.run("show", *_QUIETLY, "--format=", "--numstat", "-z", commit, deadline_s=DEADLINE_S)
    return list(_changes(iter(os.fsdecode(out).split("\0"))))


def _changes(tokens: Iterator[str]) -> Iterator[Change]:
    """`added TAB removed TAB name`; of a renamed file both names stand behind it."""
    for token in tokens:
        added, tab, rest = token.strip("\n").partition("\t")
        removed, _, name = rest.partition("\t")
        if tab:
            names = (name,) if name else (next(tokens, ""), next(tokens, ""))
            yield Change(names, added, removed)


def files_changed(git: Git, commits: Sequence[str]) -> dict[str, int]:
    """How many files each of the commits changed."""
    out = git.run(
        *("log", "--no-walk=unsorted", "--stdin", "-z", "--raw", "--format=%x00%H", *_QUIETLY),
        stdin="".join(f"{commit}\n" for commit in commits).encode(),
        deadline_s=DEADLINE_S,
    )
    counts, commit = dict.fromkeys(commits, 0), ""
    for token in out.decode(errors="replace").split("\0"):
        if token in counts:
            commit = token
        elif commit and token.lstrip("\n").startswith(":"):
            counts[commit] += 1
    return counts
