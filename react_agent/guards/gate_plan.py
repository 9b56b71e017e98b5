"""A check of a Conclusion: what of the plan is neither done nor given up, or was never begun."""

from collections.abc import Iterator

from react_agent.guards.gate_known import Known, listed
from react_agent.guards.points import Fault
from react_agent.parsers.plan.plan import TaskState
from react_agent.parsers.text.counted import counted
from react_agent.prompt.plan_steps import is_over, left_by_root


def tasks(known: Known) -> Iterator[Fault]:
    """Of a plan that is used; the root is what the Conclusion itself is about."""
    plan = known.state.plan
    left = [task for task in plan.unfinished if task is not plan.root] if plan else []
    if left:
        shown = listed([f"{task.id} [{task.state}]" for task in left])
        yield Fault(
            f"{counted(len(left), 'task')} of the plan neither done nor given up: {shown}",
            "do what is left, or set the states as they are",
        )
    if plan and is_over(plan):
        yield from _never_begun(known)


def _never_begun(known: Known) -> Iterator[Fault]:
    """What is done last is often closed with the root; what nobody began is forgotten."""
    plan = known.state.plan
    before = left_by_root(known.state.standing, plan) if plan else ()
    left = [task.id for task in before if task.state is TaskState.OPEN and not task.subtasks]
    if left:
        yield Fault(
            f"{counted(len(left), 'task')} of the plan not begun when task 0 was closed: "
            f"{listed(left)}",
            "do what is left, or mark it abandoned",
        )
