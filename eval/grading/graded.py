"""What an attempt's patch comes to."""

from react_agent.eval.grading.judging import judge
from react_agent.eval.grading.second_look import Another, second_look
from react_agent.eval.grading.trial import Trial, tried
from react_agent.eval.ground import Fresh
from react_agent.eval.task import Fault, Graded, Task, Tests
from react_agent.eval.verdict import Kind, Verdict


def graded(fresh: Fresh, task: Task, patch: str, another: Another | None = None) -> Graded:
    """In a work tree that is not used again, and in another one where that leaves a doubt.

    Raises ReactAgentError where the machine fails.
    """
    trial = tried(fresh, task.instance, patch, task.conditions.tests_s)
    doubt = second_look(trial, task, patch, another) if another else None
    if found := doubt or trial.fault:
        return _faulty(task, trial, found)
    judged = judge(trial.statuses, task.instance, trial.code)
    fault = Fault(judged.verdict, Kind.TESTS_FAIL, judged.why) if judged.why else None
    return Graded(task.key, judged.verdict, judged.tests, trial.log, trial.seconds, fault)


def ungraded(task: Task, patch: str) -> Verdict | None:
    """What is known without a work tree."""
    if not patch.strip():
        return Verdict.NO_PATCH
    return None if task.instance.is_graded else Verdict.UNGRADED


def _faulty(task: Task, trial: Trial, fault: Fault) -> Graded:
    tests = Tests(not_fixed=task.instance.fail_to_pass)
    return Graded(task.key, fault.verdict, tests, trial.log, trial.seconds, fault)
