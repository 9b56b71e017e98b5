"""Checks of a Conclusion: what was done to the tests, and what they said when they ran last."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from react_agent.guards.gate_checks import Known, listed
from react_agent.guards.points import Fault
from react_agent.loop.steps import Step
from react_agent.parsers.repo.file_roles import is_code
from react_agent.parsers.repo.git_diff import FileDiff, Hunk, Line
from react_agent.parsers.testing.commands import only_runs_tests, runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.report import Report
from react_agent.parsers.testing.repository import is_skip, named_test, skips_now
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import Named
from react_agent.parsers.values.commands import COMMANDS, named_text
from react_agent.tools.edits.accept_edit import NEAREST
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_LINE = 60  # characters


def no_test(known: Known) -> Iterator[Fault]:
    code = [one.path for one in known.code if any(one.added)]
    if code and not known.of_tests and known.has_tests:
        yield Fault(f"{listed(code)} changed, but no test", "add one that fails without the change")


def only_tests(known: Known) -> Iterator[Fault]:
    if known.meant and known.of_tests == known.meant:
        changed = listed([one.path for one in known.of_tests])
        yield Fault(f"only tests changed ({changed})", "change what they test")


def tests_gone(known: Known) -> Iterator[Fault]:
    """Deleted or passed over; a test that was moved or got another name is neither."""
    added = Counter(name for one in known.of_tests for name in _names(one.added))
    for one in known.of_tests:
        gone = [name for hunk in one.hunks for name in _gone(hunk, added)]
        if gone and is_code(one.path):
            where = one.path if one.new else f"{one.path}, which was deleted,"
            yield Fault(f"{where} has lost {listed(gone)}", "bring back what still holds")
        yield from _passed_over(one, known)


def _gone(hunk: Hunk, added: Counter[str]) -> list[str]:
    """Where a hunk has a new one in its place, it is taken to be the same under another name."""
    removed = _names(hunk.removed)
    gone = [name for name in removed if not added[name]]
    new = [name for name in _names(hunk.added) if name not in removed]
    return gone[len(new) :]


def _names(lines: Iterable[Line]) -> list[str]:
    return [name for line in lines if (name := named_test(line.text))]


def _passed_over(one: FileDiff, known: Known) -> Iterator[Fault]:
    moved = {line.text.strip() for line in one.removed}
    for line in one.added:
        text = line.text.strip()
        if text not in moved and (is_skip(text) or _skips_at_once(one, line, known)):
            said = f"{one.path}:{line.number} has a test passed over ({headline(text, _LINE)})"
            yield Fault(said, "let it run")


def _skips_at_once(one: FileDiff, line: Line, known: Known) -> bool:
    """As the first that a test does, so whatever is the case."""
    if not skips_now(line.text):
        return False
    lines = (known.holding.now(one.new) or b"").decode(errors="replace").split("\n")
    return any(map(named_test, lines[max(line.number - 2, 0) : line.number - 1]))


_COULD_NOT = LatePattern(r"No module named|command not found|: not found|No such file or directory")
_COMMAND = 100  # characters


class Verdict(Enum):
    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"  # they ran among other things


@dataclass(frozen=True, slots=True)
class RunOfTests:
    step: Step
    verdict: Verdict
    said: str


def failing(known: Known) -> Iterator[Fault]:
    ran = _last_run(known)
    if ran and ran.verdict is Verdict.FAILED and known.changes and not _changed_since(known, ran):
        yield Fault(
            f"the last run of tests failed, in step {ran.step.number}, {ran.said}",
            "mend what fails, or say why it is not of this change",
        )


def not_run(known: Known) -> Iterator[Fault]:
    """Only where code was changed, and there are tests that could be run."""
    if not known.code or not known.has_tests:
        return
    ran = _last_run(known)
    if ran is None:
        changed = listed([one.path for one in known.code])
        yield Fault(f"{changed} changed, and no test was run", "run the tests")
    elif since := _changed_since(known, ran):
        after = f"changed after the last run of tests, in step {ran.step.number}"
        yield Fault(f"{listed(since)} {after}", "run them again")


def _last_run(known: Known) -> RunOfTests | None:
    runs = (run_of(step, known.test_command) for step in reversed(known.state.standing))
    return next(filter(None, runs), None)


def run_of(step: Step, configured: str) -> RunOfTests | None:
    if step.kind == Kind.TEST:
        said = step.seen.facts.get("tests", "")
        verdict = Verdict.PASSED if step.status is Status.OK else Verdict.FAILED
        return RunOfTests(step, verdict, said) if said and step.status is not Status.EMPTY else None
    if step.has_written and f"\n{NEAREST}" in step.seen.text:
        return RunOfTests(step, Verdict.UNKNOWN, "")
    if step.kind != Kind.RUN:
        return None
    lines = _lines(step)
    is_whole = configured in lines or any(map(only_runs_tests, lines))
    return _read(step, is_whole=is_whole) if is_whole or any(map(runs_tests, lines)) else None


def _lines(step: Step) -> list[str]:
    """What was run: a hidden name may be the first word of it."""
    turn = step.said.turn
    inner = named_text(turn.input, COMMANDS)
    line = (inner.text if isinstance(inner, Named) else turn.input).strip()
    is_alias = step.seen.facts.get("how") == How.ALIAS
    return [line, f"{turn.action} {line}"] if is_alias else [line]


def _read(step: Step, *, is_whole: bool) -> RunOfTests | None:
    """By what they printed; their exit code counts where nothing else could have set it."""
    report = read_log(step.seen.text)
    if report is None and step.status is Status.FAILED and _COULD_NOT.search(step.seen.text):
        return None
    broken = report.failed + report.errors if report else 0
    if broken or (is_whole and step.status is Status.FAILED):
        verdict = Verdict.FAILED
    else:
        verdict = Verdict.PASSED if report or is_whole else Verdict.UNKNOWN
    return RunOfTests(step, verdict, _told(step, report))


def _told(step: Step, report: Report | None) -> str:
    command = headline(step.said.turn.input, _COMMAND)
    ids = [one.id for one in report.failures] if report else []
    return f"{command} ({listed(ids)})" if ids else command


def _changed_since(known: Known, ran: RunOfTests) -> list[str]:
    """Code of the change that steps after that one have written."""
    code = {path for one in known.code for path in (one.old, one.new)}
    found, tree = dict[str, None](), ran.step.seen.facts.get("tree", "")
    for step in known.state.standing:
        if step.number > ran.step.number:
            after = step.seen.facts.get("tree", tree)
            found.update((path, None) for path in _written(known, step, tree, after))
            tree = after
    return [path for path in found if path in code]


def _written(known: Known, step: Step, before: str, after: str) -> Sequence[str]:
    if step.has_written:
        return step.paths
    is_other = step.kind == Kind.RUN and before and before != after
    return known.differing(before, after) if is_other else ()
