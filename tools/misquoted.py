"""Where a text that quotes a file differs from what the file says there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from react_agent.tools.nearest_region import Misquoted, Nearest, nearest_region
from react_agent.tools.numbered import number, number_lines

_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_PLACES = 10
_NOTHING = "nothing was changed"


@dataclass(frozen=True, slots=True)
class Quote:
    by: str  # `the diff`
    lines: Sequence[str]
    expected: int  # line of the file, counted from 0


def misquoted(which: str, quote: Quote, lines: Sequence[str], most: int) -> Iterator[str]:
    nearest = nearest_region(lines, quote.lines, quote.expected)
    if nearest is None:
        start = max(0, min(quote.expected, len(lines) - len(quote.lines)))
        yield f"{which} quotes lines that the file does not have; {_NOTHING}"
        yield f"around line {start + 1} the file says"
    else:
        start = nearest.start
        yield f"{which} {_what(nearest)}; {_NOTHING}"
        yield from _quoted(quote.by, nearest.misquoted, most)
        yield "the file says"
    first = max(start - _AROUND, 0)
    last = min(start + len(quote.lines) + _AROUND, first + _MOST_SHOWN)
    yield from number_lines(lines[first:last], first + 1, most)


def _what(nearest: Nearest) -> str:
    misquoted = _numbers([one.at for one in nearest.misquoted])
    missed = _numbers(nearest.missed)
    parts = (
        (misquoted, f"misquotes {misquoted} of the file"),
        (missed, f"leaves out {missed} of it" if misquoted else f"leaves out {missed} of the file"),
    )
    return " and ".join(part for holds, part in parts if holds)


def _numbers(ats: Sequence[int]) -> str:
    different = list(dict.fromkeys(str(at + 1) for at in ats))
    if len(different) < 2:
        return f"line {different[0]}" if different else ""
    more = f" and {len(different) - _MOST_PLACES} more" if len(different) > _MOST_PLACES else ""
    return f"lines {', '.join(different[:_MOST_PLACES])}{more}"


def _quoted(by: str, misquoted: Sequence[Misquoted], most: int) -> Iterator[str]:
    if not misquoted:
        return
    spaces = all(one.found is not None and _alike(one.found, one.quoted) for one in misquoted)
    yield f"{by} says, {'with other spaces' if spaces else 'where the file differs'}"
    for one in misquoted[:_MOST_PLACES]:
        yield number(one.at + 1, one.quoted, most)
    if len(misquoted) > _MOST_PLACES:
        yield f"[{len(misquoted) - _MOST_PLACES} more]"


def _alike(one: str, other: str) -> bool:
    return one.strip() == other.strip()
