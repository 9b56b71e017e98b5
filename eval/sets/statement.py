"""What is told of a change as its issue: the issue that its message links to, else the message."""

from collections.abc import Sequence
from itertools import chain
from pathlib import PurePosixPath

from react_agent.parsers.text.late_pattern import LatePattern

_IGNORE_CASE = 2
_MERGE = LatePattern(r"Merge (?:pull request|branch|remote-tracking branch|branches|tag) .*")
_TRAILER = LatePattern(
    r"(?:[\w-]+-(?:by|id|on|checks)|agent|cc|git-svn-id) *: *\S.*|\(cherry picked from .*\)",
    _IGNORE_CASE,
)
_NUMBERED = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_FIX = LatePattern(
    r"\b(?:(?:hot|bug)?fix(?:e[sd]|ing)?|bugs?|close[sd]?|resolve[sd]?|regressions?|crash\w*|errors?"
    r"|exceptions?|tracebacks?|wrong\w*|incorrect\w*|fail\w*|broken?|breaks?|mistakes?|leaks?"
    r"|hangs?|raises?|avoid\w*|correct\w*|handle[sd]?|prevent\w*|repair\w*|do(?:es)? ?n[o']t|never"
    r"|missing|invalid)\b",
    _IGNORE_CASE,
)
_NUMBER = LatePattern(r"(?<![\w/&])(?:#|gh-|issue[ -]#?)(\d{1,9})\b", _IGNORE_CASE)
_PATH = LatePattern(r"[\w./-]+\.(?:md|markdown|txt|rst)\b")
_STARTS_WITH_NUMBER = LatePattern(r"(?:issue[-_])?0*(\d{1,9})(?:[-_. ].*)?", _IGNORE_CASE)
_WORD = LatePattern(r"[^\W\d_]{2,}")
_FOLDERS = frozenset(("issue", "issues", "bugs", "tickets"))
_SUFFIXES = (".md", ".markdown", ".txt", ".rst")
_FEWEST = 3  # words


def statement(message: str) -> str:
    """Without what git, forges and people add for other readers."""
    lines = [line.rstrip() for line in message.strip().split("\n")]
    if _MERGE.fullmatch(lines[0]):
        lines = "\n".join(lines[1:]).strip().split("\n")
    title = _NUMBERED.sub("", lines[0])
    body = [line for line in lines[1:] if not _TRAILER.fullmatch(line)]
    return "\n".join((title, *body)).strip()


def says_enough(text: str) -> bool:
    return len(_WORD.findall(text)) >= _FEWEST


def is_fix(message: str) -> bool:
    """Of what is wrong, and not of what is new, as far as its words tell."""
    return _FIX.search(message) is not None


def linked_issue(message: str, paths: Sequence[str]) -> str | None:
    """The file of the issue that a message names: by its path, or its number."""
    issues = [path for path in paths if _is_issue(path)]
    named = set(_PATH.findall(message))
    numbers = {int(one) for one in _NUMBER.findall(message)}
    by_path = (path for path in issues if path in named)
    by_number = (path for path in issues if _number(path) in numbers)
    return next(chain(by_path, by_number), None)


def _is_issue(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix.lower() in _SUFFIXES and not _FOLDERS.isdisjoint(name.parts[:-1])


def _number(path: str) -> int | None:
    found = _STARTS_WITH_NUMBER.fullmatch(PurePosixPath(path).stem)
    return int(found[1]) if found else None
