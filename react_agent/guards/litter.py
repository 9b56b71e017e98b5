"""New files that are no part of a change: what was tried with, and what tools leave behind.

The gate tells the model of them, and the end of a run drops them: by these very words.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.parsers.repo.file_roles import is_by_product, is_code, is_scratch
from react_agent.parsers.repo.git_diff import FileDiff

SCRATCH = "looks like scratch"
BY_PRODUCT = "looks like what a tool leaves behind"


@dataclass(frozen=True, slots=True)
class Around:
    """What is known beside a file."""

    changes: tuple[FileDiff, ...]
    title: str  # of what the run is to do: a file that it names is meant
    wrote: Collection[str]  # by edit tools
    mentions: Callable[[str], Collection[str]]  # the files that hold a word
    files: Callable[[], Collection[str]]


def litter(one: FileDiff, around: Around) -> str:
    """Why a file is not to be a part of the change; empty: it is."""
    path = one.new
    if not path or one.old or is_named_in(path, around.title):
        return ""
    if is_scratch(path) and not is_named_elsewhere(path, around.mentions):
        return SCRATCH
    if is_by_product(path) and path not in around.wrote and not _has_older(path, around):
        return BY_PRODUCT
    return ""


def is_named_in(path: str, title: str) -> bool:
    """By its whole name: `.env` is not in `process.env`, and `out.log` not in `stdout.log`."""
    name = re.escape(PurePosixPath(path).name)
    return re.search(rf"(?<![\w.@+-]){name}(?![\w@+/-]|\.\w)", title) is not None


def is_named_elsewhere(path: str, mentions: Callable[[str], Collection[str]]) -> bool:
    name = PurePosixPath(path)
    word = name.stem if is_code(path) else name.name
    return any(other != path for other in mentions(word))


def _has_older(path: str, around: Around) -> bool:
    """Files of the repository in the same folder."""
    new = {one.new for one in around.changes if not one.old}
    parent = PurePosixPath(path).parent
    return any(
        PurePosixPath(other).parent == parent and is_by_product(other)
        for other in around.files()
        if other not in new
    )
