r"""The inputs of `add_task` and `modify_task`: lines, or an object, or a list of them.

added    = addition+ | objects of "parent", "goal", "subtasks"
addition = parent NEWLINE [goal NEWLINE] item* | [parent [":"]] goal NEWLINE item*
parent   = [("parent" | "task" | "id") [":"]] ["#"] id
item     = indent ("-" | "*" | number ("." | ")")) goal NEWLINE
modified = (id+ state)+ | objects of "id", "state"     with words that mean nothing

An item belongs to the one above it that is indented less. Without a parent it is the current task,
else the root. A task may be named by the id that it gets. A state may be written in other words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.parsers.plan.plan import (
    ROOT,
    STATES,
    Draft,
    Plan,
    Task,
    TaskState,
    same_goal,
)
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import (
    Argument,
    Arguments,
    Table,
    arguments_of,
    read_arguments,
)
from react_agent.parsers.values.unreadable import Unreadable

ADD_HINT = "the id of the parent on the first line, the goal on the next, `- ` before each subtask"
STATE_HINT = "the id of a task and its state on a line, as in: 0.1 in_progress"
_MOST = 200  # lines
_SHOWN = 8  # tasks that came along
_ROUNDED = LatePattern(r":\s*0\.\d*0\s*[,}\n]")  # as a number, 0.10 is 0.1
_PARENT = LatePattern(
    r"(?:(?:parent|task|id|under)[ _]?)*+ *+[:=]? *+(?P<id>#?-?\d+(?:\.-?\w+)*)\.?[:,]?",
    re.IGNORECASE,
)
_BOTH = LatePattern(
    r"(?P<id>#?0(?:\.-?\w+)*|\d+(?:\.-?\d+)+)\.?(?:[ ]*(?:[:,|]|->|[-–—])[ ]|[ ])[ ]*(?P<goal>\S.*)"
)
_KEY = LatePattern(r"\A(?:goal|title)[ ]*[:=][ ]*", re.IGNORECASE)
_SUBTASKS = LatePattern(r"sub[- ]?tasks[ ]*:?", re.IGNORECASE)
_ITEM = LatePattern(r"(?P<indent> *)(?:[-*+•–]|\(?\d{1,3}[.)]) +(?P<goal>\S.*)")
_ID = LatePattern(r"(-?\b\d+(?:\.-?\w+)*)")
_WORD = LatePattern(r"[^\W\d]\w*(?:-\w+)*")
_FILLER = frozenset(
    {"mark", "set", "task", "tasks", "to", "as", "is", "are", "and", "state", "status", "id", "the"}
)
_WORDS = {
    TaskState.OPEN: "open todo to_do pending not_started reopen",
    TaskState.IN_PROGRESS: "in_progress started start doing current wip",
    TaskState.COMPLETED: "completed complete done finished",
    TaskState.ABANDONED: "abandoned dropped cancelled canceled given_up",
    TaskState.VERIFIED: "verified checked tested",
}
_STATES = {word: state for state, words in _WORDS.items() for word in words.split()}


def _strings(value: object) -> tuple[str] | None:
    return (value,) if isinstance(value, str) else None


def _ids(value: object) -> tuple[str] | None:
    """`0` and `0.1` may be written as numbers."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (repr(value),) if is_number else _strings(value)


