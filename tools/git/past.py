"""Read the messages of the most recent commits made by people.

GitPython reads them in this process. It starts no git, uses none of git's environment variables and
no settings except those of one of our bare repositories, and reads objects only through `objects`.
"""

import heapq
import os
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools import variables
from react_agent.tools.git.door import AUTHOR
from react_agent.tools.git.objects import ObjectError, Objects, commit_stream, is_known

if TYPE_CHECKING:
    from git import Commit, Repo

_MOST, _LOOKED_AT = 100, 250
_LONGEST = 10_000  # characters of a message
_MOST_BYTES = 1_000_000  # of a commit
_ROBOT = LatePattern(
    r"(?i).*\[bot\].*|(?:dependabot|renovate|greenkeeper|snyk|github-actions?|pre-commit-ci|weblate"
    r"|mergify|bors|imgbot|allcontributors|semantic-release|codecov|copybara"
    r"|gitlab[ -]?bot|.*[ -]bot)"
    r"\b.*"
)
# With these variables, GitPython does not search for a git program.
_NO_GIT = {"GIT_PYTHON_REFRESH": "quiet", "GIT_PYTHON_GIT_EXECUTABLE": os.devnull}


def past(place: Path, base: str) -> list[str]:
    """Return the newest messages, without merges, bots and our own. Return none on errors."""
    if not is_known(base):
        return []
    objects = Objects(place / "objects")
    newest = islice(_single(_opened(place, objects), base, objects), _LOOKED_AT)
    try:
        return list(islice((_message(one) for one in newest if _is_of_people(one)), _MOST))
    except (ObjectError, ValueError, IndexError, AttributeError):  # a commit that is none
        return []


def _opened(place: Path, objects: Objects) -> "Repo":
    class Seen:
        """An object database that contains only commits. It ignores the given folder."""

        def __init__(self, folder: str) -> None: ...

        def stream(self, binary: bytes) -> object:
            return commit_stream(objects, binary, _MOST_BYTES)

        info = stream

    with variables.instead("GIT_", _NO_GIT):
        from git import Repo

        return Repo(place, odbt=Seen, expand_vars=False)


def _single(repo: "Repo", base: str, objects: Objects) -> Iterator["Commit"]:
    """Yield this commit and its available ancestors, newest first, without merges."""
    first, numbers = repo.commit(base), count()
    waiting, seen = [(-first.committed_date, next(numbers), first)], {base}
    while waiting:
        _, _, commit = heapq.heappop(waiting)
        if len(commit.parents) <= 1:
            yield commit
        for parent in commit.parents:
            if parent.hexsha not in seen and objects.has(parent.hexsha):
                seen.add(parent.hexsha)
                heapq.heappush(waiting, (-parent.committed_date, next(numbers), parent))


def _is_of_people(commit: "Commit") -> bool:
    name, *addresses = commit.author.name, commit.author.email, commit.committer.email
    is_robot = any(_ROBOT.fullmatch(one or "") for one in (name, addresses[0]))
    return AUTHOR[1] not in addresses and not is_robot


def _message(commit: "Commit") -> str:
    message = commit.message if isinstance(commit.message, str) else commit.message.decode()
    return message.strip()[:_LONGEST]
