"""What the steps of a run make of its plan; how a run ends by it."""

from collections.abc import Sequence

from react_agent.loop.run_tools import CHANGES
from react_agent.loop.steps import Step
from react_agent.loop.stop import Stop
from react_agent.parsers.plan.plan import CLOSED, Plan, Task, TaskState, new_plan
from react_agent.parsers.plan.requests import apart_from_root
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_SHOWN = 8  # tasks
_ENDS = {
    TaskState.VERIFIED: (Stop.CONCLUDED, "its plan is verified"),
    TaskState.COMPLETED: (Stop.CONCLUDED, "its plan is completed, but was not verified"),
    TaskState.ABANDONED: (Stop.GAVE_UP, "its plan was abandoned"),
}


def plan_for(objective: str | None) -> Plan | None:
    return new_plan(objective) if objective is not None else None


def replanned(plan: Plan | None, step: Step) -> Plan | None:
    """A file that somebody edited may ask for what can't be done."""
    change = CHANGES.get(step.tool)
    if plan is None or change is None or step.kind != Kind.PLAN or step.status is not Status.OK:
        return plan
    came = change(plan, step.said.turn.input)
    return plan if isinstance(came, Unreadable) else came.plan


def is_over(plan: Plan | None) -> bool:
    return plan is not None and plan.root.state in _ENDS


def left_by_root(steps: Sequence[Step], plan: Plan) -> Sequence[Task]:
    """The tasks that only the root closed, of a plan that is over."""
    before = now = new_plan(plan.main_goal)
    for step in steps:
        after = replanned(now, step) or now
        if is_over(after) and not is_over(now):
            before = apart_from_root(now, step.said.turn.input)
        now = after
    return [task for task in before.unfinished if task is not before.root]


def ending(steps: Sequence[Step], plan: Plan) -> tuple[Stop, str]:
    """Of one that is over, and which of its tasks only its root closed."""
    stop, reason = _ENDS[plan.root.state]
    ids = [task.id for task in left_by_root(steps, plan)]
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    left = f"; unfinished until then: {', '.join(ids[:_SHOWN])}{more}" if ids else ""
    return stop, reason + left


def is_used(plan: Plan | None) -> bool:
    return plan is not None and (bool(plan.root.subtasks) or plan.root.state != TaskState.OPEN)


def achieved(plan: Plan | None) -> Sequence[str]:
    """The goals right below the root that were reached."""
    tasks = plan.root.subtasks if plan else ()
    reached = (task for task in tasks if task.state in CLOSED)
    return [task.goal for task in reached if task.state is not TaskState.ABANDONED]
