"""A plan is an immutable tree of tasks. Each change makes a new plan.

id   = "0" ("." number)*      the root is 0, its subtasks 0.0, 0.1, ...; ids are never reused
line = indent id " [" state "] " goal

A task that is completed, abandoned or verified passes its state on to all subtasks except abandoned
ones. A task that is in progress passes its state on to the tasks above it. No other state spreads.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from react_agent.parsers.text.gist import one_line
from react_agent.parsers.values.arguments import Unreadable

ROOT = "0"
MOST_TASKS = 1000
MOST_LEVELS = 10
LONGEST_GOAL = 400  # characters
_SHOWN = 40  # characters of a wrong id
_INDENT = "  "
_AROUND = "\"'`*_()[]{}<>#:,; \t"  # characters around an id that mean nothing
_WORDS = frozenset({"task", "id", "parent", "subtask"})  # words before an id that mean nothing
_ENDS = " \t.,;:!\"'`*"


class TaskState(StrEnum):
    OPEN = "open"
    COMPLETED = "completed"
    ABANDONED = "abandoned"
    IN_PROGRESS = "in_progress"
    VERIFIED = "verified"


STATES = tuple(TaskState)
CLOSED = (TaskState.COMPLETED, TaskState.ABANDONED, TaskState.VERIFIED)


@dataclass(frozen=True, slots=True)
class Draft:
    """A task to add. It has no id yet, and its first state is open."""

    goal: str
    subtasks: tuple["Draft", ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    goal: str
    state: TaskState = TaskState.OPEN
    subtasks: tuple["Task", ...] = ()

    @property
    def line(self) -> str:
        return f"{self.id} [{self.state}] {self.goal}"

    def below(self) -> Iterator["Task"]:
        """Yield the task and all tasks below it, in the order in which a plan is written."""
        yield self
        for subtask in self.subtasks:
            yield from subtask.below()


@dataclass(frozen=True)
class Plan:
    root: Task

    @property
    def main_goal(self) -> str:
        return self.root.goal

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(self.root.below())

    @cached_property
    def current(self) -> Task | None:
        """Return the current task: the first task in progress at the deepest level."""
        return _current(self.root)

    @property
    def unfinished(self) -> tuple[Task, ...]:
        """Return the tasks that are neither done nor abandoned."""
        return tuple(task for task in self.tasks if task.state not in CLOSED)

    def find(self, written: str) -> Task | Unreadable:
        found = read_id(written)
        if isinstance(found, Unreadable):
            return found
        task = self.root
        for number in _path(found):
            if number >= len(task.subtasks):
                return Unreadable(f"Task does not exist: {found[:_SHOWN]}; {_subtasks_of(task)}")
            task = task.subtasks[number]
        return task

    def with_subtasks(self, task_id: str, drafts: Sequence[Draft]) -> "Plan | Unreadable":
        parent = self.find(task_id)
        if isinstance(parent, Unreadable):
            return parent
        count = len(parent.subtasks)
        new = [_task(draft, f"{parent.id}.{count + at}") for at, draft in enumerate(drafts)]
        if problem := _problem(self, new):
            return Unreadable(problem)
        return self._changed(parent, lambda task: replace(task, subtasks=(*task.subtasks, *new)))

    def with_state(self, task_id: str, state: TaskState) -> "Plan | Unreadable":
        task = self.find(task_id)
        if isinstance(task, Unreadable):
            return task
        climbs = state is TaskState.IN_PROGRESS
        if state in CLOSED:
            return self._changed(task, lambda found: _closed(found, state))
        return self._changed(task, lambda found: replace(found, state=state), climbs=climbs)

    def _changed(
        self, task: Task, change: Callable[[Task], Task], *, climbs: bool = False
    ) -> "Plan":
        return Plan(_with(self.root, _path(task.id), change, climbs=climbs))


def new_plan(goal: str) -> Plan:
    return Plan(Task(ROOT, goal))


def read_id(written: str) -> str | Unreadable:
    """Return the id: ` 0.1 `, `0.1.`, `#0.1` and `task 0.1` all mean 0.1."""
    words = [word.strip(_AROUND) for word in written.split()]
    bare = "".join(word for word in words if word.casefold() not in _WORDS).strip(".")
    shown = (bare or written.strip() or "none")[:_SHOWN].replace("`", "'")  # ` is for tools
    parts = bare.split(".")
    if any(part.startswith("-") and _is_number(part[1:]) for part in parts):
        return Unreadable(f"Invalid task id, negative: {shown}")
    if not all(map(_is_number, parts)):
        return Unreadable(f"Invalid task id, non-integer: {shown}")
    if parts[0] != ROOT:
        return Unreadable(f"Invalid task id, must start with 0: {shown}")
    return ".".join(parts)


def write_plan(plan: Plan) -> str:
    """Return the whole plan, with one task per line, indented by depth."""
    return "\n".join(f"{indent(task)}{task.line}" for task in plan.tasks)


def indent(task: Task) -> str:
    return _INDENT * task.id.count(".")


def same_goal(goal: str) -> str:
    """Return the goal in a normal form that ignores case, spaces and end punctuation."""
    return one_line(goal.casefold()).strip(_ENDS)


def _is_number(text: str) -> bool:
    """Return whether the number has its canonical form: `01` might mean 0.1."""
    return text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0")


def _path(task_id: str) -> tuple[int, ...]:
    """Return the numbers of an id. A number that is too long is cut, but is still out of range."""
    return tuple(int(part[:9]) for part in task_id.split(".")[1:])


def _subtasks_of(task: Task) -> str:
    if not task.subtasks:
        return f"{task.id} has no subtasks"
    first, last = task.subtasks[0].id, task.subtasks[-1].id
    return f"{task.id} has {first}" + (f" to {last}" if last != first else "")


def _current(task: Task) -> Task | None:
    for subtask in task.subtasks:
        if subtask.state is TaskState.IN_PROGRESS:
            return _current(subtask)
    return task if task.state is TaskState.IN_PROGRESS else None


def _with(
    task: Task, path: tuple[int, ...], change: Callable[[Task], Task], *, climbs: bool
) -> Task:
    if not path:
        return change(task)
    at, *rest = path
    changed = _with(task.subtasks[at], tuple(rest), change, climbs=climbs)
    return replace(
        task,
        subtasks=(*task.subtasks[:at], changed, *task.subtasks[at + 1 :]),
        state=TaskState.IN_PROGRESS if climbs else task.state,
    )


def _closed(task: Task, state: TaskState) -> Task:
    below = (
        subtask if subtask.state is TaskState.ABANDONED else _closed(subtask, state)
        for subtask in task.subtasks
    )
    return replace(task, state=state, subtasks=tuple(below))


def _task(draft: Draft, task_id: str) -> Task:
    below = (_task(one, f"{task_id}.{at}") for at, one in enumerate(draft.subtasks))
    return Task(task_id, draft.goal, subtasks=tuple(below))


def _problem(plan: Plan, new: Sequence[Task]) -> str:
    """Return the reason why the tasks can't be added, or "" if they can."""
    added = [task for one in new for task in one.below()]
    if len(plan.tasks) + len(added) > MOST_TASKS:
        return f"a plan has at most {MOST_TASKS} tasks, and this one already has {len(plan.tasks)}"
    known = {same_goal(task.goal): task for task in plan.tasks}
    for task in added:
        if not task.goal.strip():
            return "a task without a goal"
        if len(task.goal) > LONGEST_GOAL:
            return f"a goal is one sentence, and this one has {len(task.goal)} characters"
        if task.id.count(".") > MOST_LEVELS:
            return f"a plan has at most {MOST_LEVELS} levels, and {task.id} would be deeper"
        there = known.setdefault(same_goal(task.goal), task)
        if there is not task:
            known_goal = one_line(there.goal)[:80]
            return f"this task is already in the plan: {there.id} [{there.state}] {known_goal}"
    return ""
