"""How a change was tested, from the steps of its run: before it, and after it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.guards.gate import RunOfTests, Verdict, run_of
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.testing.commands import only_runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.report import Report
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools.registry import Kind

_TOLD = LatePattern(r"(?P<said>.*?) in [\d.]+ s \((?P<command>.*)\)", re.DOTALL)
_COMMAND = 100  # characters
_SAID = 120


@dataclass(frozen=True, slots=True)
class Compared:
    """One command that runs tests."""

    command: str
    before: str = ""  # what it said when no code was changed yet; empty: it was not run then
    after: str = ""  # and when all of it was
    has_failed: bool = False  # after


def tested(state: State, configured: str = "") -> list[Compared]:
    """In the order of their last runs."""
    steps = state.standing
    first = next((step.number for step in steps if _writes_code(step)), len(steps) + 1)
    last = max((step.number for step in steps if step.has_written), default=0)
    before, after = dict[str, str](), dict[str, tuple[str, bool]]()
    for step in steps:
        run = run_of(step, configured)
        if run is None:
            continue
        command, said = _told(step, run)
        if step.number < first:
            before[command] = said
        if step.number > last:
            after.pop(command, None)
            after[command] = said, run.verdict is Verdict.FAILED
    return [Compared(one, before.get(one, ""), *told) for one, told in after.items()] or [
        Compared(one, said) for one, said in before.items()
    ]


def _writes_code(step: Step) -> bool:
    return step.has_written and any(is_code(one) and not is_of_tests(one) for one in step.paths)


def _told(step: Step, run: RunOfTests) -> tuple[str, str]:
    if step.kind == Kind.TEST and (told := _TOLD.fullmatch(run.said)):
        return _short(told["command"], _COMMAND), _short(told["said"], _SAID)
    if step.kind == Kind.TEST:
        return "the tests", _short(run.said, _SAID)
    report = read_log(step.seen.text)
    said = ", ".join(_counts(report)) if report else run.verdict.value
    return _short(_line(step.said.turn.input), _COMMAND), said


def _line(command: str) -> str:
    """Of several, the one that runs the tests: by it, they are known again."""
    return next(filter(only_runs_tests, command.split("\n")), command)


def _counts(report: Report) -> Iterator[str]:
    counts = (report.failed, "failed"), (report.errors, "errors"), (report.passed, "passed")
    yield from (f"{number} {word}" for number, word in counts if number)
    if not report.ran:
        yield "no tests ran"


def _short(text: str, most: int) -> str:
    return headline(one_line(text), most)
