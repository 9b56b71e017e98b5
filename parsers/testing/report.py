"""What a log of tests says, whoever wrote it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_OUTSIDE = re.compile(r"^(?:/|<|node:|\.\./)|(?:^|/)(?:site-packages|node_modules|\.venv)/")


@dataclass(frozen=True, slots=True)
class Failure:
    id: str  # as it can be selected
    place: str  # file:line to look at; empty where the log tells none
    lines: tuple[str, ...]  # the error and what explains it
    is_error: bool = False  # it could not run at all
    first: int = 0  # lines of the log that tell of it
    last: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()  # other counts: `3 deselected`
    is_whole: bool = True  # the log came to its end

    @property
    def ran(self) -> int:
        return self.passed + self.failed + self.errors


def is_ours(path: str) -> bool:
    """A path of the repository; those are relative."""
    return bool(path) and _OUTSIDE.search(path) is None


def dedented(lines: Sequence[str]) -> tuple[str, ...]:
    """Without blank ends, two blank lines running, and the indentation that all share."""
    kept = list[str]()
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    while kept and not kept[-1]:
        kept.pop()
    margin = min((len(line) - len(line.lstrip()) for line in kept if line), default=0)
    return tuple(line[margin:] for line in kept)
