"""What a file defines, as values and as lines of an outline."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST = 100  # characters of a title


@dataclass(frozen=True, slots=True)
class Defined:
    title: str  # `async def read(path)`, `class Reader(Base)`
    first: int
    last: int  # the same as the first where the end is not known
    depth: int = 0  # how many definitions it stands in


@dataclass(frozen=True, slots=True)
class Outline:
    defined: tuple[Defined, ...]
    about: str = ""  # the first line of what the file says of itself
    note: str = ""  # why it may be incomplete


def lines_of(defined: Sequence[Defined]) -> list[str]:
    return [f"{'  ' * one.depth}{_short(one.title)}  {_span(one)}" for one in defined]


def _span(one: Defined) -> str:
    return f"{one.first}-{one.last}" if one.last > one.first else f"{one.first}"


def _short(title: str) -> str:
    return title if len(title) <= _WIDEST else f"{title[: _WIDEST - 3]}..."
