"""When a prompt is compressed, how far, and by which stages: data of a profile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

SECTION = "compress"
STAGES = ("all", "newest", "condense", "memory", "last")
KNOWN = (*STAGES, "everything")
_SHARES = ("to", "enough")
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Policy:
    stages: tuple[str, ...] = STAGES
    at: int = 0  # tokens of a prompt and the reply to it; 0: what the window has
    to: float = 0.3  # of the room that steps have: how far down, once it is full
    enough: float = 0.6  # of that room: with less, no Thought is given up
    history: int = 0  # steps that are shown; 0: all that fit
    remind: int = 5  # lines of memory that come without being asked for


def read_policy(given: Mapping[str, str]) -> Policy:
    """Raises ValueError."""
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if name not in Policy.__dataclass_fields__:
            raise ValueError(f"[{SECTION}] has no {name!r}")
        changed[name] = _value(name, value)
    policy = replace(Policy(), **changed)
    if policy.to > policy.enough:
        raise ValueError(f"[{SECTION}] `to` can't be more than `enough`")
    return policy


def _value(name: str, value: str) -> Any:
    if name == "stages":
        unknown = [word for word in value.split() if word not in KNOWN]
        if unknown:
            raise ValueError(
                f"[{SECTION}] has no stage {unknown[0]!r}: there are {', '.join(KNOWN)}"
            )
        return tuple(value.split())
    if name in _SHARES:
        share = float(value) if value.replace(".", "", 1).isdecimal() else 0.0
        if not 0.0 < share < 1.0:
            raise ValueError(f"[{SECTION}] {name} is a share of the room, as 0.5, not {value!r}")
        return share
    if not value.isdecimal() or len(value) > _DIGITS:
        raise ValueError(f"[{SECTION}] {name} is a whole number, not {value!r}")
    return int(value)