def _anything(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


_PARENTS = Argument({"parent", "parentid", "parenttask", "id", "taskid"}, _ids)
_GOALS = Argument({"goal", "title", "task", "name", "description", ""}, _strings)
_BELOW = Argument({"subtasks", "children", "steps", "tasks"}, _anything)
_STATE = Argument({"state", "status", "newstate"}, _strings)
_TASK = Argument({"id", "taskid", "task"}, _ids)
_ADDED: Table = (_PARENTS, _GOALS, _BELOW, _STATE)  # a new task is open, whatever is written
_MODIFIED: Table = (_TASK, _STATE)


@dataclass(frozen=True, slots=True)
class Replanned:
    """What came of a request."""

    plan: Plan
    said: tuple[str, ...]  # what has changed, a line each
    repairs: tuple[str, ...] = ()  # how the request was read, where it was written otherwise

    @property
    def text(self) -> str:
        repairs = f"[{'; '.join(dict.fromkeys(self.repairs))}]\n" if self.repairs else ""
        return repairs + "\n".join(self.said)


@dataclass(slots=True)
class _Item:
    goal: str
    indent: int = 0
    below: list["_Item"] = field(default_factory=list)

    def draft(self) -> Draft:
        return Draft(self.goal, tuple(item.draft() for item in self.below))


@dataclass(slots=True)
class _Addition:
    """A goal with its subtasks; without a goal, several tasks."""

    parent: str  # as it is written; empty: none is
    task: _Item

    def drafts(self) -> Sequence[Draft]:
        draft = self.task.draft()
        return [draft] if draft.goal else draft.subtasks


def added(plan: Plan, text: str) -> Replanned | Unreadable:
    """All of it, or nothing."""
    additions = _additions(text)
    if isinstance(additions, Unreadable):
        return additions
    if not any(addition.drafts() for addition in additions):
        return Unreadable(f"there is no goal in it: write {ADD_HINT}")
    if twice := _twice(draft for addition in additions for draft in addition.drafts()):
        return Unreadable(f"it names a task twice, {_quoted(twice)}: write it once")
    said, repairs = list[str](), list[str]()
    for addition in additions:
        parent = _parent(plan, addition, repairs)
        if isinstance(parent, Unreadable):
            return parent
        if not addition.drafts():
            return Unreadable(f"no goal follows {addition.parent}: write {ADD_HINT}")
        changed = plan.with_subtasks(parent.id, addition.drafts())
        if isinstance(changed, Unreadable):
            return changed
        plan, now = changed, changed.find(parent.id)
        assert isinstance(now, Task)
        for task in now.subtasks[len(parent.subtasks) :]:
            said.append(f"Added task {task.id}: {task.goal}")
            said += (f"  {one.id} {one.goal}" for one in task.below() if one is not task)
    return Replanned(plan, tuple(said), tuple(repairs))


def modified(plan: Plan, text: str) -> Replanned | Unreadable:
    """All of it, or nothing."""
    changes = _changes(text)
    if isinstance(changes, Unreadable):
        return changes
    if not changes:
        return Unreadable(f"there is no task in it: write {STATE_HINT}")
    said, repairs = list[str](), list[str]()
    for written, word in changes:
        task, state = plan.find(written), state_of(word)
        if isinstance(task, Unreadable):
            return task
        if isinstance(state, Unreadable):
            return state
        if word.strip() != state:
            repairs.append(f"read {_quoted(word)} as {state}")
        changed = plan.with_state(task.id, state)
        assert isinstance(changed, Plan)
        said.append(_state_set(plan, changed, task, state))
        plan = changed
    return Replanned(plan, tuple(said), tuple(repairs))


def apart_from_root(plan: Plan, text: str) -> Plan:
    """With those changes of a request only that are of other tasks."""
    changes = _changes(text)
    for written, word in [] if isinstance(changes, Unreadable) else changes:
        task, state = plan.find(written), state_of(word)
        if isinstance(task, Task) and isinstance(state, TaskState) and task.id != ROOT:
            changed = plan.with_state(task.id, state)
            assert isinstance(changed, Plan)
            plan = changed
    return plan


def state_of(written: str) -> TaskState | Unreadable:
    """` Completed`, `done` and `in-progress` can mean one state only."""
    folded = "_".join(_WORD.findall(written.casefold().replace("-", " ")))
    state = _STATES.get(folded) if "?" not in written else None
    return state or Unreadable(
        f"{_quoted(written)} is no state: a task is one of {', '.join(STATES)}"
    )


def _twice(drafts: Iterable[Draft]) -> str:
    """The first goal that another one repeats."""
    seen = set[str]()
    for goal in (goal for draft in drafts for goal in draft.goals()):
        if same_goal(goal) in seen:
            return goal
        seen.add(same_goal(goal))
    return ""


def _parent(plan: Plan, addition: _Addition, repairs: list[str]) -> Task | Unreadable:
    if not addition.parent:
        task = plan.current or plan.root
        which = "the current task" if plan.current else "the root"
        repairs.append(f"no parent was named: added to {task.id}, {which}")
        return task
    found = plan.find(addition.parent)
    own = addition.parent.strip("#. ")
    above = plan.find(own.rpartition(".")[0] or "none")
    if isinstance(found, Unreadable) and isinstance(above, Task) and above.next_id == own:
        repairs.append(f"{own} is the id that it gets: added to {above.id}")
        return above
    return found


def _state_set(before: Plan, after: Plan, task: Task, state: TaskState) -> str:
    if before == after:
        return f"Task {task.id} is {state} already"
    pairs = zip(before.tasks, after.tasks, strict=True)
    along = [now.id for was, now in pairs if was.state is not now.state and now.id != task.id]
    more = f" and {len(along) - _SHOWN} more" if len(along) > _SHOWN else ""
    with_it = f", and with it {', '.join(along[:_SHOWN])}{more}" if along else ""
    return f"Set task {task.id} to {state}{with_it}"


def _requests(text: str, table: Table, hint: str) -> tuple[Arguments, ...] | Unreadable:
    requests = read_arguments(text, table, f"write {hint}")
    if isinstance(requests, Unreadable):
        return requests
    if requests and _ROUNDED.search(text):
        return Unreadable(f"an id that ends in 0 must stand in quotes; better write {hint}")
    if unknown := [name for request in requests for name in request.left_out]:
        return Unreadable(f"nothing is known of {_quoted(', '.join(unknown))}: write {hint}")
    return requests


def _changes(text: str) -> Sequence[tuple[str, str]] | Unreadable:
    """The tasks and their states, as they are written."""
    requests = _requests(text, _MODIFIED, STATE_HINT)
    if isinstance(requests, Unreadable):
        return requests
    changes = list[tuple[str, str]]()
    for request in requests:
        ids, states = request.all(_TASK), request.all(_STATE)
        if len(ids) != 1 or len(states) != 1:
            return Unreadable(f"a change is one id and one state: write {STATE_HINT}")
        changes.append((ids[0], states[0]))
    return changes if requests else _worded_changes(text)


def _worded_changes(text: str) -> Sequence[tuple[str, str]] | Unreadable:
    """A line names tasks and the state of all of them, which may be on the next line."""
    changes, ids = list[tuple[str, str]](), list[str]()
    for line in text.split("\n"):
        ids += _ID.findall(line)
        words = _WORD.findall(_ID.sub(" ", line))
        if state := " ".join(word for word in words if word.casefold() not in _FILLER):
            if not ids:
                return Unreadable(f"{_quoted(line)} names no task: write {STATE_HINT}")
            is_state = isinstance(state_of(" ".join(words)), TaskState)  # `to do`, as a whole
            changes += ((one, " ".join(words) if is_state else state) for one in ids)
            ids = []
    if ids:
        return Unreadable(f"{_quoted(text)} does not give each task one state: write {STATE_HINT}")
    return changes


def _additions(text: str) -> Sequence[_Addition] | Unreadable:
    requests = _requests(text, _ADDED, ADD_HINT)
    if isinstance(requests, Unreadable):
        return requests
    additions = list[_Addition]()
    for request in requests:
        parents, task = {*request.all(_PARENTS)}, _item(request)
        if isinstance(task, Unreadable):
            return task
        if len(parents) > 1:
            return Unreadable(f"it names several parents: {', '.join(sorted(parents))}")
        additions.append(_Addition("".join(parents), task))
    return additions if requests else _written_additions(text)


def _item(request: Arguments) -> _Item | Unreadable:
    goals = request.all(_GOALS)
    if len(goals) > 1 or request.left_out:
        shown = ", ".join(request.left_out) or "several goals"
        return Unreadable(f"nothing is known of {_quoted(shown)}: write {ADD_HINT}")
    item = _Item(" ".join("".join(goals).split()))
    for value in request.all(_BELOW):
        one = _item(arguments_of(value, _ADDED))
        if isinstance(one, Unreadable):
            return one
        item.below.append(one)
    return item


def _written_additions(text: str) -> Sequence[_Addition] | Unreadable:
    additions = list[_Addition]()
    lines = [*_lines(text)]
    if len(lines) > _MOST:
        return Unreadable(f"these are more than {_MOST} lines")
    for number, line in lines:
        if problem := _take(additions, line):
            return Unreadable(f"line {number}, {_quoted(line)}, {problem}: write {ADD_HINT}")
    return additions


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.expandtabs(4).split("\n"), start=1):
        if line.strip() and not _SUBTASKS.fullmatch(line.strip()):
            yield number, line.rstrip()


