"""Decide what to do about a fault: change the request, retry it, or give up.

Only parts of the request that the endpoint names are changed. A change is remembered once the
changed request gets an answer. Each change is tried once per call.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from react_agent.errors import ModelError, TimeUp
from react_agent.models.connection import Connection
from react_agent.models.endpoint import TOKENS, Manner
from react_agent.models.wire import Failed, Fault
from react_agent.parsers.servers.http_answers import backoff, one_line, spread
from react_agent.parsers.servers.overflow import Overflow, read_output_limit, read_overflow


@dataclass(frozen=True, slots=True)
class Mend:
    lesson: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Again:
    """Retry after a while. `seconds` is the delay that the endpoint asked for, if any."""

    seconds: float | None = None
    is_limit: bool = False  # too many requests


@dataclass(frozen=True, slots=True)
class Shorter:
    """Request a shorter reply. `room` is the number of tokens that this prompt leaves for it."""

    room: int


Remedy = Mend | Shorter | Again | Overflow | str  # a text: give up, with this advice

LEAST_ROOM = 256  # tokens of a reply: with less, it is the prompt that is too long
_TRANSIENT = (408, 409, 425, 429)
_TOO_MANY, _TOO_LARGE, _NOT_IMPLEMENTED = 429, 413, 501
_INTERNAL = 500  # a second try mostly works
_OF_A_TEMPLATE = {"system", "parts"}  # a server's template may fail because of these
_MENDABLE = (400, 404, 405, 415, 422, 500, _NOT_IMPLEMENTED)
_FINAL_KINDS = ("invalid_request", "authentication", "permission", "not_found", "billing")
_SPENT = re.compile(
    r"insufficient_quota|exceeded your current quota|spend(?:ing)?[ _]limit|billing|credit balance"
    r"|payment|hard limit",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://\S+")
_NUMBER = r"\d{1,6}(?:\.\d{1,9})?"
_WAIT = re.compile(
    rf"\b(?:try again|retry)\w* (?:in|after) ((?:{_NUMBER} ?[a-z]{{0,12}} ?){{1,4}})",
    re.IGNORECASE,
)
_PART = re.compile(rf"({_NUMBER}) ?(ms|milli|[dhms])?", re.IGNORECASE)
_UNITS = {"ms": 0.001, "milli": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_REFUSES = re.compile(
    r"support|unknown|unrecognized|unexpected|extra (?:inputs|fields)|permitted|allowed|invalid"
    r"|deprecated|no longer|instead|must (?:be|not|end)|expected|cannot|can't|enabled|implemented"
    r"|only|should|failed to parse grammar",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(r"unsupported|not (?:yet )?(?:supported|implemented)", re.IGNORECASE)
_OVERFLOWS = ("context_length_exceeded", "exceed_context_size_error")
_SYSTEM = (
    r"system (?:role|message|prompt)s?|role 'system'|messages\[\d+\]\.role|developer instruction"
)
# What a message names, and what is learned from it.
_LESSONS: tuple[tuple[str, dict[str, str]], ...] = (
    (r"stop(?:_sequences)?", {"stop": "no"}),
    (r"(?:assistant (?:message )?)?prefill|end with a user message", {"prefill": "no"}),
    (r"temperature|top_p|top_k", {"sampling": "no"}),
    (r"seed", {"seed": ""}),
    (r"grammar", {"grammar": "no"}),
    (r"thinking[.\w]*|reasoning(?:_effort)?|output_config|effort", {"thinking": ""}),
    (r"stream_options|include_usage", {"usage": "no"}),
    (r"stream(?:ing)?", {"stream": "no"}),
    (r"cache_control|prompt_cache_key", {"cache": "no"}),
    (_SYSTEM, {"system": "no"}),
    (r"content\b.{0,80}\bstring|sequence, expected a string|valid string", {"parts": "no"}),
)
_TRIES = 6  # of a request, where the endpoint fails
_TRIES_HERE = 2  # where nobody listens on this machine: somebody has to start it
_TRIES_AT_A_LIMIT = 40  # where it refuses because of its limits
_FIRST, _LONGEST = 0.5, 30.0  # seconds
_LITTLE = 0.1  # seconds
_LONGEST_ERROR = 300
_WORDS = {
    Failed.REFUSED: "no connection",
    Failed.CONNECTION: "no connection",
    Failed.TIMEOUT: "no answer in time",
    Failed.BROKEN: "the answer was interrupted",
    Failed.ENDED: "the answer ended without its end marker",
    Failed.STRANGE: "the answer can't be read",
}
_ADVICE: Mapping[int, str] = {
    401: "the key was refused",
    402: "the account has no credit left",
    403: "the key has no permission for this",
    404: "the model or the address was not found",
}


def failure(fault: Fault, secret: str) -> str:
    """Return how a request failed, on one line without the key."""
    what = f"status {fault.status}" if fault.status else _WORDS.get(fault.how, "no answer")
    said = one_line(fault.message or fault.code, secret, _LONGEST_ERROR)
    return f"{what}: {said}" if said else what


def remedy(fault: Fault, manner: Manner) -> Remedy:
    if fault.how is Failed.ANSWER:
        return _mended(fault, manner) or _of_status(fault)
    # An answer was interrupted. Its status was sent before the error.
    if overflow := _overflow(fault):
        return overflow
    if fault.how is not Failed.BROKEN:
        return Again()
    if any(kind in fault.kind for kind in _FINAL_KINDS):
        return _mended(fault, manner) or ""
    return _later(fault, is_limit=False)


def _later(fault: Fault, *, is_limit: bool) -> Remedy:
    """Return when to retry, or give up if the account has no credit left."""
    wait, told = fault.retry_after, _WAIT.search(fault.message)
    if wait is None and told:
        parts = _PART.findall(told[1].casefold())
        wait = sum(float(number) * _UNITS[unit] for number, unit in parts)
    is_spent = wait is None and _SPENT.search(_LINK.sub("", fault.words))
    return _ADVICE[402] if is_spent else Again(wait, is_limit=is_limit)


def _of_status(fault: Fault) -> Remedy:
    status = fault.status or 0
    if status == _TOO_MANY:
        return _later(fault, is_limit=True)
    if status in _TRANSIENT or (status >= 500 and status != _NOT_IMPLEMENTED):
        return Again(fault.retry_after)
    return _ADVICE.get(status, "")


def _mended(fault: Fault, manner: Manner) -> Remedy | None:
    if overflow := _overflow(fault):
        return overflow
    if fault.status is not None and fault.status not in _MENDABLE:
        return None
    if longest := read_output_limit(fault.message):
        if "context" in fault.message.casefold():  # only the room beside this prompt: no lesson
            return Shorter(longest) if longest >= LEAST_ROOM else Overflow(None, None)
        is_less = manner.reply is None or longest < manner.reply
        return Mend({"reply": str(longest)}) if is_less else None
    if not _REFUSES.search(fault.words):
        return None
    other = next(name for name in TOKENS if name != manner.tokens)
    is_told = fault.param == manner.tokens or other in fault.message or "upport" in fault.message
    if is_told and _names(fault, manner.tokens):
        return Mend({"tokens": other})
    lessons = (lesson for named, lesson in _LESSONS if _names(fault, named))
    if fault.status == _INTERNAL and not _NOT_THERE.search(fault.words):
        lessons = (lesson for lesson in lessons if lesson.keys() & _OF_A_TEMPLATE)
    useful = (lesson for lesson in lessons if manner.changed(lesson) != manner)
    return next((Mend(lesson) for lesson in useful), None)


def _overflow(fault: Fault) -> Overflow | None:
    found = read_overflow(fault.message)
    is_one = fault.status == _TOO_LARGE or any(name in fault.words for name in _OVERFLOWS)
    return found or (Overflow(None, None) if is_one else None)


def _names(fault: Fault, named: str) -> bool:
    if re.fullmatch(named, fault.param):
        return True
    return re.search(rf"(?<![\w-])(?:{named})(?![\w-])", fault.message, re.IGNORECASE) is not None


@dataclass(slots=True)
class Patience:
    """The number of tries and the deadline of one call."""

    line: Connection
    deadline: float
    failures: int = 0
    refusals: int = 0

    def wait(self, fault: Fault, again: Again) -> None:
        """Wait before the next try. Raises ModelError or TimeUp if no try or no time is left."""
        self.refusals += again.is_limit
        self.failures += not again.is_limit
        is_down = fault.how is Failed.REFUSED and self.line.is_local
        tries = _TRIES_HERE if is_down else _TRIES
        if self.failures >= tries or self.refusals >= _TRIES_AT_A_LIMIT:
            asked = f"asked {self.failures + self.refusals} times"
            self.give_up(fault, "is the server running?" if is_down else asked)
        time = self.line.time
        # A random wait, so that requests that failed together don't come back together.
        chance = time.random()
        doubled = backoff(_FIRST, self.failures + self.refusals, _LONGEST)
        if again.seconds is None:
            seconds = spread(doubled, chance)
        else:
            seconds = max(again.seconds, doubled / 4)  # some say 0
            seconds += chance * min(doubled, seconds) / 4
        left = self.deadline - time.clock()
        if left < _LITTLE:
            self.end()
        if seconds >= left:
            self.give_up(fault, f"the next try in {seconds:.0f} s would be after the time limit")
        if again.is_limit:
            self.line.throttle.refused(seconds)  # the throttle makes all runs wait
        else:
            time.sleep(seconds)

    def end(self) -> NoReturn:
        """Raise TimeUp. The message says whether the endpoint pauses until after the deadline."""
        now = self.line.time.clock()
        closed = self.line.throttle.opens - now
        is_closed = closed >= self.deadline - now > _LITTLE
        too_late = (
            f"it accepts no requests for another {closed:.0f} s, which is longer than the time left"
        )
        up = "the time limit passed before an answer came"
        raise TimeUp(f"{self.line.name}: {too_late if is_closed else up}")

    def give_up(self, fault: Fault, advice: str) -> NoReturn:
        how = f" ({advice})" if advice else ""
        told = f"{self.line.name}: {failure(fault, self.line.secret)}{how}"
        raise ModelError(told) from None
