"""Whether the tests of an instance say that it is resolved: the rules of the official harness."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from react_agent.eval.environment import Fresh
from react_agent.eval.grading.applied import Names
from react_agent.eval.grading.trial import Trial, tried
from react_agent.eval.task import Fault, Graded, Instance, Kind, Task, Tests, Verdict
from react_agent.parsers.testing.report import Status, Statuses
from react_agent.parsers.text.late_pattern import LatePattern

# Some official sets hold this as the name of a test: a piece of pytest's progress.
_NO_TEST = LatePattern(r"\[ *\d+%\]")


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    tests: Tests = field(default_factory=Tests)
    why: str = ""  # the log can't be believed: one line


def judge(statuses: Statuses, instance: Instance, code: int) -> Judged:
    """By what the log tells of each test, and the exit code of what ran them."""
    if not instance.is_graded:
        return Judged(Verdict.UNGRADED)
    if doubt := _doubt(statuses, code):
        return Judged(Verdict.UNRESOLVED, Tests(not_fixed=instance.fail_to_pass), doubt)
    names = Names(statuses)
    fixed, not_fixed = _parted(instance.fail_to_pass, lambda name: _passes(names.status(name)))
    kept, broken = _parted(instance.pass_to_pass, lambda name: _is_kept(name, names))
    verdict = Verdict.UNRESOLVED if not_fixed or broken else Verdict.RESOLVED
    return Judged(verdict, Tests(fixed, not_fixed, kept, broken))


def _doubt(statuses: Statuses, code: int) -> str:
    """A patch can print `PASSED` by itself; the exit code is harder to forge."""
    if not statuses:
        return f"the log tells of no test by its name (exit code {code})"
    if code and not any(status.is_failure for status in statuses.values()):
        return f"the tests ended with exit code {code}, and the log tells of no failure"
    return ""


def _passes(status: Status | None) -> bool:
    return status is not None and status.is_pass


def _is_kept(name: str, names: Names) -> bool:
    status = names.status(name)
    return _passes(status) or status is Status.SKIPPED or bool(_NO_TEST.fullmatch(name))


def _parted(
    names: Sequence[str], is_good: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    good = {name for name in names if is_good(name)}
    return tuple(n for n in names if n in good), tuple(n for n in names if n not in good)


def ungraded(task: Task, patch: str) -> Verdict | None:
    """What is known without a work tree."""
    if not patch.strip():
        return Verdict.NO_PATCH
    return None if task.instance.is_graded else Verdict.UNGRADED


Another = Callable[[], AbstractContextManager[Fresh]]


def graded(fresh: Fresh, task: Task, patch: str, another: Another | None = None) -> Graded:
    """In a work tree that is not used again, and in another one where that leaves a doubt.

    Raises ReactAgentError where the machine fails.
    """
    instance = task.instance
    trial = tried(fresh, instance, patch, task.conditions.tests_s)
    doubt = _second_look(trial, task, patch, another) if another else None
    if fault := doubt or trial.fault:
        tests = Tests(not_fixed=instance.fail_to_pass)
        return Graded(task.key, fault.verdict, tests, trial.log, trial.seconds, fault)
    judged = judge(trial.statuses, instance, trial.code)
    fault = Fault(judged.verdict, Kind.TESTS_FAIL, judged.why) if judged.why else None
    return Graded(task.key, judged.verdict, judged.tests, trial.log, trial.seconds, fault)


def _second_look(first: Trial, task: Task, patch: str, another: Another) -> Fault | None:
    """Whether the set's own fix fares better where the log names none of the set's tests."""
    instance, fault = task.instance, first.fault
    is_untold = fault and fault.verdict in (Verdict.ENV_FAILED, Verdict.UNRESOLVED)
    if patch == instance.patch or not (is_untold if fault else not _tells(first, instance)):
        return None
    with another() as fresh:
        second = tried(fresh, instance, instance.patch, task.conditions.tests_s)
    if not second.fault and _tells(second, instance, is_good=True):
        if fault and fault.verdict is Verdict.ENV_FAILED:
            text = f"with its changes {fault.text}"
            return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text)
        return fault
    if not instance.patch:
        return None
    why = second.fault.text if second.fault else judge(second.statuses, instance, second.code).why
    text = f"with the set's own fix, too: {why or 'none of its tests passes'}"
    return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)


def _tells(trial: Trial, instance: Instance, *, is_good: bool = False) -> bool:
    """Whether the log names a test of the set."""
    names = Names(trial.statuses)
    asked = map(names.status, (*instance.fail_to_pass, *instance.pass_to_pass))
    return any(status is not None and (status.is_pass or not is_good) for status in asked)
