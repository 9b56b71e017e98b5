"""Read a request to recall earlier steps by their numbers, or by words in them.

request = place (("," | ";" | "and" | blank) place)* | words
place   = ["step" | "observation" | ...] ["#"] number ["-" number | lines]
lines   = (":" | ["lines"]) number ["-" number]
        | fields or an object of "query", "step"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.values.arguments import (
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Span,
    Unreadable,
    every,
    left_out,
    read_arguments,
    span_from,
    texts,
    unquoted,
)

_TO = r"\s*(?:-|–|\bto\b)\s*"
_PLACE = re.compile(
    r"(?:(?:steps?|observations?|results?|outputs?)\s*)?#?\s*(?P<step>\d{1,6})"
    r"(?:(?:\s*:\s*|\s*,?\s*\(?lines?:?\s*)"
    rf"(?P<start>\d{{1,6}})(?:{_TO}(?:(?P<end>\d{{1,6}})|end)?)?\)?"
    rf"|{_TO}#?(?P<last>\d{{1,6}}))?"
    r"(?:\s*(?:,|;|\band\b|\s)\s*|$)",
    re.IGNORECASE,
)
_MOST_STEPS = 8
_HINT = "write words, or the number of a step: 7, or 7:40-80 for lines of it"


@dataclass(frozen=True, slots=True)
class Place:
    step: int
    lines: Span | None = None  # None: all lines


@dataclass(frozen=True, slots=True)
class RecallRequest:
    query: str = ""
    places: tuple[Place, ...] = ()
    left_out: tuple[str, ...] = ()  # names


def parse_recall_request(text: str) -> RecallRequest | Unreadable:
    requests = read_arguments(text, (_QUERIES, _STEPS), _HINT)
    if isinstance(requests, Unreadable):
        return requests
    if requests:  # written in one line
        text = ", ".join(every(requests, _STEPS)) or " ".join(
            map(unquoted, every(requests, _QUERIES))
        )
    places = _places(text)
    if len(places) > _MOST_STEPS:
        return Unreadable(f"too many steps at once: ask for {_MOST_STEPS} or fewer")
    query = "" if places else " ".join(unquoted(text.strip()).split())
    if not places and not query:
        return Unreadable(f"nothing to search for: {_HINT}")
    return RecallRequest(query, places, left_out(requests))


def _places(text: str) -> tuple[Place, ...]:
    """Return the places, or none if the text contains anything else."""
    text = " ".join(text.split()).strip(" .:")
    found = list(_PLACE.finditer(text))
    is_all = "".join(one[0] for one in found) == text
    return tuple(dict.fromkeys(place for one in found if is_all for place in _of(one)))


def _of(found: re.Match[str]) -> Iterator[Place]:
    step, start, end, last = (
        int(group) if group else None for group in found.group("step", "start", "end", "last")
    )
    assert step is not None
    if last is not None:
        first, last = sorted((step, last))
        yield from map(Place, range(first, min(last, first + _MOST_STEPS) + 1))
    else:
        yield Place(step, None if start is None else span_from(start, end))


def _steps(value: object) -> list[str] | None:
    members = value if isinstance(value, list) else [value]
    return [
        str(one) for one in members if isinstance(one, (int, str)) and _places(str(one))
    ] or None


_QUERIES = Argument(
    PATTERN_NAMES | REGEX_NAMES | {"words", "q", "input", "about", ""}, texts, begins=True
)
_STEPS = Argument(
    {"step", "steps", "number", "n", "id", "observation", "stepnumber", "observations", "index"}
    | {""},
    _steps,
    begins=True,
)
