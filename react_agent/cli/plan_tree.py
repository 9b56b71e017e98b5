"""A plan as a small tree: what is worked on, what it belongs to, and what stands beside it."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import CLOSED, Plan, Task, TaskState, indent

_MARKS = {
    TaskState.OPEN: ("[ ]", ""),
    TaskState.IN_PROGRESS: ("[>]", "bold cyan"),
    TaskState.COMPLETED: ("[x]", "dim"),
    TaskState.VERIFIED: ("[x]", "dim green"),
    TaskState.ABANDONED: ("[-]", "dim"),
}


def plan_tree(plan: Plan, rows: int) -> Sequence[Text]:
    """With as many rows at most, the first of them with how far it is."""
    tasks = list(_shown(plan.root))
    at = next((n for n, task in enumerate(tasks) if task is plan.current), 0)
    room = max(rows - 1, 1)
    first = max(0, min(at - room // 2, len(tasks) - room))
    return [_head(plan), *map(_line, tasks[first : first + room])]


def _head(plan: Plan) -> Text:
    tasks = plan.tasks[1:]
    closed = sum(task.state in CLOSED for task in tasks)
    return Text(f"plan: {closed} of {len(tasks)} done", "bold")


def _shown(task: Task) -> Iterator[Task]:
    """Below it; what is closed, or only waits, is told of as a whole."""
    for subtask in task.subtasks:
        yield subtask
        if subtask.state is TaskState.IN_PROGRESS:
            yield from _shown(subtask)


def _line(task: Task) -> Text:
    mark, style = _MARKS[task.state]
    below = sum(1 for _ in task.below()) - 1
    is_open = task.state is TaskState.IN_PROGRESS
    more = f" (+{below})" if below and not is_open else ""
    return Text(f"{indent(task)[2:]}{mark} {title_of(task.goal)}{more}", style)
