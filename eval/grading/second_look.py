"""Whose failure it is that a log names no test of the set: the patch's or the environment's.

The set's own fix shows it, in another work tree.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from react_agent.eval.grading.judging import judge
from react_agent.eval.grading.naming import Names
from react_agent.eval.grading.trial import Trial, tried
from react_agent.eval.ground import Fresh
from react_agent.eval.instance import Instance
from react_agent.eval.task import Fault, Task
from react_agent.eval.verdict import Kind, Verdict

Another = Callable[[], AbstractContextManager[Fresh]]

_UNTOLD = (Verdict.ENV_FAILED, Verdict.UNRESOLVED)


def second_look(first: Trial, task: Task, patch: str, another: Another) -> Fault | None:
    """What the set's own fix shows that the first trial does not."""
    instance = task.instance
    is_unclear = first.fault.verdict in _UNTOLD if first.fault else not _tells(first, instance)
    if patch == instance.patch or not is_unclear:
        return None
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


def _tells(trial: Trial, instance: Instance, *, is_good: bool = False) -> bool:
    """Whether the log names a test of the set."""
    names = Names(trial.statuses)
    asked = map(names.status, (*instance.fail_to_pass, *instance.pass_to_pass))
    return any(status is not None and (status.is_pass or not is_good) for status in asked)
