"""Show the plan in a prompt: a small plan in full, a large one only around the current task."""

from collections.abc import Sequence

from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import CLOSED, ROOT, Plan, Task, TaskState, indent
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.state.state import Stop

NO_TASK = (
    "You're not currently working on any tasks. Your next action MUST be to mark a task as "
    "in_progress."
)
_CURRENT = "You're currently working on this task:"
_BREAK_DOWN = (
    "If it's not achievable AND verifiable with a SINGLE action, you MUST break it down into "
    "subtasks NOW."
)
CLOSED_TOO_EARLY = (
    "Task 0 is closed, but that was not accepted yet. Mark the task that has to be done as "
    "in_progress, or add it; if nothing has to be done, mark 0 verified again."
)
_ALL_DONE = (
    "Every other task is verified or abandoned: if you have tested your work, mark 0 verified."
)
_CHECKED = (TaskState.VERIFIED, TaskState.ABANDONED)
_MOST = 30  # tasks that are shown
_GOAL = 90  # characters of a goal in the tree
_OWN_GOAL = 300  # characters of the current task's goal


def plan_block(plan: Plan, hint: str = "") -> str:
    """Return the plan and, unless the hint names it, the current task, quoted for the prompt."""
    tasks, where = plan.tasks, status(plan)
    open_ones = (one for one in tasks if one.state is TaskState.OPEN and not one.subtasks)
    at = tasks.index(plan.current or next(open_ones, plan.root))
    first = max(0, min(at - _MOST // 2, len(tasks) - _MOST))
    shown = tasks[first : first + _MOST]
    tree = [f"  {indent(one)}{one.id} [{one.state}] {_goal(one, _GOAL)}" for one in shown]
    if len(shown) < len(tasks):
        tree.append(f"  ({len(shown)} of {len(tasks)} tasks are shown)")
    return quote_world("\n".join(("your plan:", *tree, *([] if where == hint else [where]))))


def status(plan: Plan) -> str:
    task = plan.current
    if task is None:
        return CLOSED_TOO_EARLY if plan.root.state in CLOSED else NO_TASK
    goal, more = _goal(task, _OWN_GOAL).rstrip("."), ""
    if not task.subtasks:
        more = _BREAK_DOWN
    elif task.id == ROOT and all(one.state in _CHECKED for one in task.subtasks):
        more = _ALL_DONE
    return "\n".join(filter(None, (_CURRENT, f"{goal}.", more)))


def _goal(task: Task, most: int) -> str:
    """Return the goal, shortened and without backticks, since those are reserved for tool names."""
    goal = title_of(task.goal) if "\n" in task.goal else task.goal
    goal = goal.replace("`", "'")
    return goal if len(goal) <= most else f"{goal[: most - 1].rstrip()}…"


ENDS = {  # a run, by the state of the root task
    TaskState.VERIFIED: (Stop.CONCLUDED, "its plan is verified"),
    TaskState.COMPLETED: (Stop.CONCLUDED, "its plan is completed, but was not verified"),
    TaskState.ABANDONED: (Stop.GAVE_UP, "its plan was abandoned"),
}


def is_over(plan: Plan | None) -> bool:
    return plan is not None and plan.root.state in ENDS


def is_used(plan: Plan | None) -> bool:
    return plan is not None and (bool(plan.root.subtasks) or plan.root.state != TaskState.OPEN)


def achieved(plan: Plan | None) -> Sequence[str]:
    """Return the goals of completed tasks directly below the root task."""
    tasks = plan.root.subtasks if plan else ()
    reached = (task for task in tasks if task.state in CLOSED)
    return [task.goal for task in reached if task.state is not TaskState.ABANDONED]
