"""The results of a test run, independent of the runner."""

import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.facts import write_list

OTHERS_NOT_RUN = "the other tests were not run"  # a note
LONGEST = 10_000  # characters of a line: a longer one was printed by a test
_OUTSIDE = LatePattern(r"^(?:/|<|node:|\.\./)|(?:^|/)(?:site-packages|node_modules|\.venv)/")
_FRAME = LatePattern(r"[^\s:]+:\d+(?:: .*)?")
_LINE_NUMBER = LatePattern(r"(?<=\w):\d+(?::\d+)?|^[> ]*\d+(?= *\|)")
_EMPTY_LINES = LatePattern(r"\n{3,}")
_FRAMES = 3
_NAMED = 5
_ID = 120  # characters


class Status(StrEnum):
    """The status of one test. Members are ordered from good to bad."""

    PASSED = "PASSED"
    XFAIL = "XFAIL"  # it fails, as was expected
    XPASS = "XPASS"  # it passes, and was expected to fail
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"
    ERROR = "ERROR"  # it could not run, or its teardown failed

    @property
    def is_pass(self) -> bool:
        return self in (Status.PASSED, Status.XFAIL)

    @property
    def is_failure(self) -> bool:
        return self in (Status.FAILED, Status.ERROR)


Statuses = Mapping[str, Status]  # by the names in the log
_FROM_GOOD_TO_BAD = tuple(Status)


def worse(one: Status, other: Status | None) -> Status:
    """Return the worse status of a test that is listed twice, such as one whose teardown failed."""
    return one if other is None else max(one, other, key=_FROM_GOOD_TO_BAD.index)


@dataclass(frozen=True, slots=True)
class Failure:
    id: str  # a name by which the test can be selected
    place: str = ""  # file:line to look at; empty if the log has none
    lines: tuple[str, ...] = ()  # the error and what explains it
    is_error: bool = False  # whether the test could not run at all
    first: int = 0  # first and last line of the log about it
    last: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()  # other counts: `3 deselected`
    is_whole: bool = True  # whether the log has its end

    @property
    def ran(self) -> int:
        return self.passed + self.failed + self.errors

    def beside(self, log: "Report | None") -> "Report":
        """Return these results with the line numbers and counts that only the log contains."""
        lines = {one.id: (one.first, one.last) for one in log.failures} if log else {}
        failures = (
            replace(one, first=lines[one.id][0], last=lines[one.id][1]) if one.id in lines else one
            for one in self.failures
        )
        counted = {note.partition(" ")[2] for note in self.notes} | {"xfailed", "xpassed"}
        more = [one for one in log.notes if one.partition(" ")[2] not in counted] if log else []
        return replace(self, failures=tuple(failures), notes=(*more, *self.notes))


def cut_off(failures: Sequence[Failure], report: Report = Report()) -> Report:
    """Return the report of a truncated log, which contains at least the failures seen so far."""
    errors = sum(one.is_error for one in failures)
    return replace(
        report,
        failed=max(report.failed, len(failures) - errors),
        errors=max(report.errors, errors),
        failures=tuple(failures),
        is_whole=False,
    )


@dataclass(frozen=True, slots=True)
class Failing:
    """The failing tests and a digest of their failures, used to compare two runs."""

    ids: tuple[str, ...]
    way: str  # a hash: equal if the same tests fail with the same words

    @property
    def facts(self) -> Mapping[str, str]:
        named = (one[:_ID] for one in self.ids[:_NAMED])
        return {"failing": write_list(named), "way": self.way}


def failing(report: Report | None) -> Failing | None:
    """Return the failing tests, or None. The digest ignores line numbers, times and addresses."""
    if report is None or not report.failures:
        return None
    lines = "\n".join((f"{report.passed} passed", *sorted(map(_words, report.failures))))
    way = hashlib.blake2b(lines.encode(errors="replace"), digest_size=4).hexdigest()
    return Failing(tuple(dict.fromkeys(one.id for one in report.failures)), way)


def _words(failure: Failure) -> str:
    lines = (_LINE_NUMBER.sub("", line) for line in failure.lines if not _FRAME.fullmatch(line))
    return without_noise("\n".join((failure.id, *lines)))


def blocks(
    lines: Sequence[str], head: LatePattern, end: LatePattern | None = None
) -> Iterator[tuple[int, re.Match[str], Sequence[str]]]:
    """Yield each header's line number, its match, and the lines up to the next header or an end."""
    first, found = 0, None
    for number, line in enumerate(lines, 1):
        begins = head.fullmatch(line)
        if found and (begins or (end and end.fullmatch(line))):
            yield first, found, lines[first : number - 1]
            found = None
        if begins:
            first, found = number, begins
    if found:
        yield first, found, lines[first:]


def is_ours(path: str) -> bool:
    """Return whether the path is in the repository, which is true if it is relative."""
    return bool(path) and _OUTSIDE.search(path) is None


def dedented(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines without common indentation, outer empty lines or repeated empty lines."""
    text = textwrap.dedent("\n".join(map(str.rstrip, lines))).strip("\n")
    return tuple(_EMPTY_LINES.sub("\n\n", text).split("\n")) if text else ()


def located(frames: Iterable[tuple[str, str]], error: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the last location in the repository, its last frames and the error."""
    ours = [(place, code) for place, code in frames if is_ours(place)]
    shown = [f"{place}: {code}".rstrip(": ") for place, code in ours[-_FRAMES:]]
    return ours[-1][0] if ours else "", (*shown, *error)
