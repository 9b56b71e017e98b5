r"""The input of `modify_task`: tasks, and the states that they get.

request = change+ | an object of "id", "state", or a list of them    change = a line or a part of it
change  = [words] id (("," | "and" | blank) id)* [mark] [words] state ["]" [goal]] | state mark id
mark    = ":" | "->" | "=" | "," | ...        words = "mark" | "set" | "task" | "to" | "as" | ...

A state may be written otherwise, as long as it can mean one only. A goal behind it is the task's
own: what is copied from a plan that is shown.
"""

import re
from collections.abc import Sequence

from react_agent.parsers.plan.plan import ROOT, Plan, Task, TaskState, same_goal
from react_agent.parsers.plan.request import Replanned, id_of, lines_of, objects, quoted
from react_agent.parsers.plan.task_state import MARKS, state_of
from react_agent.parsers.values.arguments import Parts
from react_agent.parsers.values.unreadable import Unreadable

HINT = "the id of a task and its state on a line, as in: 0.1 in_progress"
_FILLER = frozenset(
    {
        *("mark", "set", "task", "tasks", "subtask", "to", "as", "is", "and", "state", "status"),
        *("id", "the", "now", "are", "be", "change", "update", "move", ""),
    }
)
_PART = re.compile(r"[,;]|\band\b")
_TOKEN = re.compile(r"[#(\[]*(?P<id>-?\d+(?:\.-?\w+)*)\.?[:,)\]]*|\S+")
_COPIED = re.compile(
    r"\s*(?:[-*+•]\s+)?(?:task\s+)?(?P<id>\S*\d\S*)\s*(?:->|=>|→|[:=])?\s*\[(?P<state>[^\]\d]{2,20})\]\s*"
    r"(?P<goal>\S.*)",
    re.IGNORECASE,
)
_IDS = frozenset({"id", "ids", "taskid", "task", "tasks", "parent"})
_STATES = frozenset({"state", "status", "newstate", "to"})
_GOALS = frozenset({"goal", "title"})
_SHOWN = 8  # tasks that came along
_Wanted = tuple[str, str]  # the task and the state, as they are written


def modified(plan: Plan, text: str) -> Replanned | Unreadable:
    """All of it, or nothing."""
    wanted = _read(plan, text)
    if isinstance(wanted, Unreadable):
        return wanted
    if not wanted:
        return Unreadable(f"there is no task in it: write {HINT}")
    said, mended = list[str](), list[str]()
    for written, word in wanted:
        task, state = plan.find(written), state_of(word)
        if isinstance(task, Unreadable):
            return task
        if isinstance(state, Unreadable):
            return state
        if word.strip() != state:
            mended.append(f"read {quoted(word)} as {state}")
        changed = plan.with_state(task.id, state)
        assert isinstance(changed, Plan)
        said.append(_told(plan, changed, task, state))
        plan = changed
    return Replanned(plan, tuple(said), tuple(mended))


def apart_from_root(plan: Plan, text: str) -> Plan:
    """With those changes of a request only that are of other tasks."""
    wanted = _read(plan, text)
    for written, word in [] if isinstance(wanted, Unreadable) else wanted:
        task, state = plan.find(written), state_of(word)
        if isinstance(task, Task) and isinstance(state, TaskState) and task.id != ROOT:
            changed = plan.with_state(task.id, state)
            assert isinstance(changed, Plan)
            plan = changed
    return plan


def _told(before: Plan, after: Plan, task: Task, state: TaskState) -> str:
    if before == after:
        return f"Task {task.id} is {state} already"
    pairs = zip(before.tasks, after.tasks, strict=True)
    along = [now.id for was, now in pairs if was.state is not now.state and now.id != task.id]
    more = f" and {len(along) - _SHOWN} more" if len(along) > _SHOWN else ""
    with_it = f", and with it {', '.join(along[:_SHOWN])}{more}" if along else ""
    return f"Set task {task.id} to {state}{with_it}"


def _read(plan: Plan, text: str) -> list[_Wanted] | Unreadable:
    found = objects(text, HINT)
    if isinstance(found, Unreadable):
        return found
    return _of_objects(found) if found else _of_lines(plan, text)


def _of_lines(plan: Plan, text: str) -> list[_Wanted] | Unreadable:
    lines, wanted = lines_of(_joined(text)), list[_Wanted]()
    if isinstance(lines, Unreadable):
        return lines
    for _, line in lines:
        several = _of_copy(plan, line) or _of_line(line)
        if isinstance(several, Unreadable):
            return several
        wanted += several
    return wanted


def _joined(text: str) -> str:
    """An id and its state on lines of their own are one change."""
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    is_pair = len(lines) == 2 and not _has_both(lines[0]) and not _has_both(lines[1])
    return " ".join(lines) if is_pair else text


def _has_both(line: str) -> bool:
    ids, rest = _parted(line)
    return bool(ids and rest)


def _of_copy(plan: Plan, line: str) -> list[_Wanted] | Unreadable:
    """A line as a plan that is shown has it, with another state."""
    found = _COPIED.fullmatch(line)
    if not found:
        return []
    task = plan.find(found["id"])
    if isinstance(task, Unreadable):
        return task
    goal = found["goal"].rstrip(" …")
    if not same_goal(task.goal.replace("`", "'")).startswith(same_goal(goal.replace("`", "'"))):
        return Unreadable(f"the goal of a task stays as it is: {task.id} {quoted(task.goal)}")
    return [(task.id, found["state"])]


def _of_line(line: str) -> list[_Wanted] | Unreadable:
    """`0.1 done, 0.2 open` are two changes, `0.1, 0.2 done` are two with one state."""
    parts = [part for part in map(_parted, _PART.split(line)) if part[0] or part[1]]
    if parts and all(ids and state for ids, state in parts):
        return [(one, state) for ids, state in parts for one in ids]
    ids = [one for some, _ in parts for one in some]
    states = [state for _, state in parts if state]
    if not ids:
        return Unreadable(f"{quoted(line)} names no task: write {HINT}")
    if len(states) != 1:
        return Unreadable(f"{quoted(line)} does not give each task one state: write {HINT}")
    return [(one, states[0]) for one in ids]


def _parted(text: str) -> tuple[list[str], str]:
    """The ids, and what else is said."""
    tokens = list(_TOKEN.finditer(text))
    ids = [token["id"] for token in tokens if token["id"]]
    words = [token[0].strip(MARKS) for token in tokens if not token["id"]]
    whole = " ".join(filter(None, words))
    if isinstance(
        state_of(whole), TaskState
    ):  # `to do` and `now` are made of words that mean nothing elsewhere
        return ids, whole
    return ids, " ".join(word for word in words if word.casefold() not in _FILLER)


def _of_objects(found: Sequence[Parts]) -> list[_Wanted] | Unreadable:
    wanted = list[_Wanted]()
    for parts in found:
        ids = parts.take(_IDS, id_of)
        states = parts.take(_STATES, lambda value: value if isinstance(value, str) else None)
        parts.take(_GOALS, lambda value: value)
        if len(ids) != 1 or len(states) != 1 or parts.names:
            return Unreadable(f"a change is one id and one state: write {HINT}")
        wanted.append((ids[0], states[0]))
    return wanted
