"""What a profile says about going back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from react_agent.parsers.settings.errors import yes_or_no

SECTION = "backtrack"
CHECKS = ("stale", "tree", "names", "case", "spelling")


@dataclass(frozen=True, slots=True)
class BackPolicy:
    most: int = 3  # times in a run
    checks: tuple[str, ...] = CHECKS  # that prove a claim wrong
    critic: bool = True  # asked where a run is stuck and nothing is proved


def read_back_policy(given: Mapping[str, str]) -> BackPolicy:
    """Raises ValueError."""
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if name not in BackPolicy.__dataclass_fields__:
            raise ValueError(f"[{SECTION}] has no {name!r}")
        changed[name] = _value(name, value)
    return replace(BackPolicy(), **changed)


def _value(name: str, value: str) -> Any:
    if name == "checks":
        unknown = [word for word in value.split() if word not in CHECKS]
        if unknown:
            known = ", ".join(CHECKS)
            raise ValueError(f"[{SECTION}] has no check {unknown[0]!r}: there are {known}")
        return tuple(check for check in CHECKS if check in value.split())
    if name == "most":
        if not value.isdecimal() or len(value) > 3:
            raise ValueError(f"[{SECTION}] most is a whole number, not {value!r}")
        return int(value)
    try:
        return yes_or_no(value)
    except ValueError:
        raise ValueError(f"[{SECTION}] {name} is yes or no, not {value!r}") from None
