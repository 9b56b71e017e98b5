"""A log that only the patch speaks for is held against a second one, from another work tree.

Where it tells of no test of the set, the environment may be why: the fix of people shows it.
Where it says that all is well, the patch may have written it: tests that can't pass show it.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from react_agent.eval.grading.judging import judge
from react_agent.eval.grading.naming import Names
from react_agent.eval.grading.trial import Trial, tried
from react_agent.eval.ground import Fresh
from react_agent.eval.instance import Instance
from react_agent.eval.task import Fault, Task
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.testing.report import Status

Another = Callable[[], AbstractContextManager[Fresh]]

_UNTOLD = (Verdict.ENV_FAILED, Verdict.UNRESOLVED)
_FORGED = "its log can't be believed: a test that can't pass is told to pass"
_LEFT_OUT = "its log can't be believed: it lacks tests that are run with the set's own fix"


def second_look(first: Trial, task: Task, patch: str, another: Another) -> Fault | None:
    """What it shows that the first one does not; the fix of people is taken as it is."""
    instance = task.instance
    if patch == instance.patch:
        return None
    if first.fault.verdict in _UNTOLD if first.fault else not _tells(first, instance):
        return _with_the_fix(first, task, another)
    if first.fault or judge(first.statuses, instance, first.code).verdict is not Verdict.RESOLVED:
        return None
    return _with_a_failure(task, patch, another)


def _with_the_fix(first: Trial, task: Task, another: Another) -> Fault | None:
    instance = task.instance
    with another() as fresh:
        second = tried(fresh, instance, instance.patch, task.conditions.tests_s)
    if not second.fault and _tells(second, instance, is_good=True):
        return _of_the_model(first)
    if not instance.patch:
        return None
    why = second.fault.text if second.fault else judge(second.statuses, instance, second.code).why
    text = f"with the set's own fix, too: {why or 'none of its tests passes'}"
    return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)


def _of_the_model(first: Trial) -> Fault | None:
    if not first.fault or first.fault.verdict is Verdict.UNRESOLVED:
        return first.fault
    return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, f"with its changes {first.fault.text}")


def _with_a_failure(task: Task, patch: str, another: Another) -> Fault | None:
    """Unless nothing can be planted, the fix of people shows: a command may name other tests."""
    told, fix = _planted(task, patch, another), task.instance.patch
    if told is None or _fails(told):
        return None
    can_fail = _fails(_planted(task, fix, another)) if fix else bool(told)
    text = _FORGED if told else _LEFT_OUT
    return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text) if can_fail else None


def _fails(told: Sequence[Status] | None) -> bool:
    return bool(told) and not any(one.is_pass or one is Status.XPASS for one in told or ())


def _planted(task: Task, patch: str, another: Another) -> list[Status] | None:
    """What the log tells of tests that can't pass; None: it was not to be had this time."""
    plant = secrets.token_hex(6)
    with another() as fresh:
        trial = tried(fresh, task.instance, patch, task.conditions.tests_s, plant)
    if trial.fault:
        return None
    return [status for name, status in trial.statuses.items() if plant in name]


def _tells(trial: Trial, instance: Instance, *, is_good: bool = False) -> bool:
    """Of a test that the set names."""
    names = Names(trial.statuses)
    asked = map(names.status, (*instance.fail_to_pass, *instance.pass_to_pass))
    return any(status is not None and (status.is_pass or not is_good) for status in asked)
