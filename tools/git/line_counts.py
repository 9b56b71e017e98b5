"""How many lines of which files differ between two trees: `src/a.py:+3-1`, `logo.png:*`."""

from react_agent.tools.git.changes import MOST_S
from react_agent.tools.git.door import Git, GitError
from react_agent.tools.git.staging import names

MANY = 500  # files that are named
_BINARY = "-"
_NONE = ":+0-0"  # only its mode, or a new file that is empty
_HOW = ("diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")


def line_counts(git: Git, before: str, after: str) -> list[str] | None:
    """Of all files, the first ones; None where git can't tell, as of a tree that is gone."""
    if before == after:
        return []
    try:
        told = names(git.run(*_HOW, "--numstat", before, after, deadline_s=MOST_S))
    except GitError:
        return None
    return [_counted(line) for line in told[:MANY]] + _more(len(told) - MANY)


def start_counts(git: Git, base: str, after: str) -> list[str] | None:
    """The same, from a commit whose lines may have got other ends when it was checked out."""
    found = line_counts(git, base, after)
    if not found:
        return found
    modified = {*names(git.ask(*_HOW, "--name-only", "--diff-filter=M", base, after).out)}
    how = ("--numstat", "--ignore-cr-at-eol", "--diff-filter=M")
    told = map(_counted, names(git.ask(*_HOW, *how, base, after).out))
    really = {_path(one): one for one in told if not one.endswith(_NONE)}
    return [
        really.get(_path(one), one)
        for one in found
        if one.endswith(_NONE) or _path(one) in really or _path(one) not in modified
    ]


def _counted(line: str) -> str:
    added, removed, path = line.split("\t", 2)
    return f"{path}:*" if added == _BINARY else f"{path}:+{added}-{removed}"


def _path(counted: str) -> str:
    return counted.rpartition(":")[0]


def _more(count: int) -> list[str]:
    return [f":{count}"] if count > 0 else []
