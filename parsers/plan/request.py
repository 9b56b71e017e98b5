"""What requests that change a plan have in common: lines, or JSON where a model insists on it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.plan.plan import Plan
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.values.arguments import Parts, read_object
from react_agent.parsers.values.unreadable import Unreadable

_MOST = 200  # lines
_ROUNDED = re.compile(r":\s*0\.\d*0\s*[,}\n]")  # as a number, 0.10 is 0.1


@dataclass(frozen=True, slots=True)
class Replanned:
    """What came of a request."""

    plan: Plan
    said: tuple[str, ...]  # what has changed, a line each
    mended: tuple[str, ...] = ()  # how the request was read, where it was written otherwise

    @property
    def text(self) -> str:
        mended = f"[{'; '.join(dict.fromkeys(self.mended))}]\n" if self.mended else ""
        return mended + "\n".join(self.said)


def objects(text: str, hint: str) -> tuple[Parts, ...] | Unreadable:
    """None where it is plain text."""
    try:
        found = read_object(text)
    except ParseError as error:
        return Unreadable(f"{error}; write {hint}")
    if found and _ROUNDED.search(text):
        return Unreadable(f"an id that ends in 0 must stand in quotes; better write {hint}")
    return found


def id_of(value: object) -> str | None:
    """Of a member of an object: `0` and `0.1` may be written as numbers."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    return value if isinstance(value, str) else None


def lines_of(text: str) -> list[tuple[int, str]] | Unreadable:
    """Those that say something, with their numbers."""
    found = list(_numbered(text))
    return found if len(found) <= _MOST else Unreadable(f"these are more than {_MOST} lines")


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.expandtabs(4).split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip()


def quoted(line: str, most: int = 60) -> str:
    """In a text of ours; never in the quotes that the names of tools stand in."""
    bare = " ".join(line.split()).replace("`", "'")
    return f'"{bare}"' if len(bare) <= most else f'"{bare[: most - 1]}…"'
