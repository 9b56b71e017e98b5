"""How often something may repeat before a run counts as stuck, and what is done then: data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from react_agent.loop.troubles import ANSWERS

SECTION = "stuck"
PATTERNS = ("again", "noise", "reworded", "cycle", "failing", "thoughts")
_LISTS = {"patterns": PATTERNS, "ladder": ANSWERS}
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Patience:
    """The numbers: 0 switches a pattern off. How often `again` may be is the budget `overuse`."""

    patterns: tuple[str, ...] = PATTERNS
    ladder: tuple[str, ...] = ANSWERS  # in this order, each once in a stretch of trouble
    noise: int = 3  # the same call, and what it shows differs in times and such only
    reworded: int = 3  # a call that failed, in other words
    cycle: int = 3  # rounds of two calls; of three or four, as many steps as that takes
    failing: int = 3  # edits after which the same tests fail in the same way
    thoughts: int = 3  # steps in which nothing is done

    def times(self, pattern: str, overuse: int) -> int:
        return overuse if pattern == "again" else int(getattr(self, pattern))


def read_patience(given: Mapping[str, str]) -> Patience:
    """Raises ValueError."""
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if name not in Patience.__dataclass_fields__:
            raise ValueError(f"[{SECTION}] has no {name!r}")
        changed[name] = _words(name, value) if name in _LISTS else _number(name, value)
    return replace(Patience(), **changed)


def _words(name: str, value: str) -> tuple[str, ...]:
    words, known = tuple(value.split()), _LISTS[name]
    if wrong := next((word for word in words if word not in known), None):
        raise ValueError(f"[{SECTION}] {name} has no {wrong!r}: there are {', '.join(known)}")
    if len(set(words)) < len(words):
        raise ValueError(f"[{SECTION}] {name} names one twice: {value}")
    return words


def _number(name: str, value: str) -> int:
    if not value.isdecimal() or int(value[:9]) > _MOST:
        raise ValueError(f"[{SECTION}] {name} is a whole number up to {_MOST}, not {value!r}")
    if int(value) == 1:
        raise ValueError(f"[{SECTION}] {name}: what happens once is no repetition; 0 is off")
    return int(value)
