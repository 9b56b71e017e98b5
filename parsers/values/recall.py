"""Read a request to recall an earlier step by its number, or steps by words in them.

request = step | words | fields or an object of "query", "step"
step    = ["step" | "observation" | ...] ["#"] number [(":" | "lines") number ["-" number]]
"""

import re
from dataclasses import dataclass

from react_agent.parsers.values.arguments import (
    PATTERN_NAMES,
    REGEX_NAMES,
    SPAN,
    Argument,
    Span,
    Unreadable,
    every,
    left_out,
    read_arguments,
    span_in,
    texts,
    unquoted,
)

_STEP = re.compile(
    r"(?:(?:steps?|observations?|results?|outputs?)\s*)?#?\s*(?P<step>\d{1,6})"
    rf"(?:(?:\s*:\s*|\s*,?\s*\(?lines?:?\s*){SPAN})?",
    re.IGNORECASE,
)
_HINT = "write words, or the number of a step: 7, or 7:40-80 for lines of it"


@dataclass(frozen=True, slots=True)
class RecallRequest:
    query: str = ""
    step: int | None = None
    lines: Span | None = None  # None: all lines of the step
    left_out: tuple[str, ...] = ()  # names


def parse_recall_request(text: str) -> RecallRequest | Unreadable:
    requests = read_arguments(text, (_QUERIES, _NUMBER), _HINT)
    if isinstance(requests, Unreadable):
        return requests
    if requests:  # written in one line
        words = every(requests, _NUMBER) or map(unquoted, every(requests, _QUERIES))
        text = " ".join(words)
    query, ignored = " ".join(unquoted(text.strip()).split()), left_out(requests)
    if not query:
        return Unreadable(f"nothing to search for: {_HINT}")
    found = _step_in(query)
    if found is None:
        return RecallRequest(query, left_out=ignored)
    lines = span_in(found) if found["start"] else None
    return RecallRequest("", int(found["step"]), lines, ignored)


def _step_in(text: str) -> re.Match[str] | None:
    return _STEP.fullmatch(text.strip(" .:"))


def _number(value: object) -> list[str] | None:
    return [str(value)] if isinstance(value, (int, str)) and _step_in(str(value)) else None


_QUERIES = Argument(
    PATTERN_NAMES | REGEX_NAMES | {"words", "q", "input", "about", ""}, texts, begins=True
)
_NUMBER = Argument(
    {"step", "steps", "number", "n", "id", "observation", "stepnumber", "observations", "index"}
    | {""},
    _number,
    begins=True,
)
