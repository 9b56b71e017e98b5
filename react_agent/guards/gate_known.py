"""What the checks at a Conclusion can know of a run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from react_agent.loop.state import State
from react_agent.parsers.repo.file_roles import is_code, is_of_tests, is_scratch
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.text.gist import headline

_SHOWN = 3
_WORDS = 100  # characters of one


class Holding(Protocol):
    """The files of a change, and those of before it."""

    def files(self) -> Sequence[str]: ...
    def mentions(self, word: str) -> Sequence[str]: ...
    def now(self, path: str) -> bytes | None: ...
    def before(self, path: str) -> bytes | None: ...


def listed(words: Sequence[str]) -> str:
    """The first of them."""
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(headline(word, _WORDS) for word in words[:_SHOWN]) + more


@dataclass(frozen=True)
class Known:
    state: State
    changes: tuple[FileDiff, ...]
    holding: Holding
    left_out: tuple[str, ...] = ()  # new files that will not be part of the change
    differing: Callable[[str, str], Sequence[str]] = lambda before, after: ()  # two checkpoints
    test_command: str = ""  # the configured one

    @cached_property
    def meant(self) -> tuple[FileDiff, ...]:
        """Changed files that are no scratch."""
        return tuple(one for one in self.changes if one.old or not is_scratch(one.new))

    @cached_property
    def code(self) -> tuple[FileDiff, ...]:
        """Those that a test can tell something about."""
        return tuple(one for one in self.meant if is_code(one.path))

    @cached_property
    def of_tests(self) -> tuple[FileDiff, ...]:
        return tuple(one for one in self.meant if is_of_tests(one.path))

    @cached_property
    def has_tests(self) -> bool:
        if self.test_command:
            return True
        files = (*self.holding.files(), *(one.old for one in self.of_tests))
        return any(is_of_tests(path) and is_code(path) for path in files)