def _take(additions: list[_Addition], line: str) -> str:
    """Why the line can't be read."""
    last, bare = additions[-1] if additions else None, line.strip()
    if item := _ITEM.fullmatch(line):
        additions += [] if last else [_Addition("", _Item(""))]
        return _place(additions[-1].task.below, _Item(item["goal"], len(item["indent"])))
    if head := _PARENT.fullmatch(bare):
        additions.append(_Addition(head["id"], _Item("")))
    elif last and line[0] == " ":
        return "is indented, and is neither a goal nor a subtask"
    elif last and last.parent and not last.drafts():
        last.task.goal = _goal(bare)
    elif both := _BOTH.fullmatch(bare):
        additions.append(_Addition(both["id"], _Item(_goal(both["goal"]))))
    elif last:
        return "could be more of the goal, a subtask, or another task"
    else:
        additions.append(_Addition("", _Item(_goal(bare))))
    return ""


def _goal(text: str) -> str:
    return " ".join(_KEY.sub("", text, count=1).split())


def _place(items: list[_Item], new: _Item) -> str:
    """Below the last one that is indented less."""
    while items and items[-1].indent < new.indent:
        items = items[-1].below
    if items and items[-1].indent > new.indent:
        return "is indented less than the subtask above it, and more than the one above that"
    items.append(new)
    return ""


def _quoted(line: str, most: int = 60) -> str:
    """In a text of ours; never in the quotes that the names of tools stand in."""
    bare = " ".join(line.split()).replace("`", "'")
    return f'"{bare}"' if len(bare) <= most else f'"{bare[: most - 1]}…"'
