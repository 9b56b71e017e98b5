"""What a model is told of a run of tests: the verdict, the failures, where to read more."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from react_agent.parsers.testing.report import Failure, Report, failing
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Limits
from react_agent.tools.files.suggestions import listed
from react_agent.tools.observation import COMMAND, Observation, Status
from react_agent.tools.shell.process import CommandResult
from react_agent.tools.shell.shell import exit_facts

_TAIL = 40  # lines of a log that nobody can read
_LITTLE_TAIL = 12
_SHORT_LOG = 5  # lines: they say no more than the verdict
_ROOMS = (16, 10, 6, 3, 1)  # lines of one failure, as many as let all be shown
_LISTED = 300  # characters
_RESERVE = 600  # characters for the verdict and the last line
_NO_TESTS = 5  # pytest's exit code where nothing was selected
_FRAME = re.compile(r"[^\s:]+:\d+: ")
_FEWER = "[select fewer: paths, test ids or -k expression]"


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of tests, as it ended."""

    done: CommandResult
    how: str  # it ended, in words
    log: str
    shown: str  # the command
    report: Report | None
    is_kept: bool  # the log can be read

    @property
    def worked(self) -> bool:
        return self.done.code == 0 and not self.done.timed_out

    @property
    def is_empty(self) -> bool:
        nothing = self.report is not None and self.report.is_whole and not self.report.ran
        fine = self.done.code in (0, _NO_TESTS) and not self.done.timed_out
        return nothing and fine and not (self.report and self.report.failures)


def verdict(ran: Ran, limits: Limits) -> Observation:
    head, done = _head(ran, limits), ran.done  # several lines where the command has
    has_failures = bool(ran.report and ran.report.failures)
    lines = [head, *_body(ran, limits)]
    lines += [_FEWER] if done.timed_out and not has_failures else []
    size = ran.log.count("\n") + 1 if ran.log else 0
    if ran.is_kept and size > _SHORT_LOG and not (ran.worked and ran.report):
        lines.append(f"[the log has {size} lines; the input log 1-{min(size, 100)} shows them]")
    facts = {"tests": head.partition("\n")[0][:200]}
    if not ran.worked and (found := failing(ran.report)):
        facts |= found.facts
    noted = exit_facts(done.code, done.hit, timed_out=done.timed_out) | {COMMAND: ran.shown}
    status = Status.EMPTY if ran.is_empty else Status.OK if ran.worked else Status.FAILED
    return Observation("\n".join(lines), status, facts=facts, noted=noted)


def _head(ran: Ran, limits: Limits) -> str:
    counts = _counts(ran.report) if ran.report else ""
    if ran.done.timed_out:
        so_far = f"so far {counts}" if counts else "no result so far"
        return f"ended by the time limit of {limits.command_seconds:g} s, {so_far} ({ran.shown})"
    took = f"in {ran.done.seconds:.1f} s ({ran.shown})"
    if ran.is_empty:
        return (
            f"no tests ran{f': {counts}' if counts else ''} {took}; this says nothing about the "
            "code: select others, or leave the input empty to run all"
        )
    return f"{_ended(ran, counts)} {took}"


def _ended(ran: Ran, counts: str) -> str:
    report, code = ran.report, ran.how
    if report is None:
        return f"{code}; how many tests ran can't be read from the output;"
    broken = report.failed + report.errors
    if not report.is_whole and not report.failures:
        return f"{code}, broken off: {counts or 'no result'}"
    if ran.worked and broken:
        return f"passed by its {code}, although the output reports {counts}"
    if ran.worked or broken:
        return counts
    if not report.ran and (report.is_whole or not counts):
        return f"no tests ran, {code}"
    return f"{code} although no test failed{f': {counts}' if counts else ''}"


def _counts(report: Report) -> str:
    counts = (
        (report.failed, "failed"),
        (report.errors, "error" if report.errors == 1 else "errors"),
        (report.passed, "passed"),
        (report.skipped, "skipped"),
    )
    return ", ".join((*(f"{number} {word}" for number, word in counts if number), *report.notes))


def _body(ran: Ran, limits: Limits) -> list[str]:
    if ran.report and ran.report.failures:
        return _failures(sorted(ran.report.failures, key=lambda one: one.is_error), limits)
    if ran.report and (ran.worked or ran.is_empty):
        return []
    most = _LITTLE_TAIL if ran.report or ran.worked else _TAIL
    lines = [line for line in ran.log.split("\n") if line.strip()]
    if not lines:
        return ["there was no output"]
    said = f"the last {most} lines of the log:" if len(lines) > most else "the log:"
    return [said, *(f"    {clip_line(line, limits.line_chars)}" for line in lines[-most:])]


def _failures(failures: Sequence[Failure], limits: Limits) -> list[str]:
    """Those that say the same, at the same place, are shown once; as many lines of each as fit."""
    alike = dict[object, list[Failure]]()
    for one in failures:
        alike.setdefault(_what_it_says(one), []).append(one)
    groups, room = list(alike.values()), max(limits.output_chars - _RESERVE, _RESERVE)
    blocks = list[str]()
    for most in _ROOMS:
        blocks = ["\n".join(_block(group, most, limits)) for group in groups]
        if len("\n".join(blocks)) < room:
            return blocks
    sizes = accumulate(len(block) + 1 for block in blocks)
    kept = max(sum(size <= room for size in sizes), 1)
    left = [one.id for group in groups[kept:] for one in group]
    return [
        *blocks[:kept],
        f"[{counted(len(left), 'more failure')}: {clip_line(listed(left), _LISTED)}]",
    ]


def _what_it_says(failure: Failure) -> object:
    """The error without the frame of the test itself; what says nothing is alike to nothing."""
    if not failure.lines:
        return failure.is_error, failure.id
    lines = tuple(line for line in failure.lines if not _FRAME.match(line))
    return failure.is_error, failure.place, lines


def _block(group: Sequence[Failure], most: int, limits: Limits) -> list[str]:
    failure = group[0]
    word = "ERROR" if failure.is_error else "FAILED"
    place = f"  ({failure.place})" if failure.place else ""
    shown = [clip_line(line, limits.line_chars) for line in failure.lines]
    left = len(shown) - most
    if left > 1:
        ends = most // 3
        where = f": log {failure.first}-{failure.last}" if failure.first else ""
        note = f"[... {counted(left, 'line')} left out{where}]"
        shown = [*shown[: most - ends], note, *shown[len(shown) - ends :]]
    same = [one.id for one in group[1:]]
    more = (
        [f"    [the same in {len(same)} more: {clip_line(listed(same), _LISTED)}]"] if same else []
    )
    head = clip_line(f"{word} {failure.id}{place}", limits.line_chars)
    return [head, *(f"    {line}".rstrip() for line in shown), *more]
