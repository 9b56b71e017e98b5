"""A patch as the set of lines that it changes, whatever its spacing, quotes and comments.

What two attempts have in common is seen by it, not what is to be applied.
"""

import re
from collections.abc import Iterator

from react_agent.parsers.repo.git_diff import read_git_diff

_COMMENT = re.compile(r"^(?:#|//|/\*|\*|--|<!--)|^\"\"\".*\"\"\"$")
_BLANKS = re.compile(r"\s+")

Changed = frozenset[tuple[str, str, str]]  # path, `+` or `-`, line


def changed_lines(patch: str) -> Changed:
    """Of a canonical git patch; blank lines and comments are nobody's difference."""
    return frozenset(_lines(patch))


def _lines(patch: str) -> Iterator[tuple[str, str, str]]:
    for file in read_git_diff(patch):
        for sign, lines in (("-", file.removed), ("+", file.added)):
            texts = (_normal(line.text) for line in lines)
            yield from ((file.path, sign, text) for text in texts if _counts(text))


def _counts(text: str) -> bool:
    return bool(text) and not _COMMENT.match(text)


def _normal(line: str) -> str:
    """Without the comment behind it, where it can be told."""
    text = _BLANKS.sub(" ", line.strip()).replace('"', "'")
    code, mark, _ = text.partition(" # ")
    is_comment = mark and code.count("'") % 2 == 0
    return (code if is_comment else text).rstrip(" ,;")


def likeness(one: Changed, other: Changed) -> float:
    """From 0 to 1: how much of what either changes both do."""
    every = one | other
    return len(one & other) / len(every) if every else 1.0
