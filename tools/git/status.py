"""What `git status` tells of a work tree: which files differ from those of an index."""

import os
from dataclasses import dataclass

from react_agent.tools.git.door import Git, refusal
from react_agent.tools.git.staging import names

MOST = 64 * 1024 * 1024  # bytes of a file that is read whole
_HOW = (
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
    "--no-renames",
)
_IN_A_CIRCLE = "Too many levels of symbolic links"
# Names that git may refuse to hold, because other systems take them for `.git` or `.gitmodules`.
_ODD = (".git", "git~", "gi7eba", "gitmod~")
_USUAL = (".gitignore", ".gitattributes", ".github", ".gitlab", ".gitlab-ci.yml", ".gitkeep")


@dataclass(frozen=True, slots=True)
class Looked:
    changed: tuple[str, ...]  # new ones, too
    gone: tuple[str, ...]
    inner: tuple[str, ...]  # not looked into: repositories inside, which end in a slash; submodules


def look(git: Git, deadline_s: float) -> Looked | None:
    """None where the index has to be asked: a name that git may refuse, a large file, a circle."""
    changed, gone, inner = list[str](), list[str](), list[str]()
    # the index gets what files look like now, so that they are not read again the next time
    answer = git.having(GIT_OPTIONAL_LOCKS="1").ask("status", *_HOW, deadline_s=deadline_s)
    if answer.code:
        raise refusal("status", answer)
    for row in names(answer.out):
        kind, _, rest = row.partition(" ")
        if kind == "?":
            (inner if rest.endswith("/") else changed).append(rest)
            if _is_odd(rest):
                return None
        elif kind == "1":
            facts, path = rest.split(" ", 7)[:7], rest.split(" ", 7)[7]
            if facts[1].startswith("S"):
                inner.append(path)
            else:
                (gone if facts[0][1] == "D" else changed).append(path)
        else:
            return None
    root = git.folder
    is_large = any(_size(f"{root}/{path}") > MOST for path in changed)
    return (
        None
        if is_large or _IN_A_CIRCLE in answer.err
        else Looked(*map(tuple, (changed, gone, inner)))
    )


def _is_odd(path: str) -> bool:
    parts = path.casefold().split("/")
    return "\\" in path or any(one.startswith(_ODD) and one not in _USUAL for one in parts)


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
