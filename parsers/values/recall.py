r"""What is to be found again: steps by their numbers, or words.

request = ["recall"] (place (("," | ";" | "and" | blank) place)* | words)
place   = ["step" | "observation" | ...] ["#"] number ["-" number | lines]
lines   = (":" | ["of"] ["lines"]) number ["-" number]
        | fields or an object of "query", "step", "lines", "start", "end"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import (
    OF_LINES,
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Arguments,
    read_arguments,
    span_of,
    texts,
    unquoted,
)

_CALL = re.compile(
    r"\s*recall\s*(?:\((?P<given>.*)\)|[:\s]\s*(?P<rest>.*))\s*", re.DOTALL | re.IGNORECASE
)
_STEP = r"(?:(?:steps?|observations?|obs|results?|outputs?|numbers?|no\.?)\s*)?#?\s*"
_TO = r"\s*(?:-|–|—|\.\.+|\bto\b)\s*"
_LINES = (
    rf"(?:\s*:\s*|\s*,?\s*(?:of\s+)?\(?(?:lines?|ll?\.)\s*:?\s*)L?(?P<start>\d{{1,6}})"
    rf"(?:{_TO}(?:L?(?P<end>\d{{1,6}})|end|\$)?|:(?P<end2>\d{{1,6}}))?\)?"
)
_PLACE = re.compile(
    rf"{_STEP}(?P<step>\d{{1,6}})(?:{_LINES}|{_TO}#?(?P<last>\d{{1,6}}))?", re.IGNORECASE
)
_LINES_FIRST = re.compile(
    rf"lines?\s+(?P<start>\d{{1,6}})(?:{_TO}(?P<end>\d{{1,6}}))?\s+(?:of|in|from)\s+{_STEP}"
    r"(?P<step>\d{1,6})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,|;|&|\n|\band\b|\s)\s*", re.IGNORECASE)
_MOST_STEPS = 8
_HINT = "write words, or the number of a step: 7, or 7:40-80 for lines of it"


@dataclass(frozen=True, slots=True)
class Place:
    step: int
    first: int | None = None  # line; none: all of it
    last: int | None = None  # none: as far as is shown at once


@dataclass(frozen=True, slots=True)
class RecallRequest:
    query: str = ""
    places: tuple[Place, ...] = ()
    left_out: tuple[str, ...] = ()  # names


def parse_recall_request(text: str) -> RecallRequest | Unreadable:
    requests = read_arguments(text, (_QUERIES, _STEPS, *OF_LINES), _HINT)
    if isinstance(requests, Unreadable):
        return requests
    request = _named(requests) if requests else _plain(text)
    if len(request.places) > _MOST_STEPS:
        return Unreadable(f"these are too many steps at once: ask for {_MOST_STEPS} or fewer")
    if not request.places and not request.query:
        return Unreadable(f"there is nothing in it to look for: {_HINT}")
    return request


def _plain(text: str) -> RecallRequest:
    bare = text.strip()
    found = _CALL.fullmatch(bare)
    if found:
        bare = (found["given"] or found["rest"] or "").strip()
    bare = bare.strip(" .:") if _PLACE.fullmatch(bare.strip(" .:")) else bare
    places = _places(bare)
    return RecallRequest(places=places) if places else RecallRequest(_words(bare))


def _words(text: str) -> str:
    return " ".join(unquoted(text.strip()).split())


def _places(text: str) -> tuple[Place, ...]:
    """None where anything else is in it."""
    if found := _LINES_FIRST.fullmatch(text):
        return (_with_lines(int(found["step"]), found["start"], found["end"]),)
    places, at = list[Place](), 0
    while at < len(text):
        found = _PLACE.match(text, at)
        if not found:
            return ()
        places += _of(found)
        gap = _BETWEEN.match(text, found.end())
        if found.end() < len(text) and not gap:
            return ()
        at = gap.end() if gap else found.end()
    return tuple(dict.fromkeys(places))


def _of(found: re.Match[str]) -> Iterator[Place]:
    step = int(found["step"])
    if found["last"]:
        first, last = sorted((step, int(found["last"])))
        yield from map(Place, range(first, min(last, first + _MOST_STEPS) + 1))
    else:
        yield _with_lines(step, found["start"], found["end"] or found["end2"])


def _with_lines(step: int, start: str | None, end: str | None) -> Place:
    if start is None:
        return Place(step)
    first, last = int(start), int(end) if end else None
    if last is None or last >= first:
        return Place(step, max(first, 1), last)
    return Place(step, max(last, 1), first)


def _steps(value: object) -> tuple[Place, ...] | None:
    members = value if isinstance(value, list) else [value]
    read = [_places(str(one).strip()) for one in members if isinstance(one, (int, str))]
    return tuple(place for several in read for place in several) or None


_QUERIES = Argument(
    PATTERN_NAMES | REGEX_NAMES | {"words", "q", "input", "about", ""}, texts, begins=True
)
_STEPS = Argument(
    {"step", "steps", "number", "n", "id", "observation", "stepnumber", "observations", "index"}
    | {""},
    _steps,
    begins=True,
)


def _named(requests: tuple[Arguments, ...]) -> RecallRequest:
    """Objects of a list, or members of one, are several places, or words together."""
    queries = [one for request in requests for one in request.all(_QUERIES)]
    places = [one for request in requests for one in _bounded(request)]
    if len(queries) == 1 and not places:
        places += _places(queries[0].strip())
    query = "" if places else " ".join(map(_words, queries))
    left_out = dict.fromkeys(name for request in requests for name in request.left_out)
    return RecallRequest(query, tuple(dict.fromkeys(places)), tuple(left_out))


def _bounded(request: Arguments) -> Iterator[Place]:
    span = span_of(request)
    for step in request.all(_STEPS):
        yield Place(step.step, span.start, span.end) if span else step
