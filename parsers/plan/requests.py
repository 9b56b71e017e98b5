"""Read the inputs of `add_task` and `modify_task`: lines, an object, or a list of objects.

added    = addition+ | objects of "parent", "goal", "subtasks"
addition = parent NEWLINE [goal NEWLINE] item* | [parent [":"]] goal NEWLINE item*
parent   = [("parent" | "task" | "id") [":"]] ["#"] id
item     = indent ("-" | "*" | number ("." | ")")) goal NEWLINE
modified = (id+ state NEWLINE)+ | objects of "id", "state"     other words are ignored

An item belongs to the nearest item above it that is indented less. If no parent is given, the
parent is the current task, or else the root. A synonym may be used for a state.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.plan.plan import ROOT, STATES, Draft, Plan, Task, TaskState
from react_agent.parsers.text.counted import first_few
from react_agent.parsers.text.gist import clipped, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import (
    Argument,
    Arguments,
    Table,
    Unreadable,
    arguments_of,
    one_text,
    read_arguments,
)

ADD_HINT = "the id of the parent on the first line, the goal on the next, `- ` before each subtask"
STATE_HINT = "the id of a task and its state on a line, as in: 0.1 in_progress"
_MOST = 200  # lines
_SHOWN = 8  # subtasks that changed with their task
_ROUNDED = LatePattern(r":\s*0\.\d*0\s*[,}\n]")  # as a number, 0.10 is 0.1
_HEAD = LatePattern(
    r"(?:(?:parent|task|id|under)[ _]?)*+ *+[:=]? *+(?P<id>#?0(?:\.-?\w+)*|#?\d+(?:\.-?\w+)+"
    r"|#?-?\d+(?=\W*$))\.?(?:[ ]*(?:[:,|]|->|[-–—]|$)|(?=[ ]))[ ]*(?P<goal>.*)",
    re.IGNORECASE,
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


def _ids(value: object) -> tuple[str] | None:
    """Return an id as text, since `0` and `0.1` may be given as numbers."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (repr(value),) if is_number else one_text(value)


_PARENTS = Argument({"parent", "parentid", "parenttask", "id", "taskid"}, _ids)
_GOALS = Argument({"goal", "title", "task", "name", "description", ""}, one_text)
_BELOW = Argument(
    {"subtasks", "children", "steps", "tasks"},
    lambda value: value if isinstance(value, list) else [value],
)
_STATE = Argument({"state", "status", "newstate"}, one_text)
_TASK = Argument({"id", "taskid", "task"}, _ids, begins=True)
_ADDED: Table = (_PARENTS, _GOALS, _BELOW, _STATE)  # a new task is open, whatever is written
_MODIFIED: Table = (_TASK, _STATE)


@dataclass(frozen=True, slots=True)
class Replanned:
    plan: Plan
    said: tuple[str, ...]  # what has changed, a line each
    repairs: tuple[str, ...] = ()  # how the request was read, if it was written otherwise

    @property
    def text(self) -> str:
        repairs = f"[{'; '.join(dict.fromkeys(self.repairs))}]\n" if self.repairs else ""
        return repairs + "\n".join(self.said)


_Addition = tuple[str, Sequence[Draft]]  # the parent as it is written, or "", and its new tasks


def added(plan: Plan, text: str) -> Replanned | Unreadable:
    """Add all tasks of the request, or none."""
    additions = _additions(text)
    if isinstance(additions, Unreadable):
        return additions
    if not any(drafts for _, drafts in additions):
        return Unreadable(f"no goal found: write {ADD_HINT}")
    said, repairs = list[str](), list[str]()
    for named, drafts in additions:
        parent = plan.find(named) if named else plan.current or plan.root
        if isinstance(parent, Unreadable):
            return parent
        if not named:
            which = "the current task" if plan.current else "the root"
            repairs.append(f"no parent was named: added to {parent.id}, {which}")
        if not drafts:
            return Unreadable(f"no goal follows {named}: write {ADD_HINT}")
        changed = plan.with_subtasks(parent.id, drafts)
        if isinstance(changed, Unreadable):
            return changed
        plan, now = changed, changed.find(parent.id)
        assert isinstance(now, Task)
        for task in now.subtasks[len(parent.subtasks) :]:
            said.append(f"Added task {task.id}: {task.goal}")
            said += (f"  {one.id} {one.goal}" for one in task.below() if one is not task)
    return Replanned(plan, tuple(said), tuple(repairs))


def modified(plan: Plan, text: str) -> Replanned | Unreadable:
    """Change all tasks of the request, or none."""
    changes = _changes(text)
    if isinstance(changes, Unreadable):
        return changes
    if not changes:
        return Unreadable(f"no task found: write {STATE_HINT}")
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
    """Return the plan with all changes of a request except those of the root."""
    changes = _changes(text)
    for written, word in [] if isinstance(changes, Unreadable) else changes:
        task, state = plan.find(written), state_of(word)
        if isinstance(task, Task) and isinstance(state, TaskState) and task.id != ROOT:
            changed = plan.with_state(task.id, state)
            assert isinstance(changed, Plan)
            plan = changed
    return plan


def state_of(written: str) -> TaskState | Unreadable:
    """Return the state for a word such as ` Completed`, `done` or `in-progress`."""
    folded = "_".join(_WORD.findall(written.casefold().replace("-", " ")))
    state = _STATES.get(folded) if "?" not in written else None
    return state or Unreadable(
        f"{_quoted(written)} is not a state: a task is one of {', '.join(STATES)}"
    )


def _state_set(before: Plan, after: Plan, task: Task, state: TaskState) -> str:
    if before == after:
        return f"Task {task.id} is {state} already"
    pairs = zip(before.tasks, after.tasks, strict=True)
    along = [now.id for was, now in pairs if was.state is not now.state and now.id != task.id]
    with_it = f", and with it {first_few(along, _SHOWN)}" if along else ""
    return f"Set task {task.id} to {state}{with_it}"


def _requests(text: str, table: Table, hint: str) -> tuple[Arguments, ...] | Unreadable:
    requests = read_arguments(text, table, f"write {hint}")
    if isinstance(requests, Unreadable):
        return requests
    if requests and _ROUNDED.search(text):
        return Unreadable(f"put an id that ends in 0 in quotes, or better write {hint}")
    if unknown := [name for request in requests for name in request.left_out]:
        return Unreadable(f"can't read {_quoted(', '.join(unknown))}: write {hint}")
    return requests


def _changes(text: str) -> Sequence[tuple[str, str]] | Unreadable:
    """Return the tasks and their states as written in the request."""
    requests = _requests(text, _MODIFIED, STATE_HINT)
    if isinstance(requests, Unreadable):
        return requests
    changes = list[tuple[str, str]]()
    for request in requests:
        ids, states = request.all(_TASK), request.all(_STATE)
        if len(ids) != 1 or len(states) != 1:
            return Unreadable(f"a change needs one id and one state: write {STATE_HINT}")
        changes.append((ids[0], states[0]))
    for line in [] if requests else filter(str.strip, text.split("\n")):
        named, words = _ID.findall(line), _WORD.findall(_ID.sub(" ", line))
        state = " ".join(word for word in words if word.casefold() not in _FILLER)
        if not named or not state:
            return Unreadable(f"{_quoted(line)} is not a task and its state: write {STATE_HINT}")
        changes += ((one, state) for one in named)
    return changes


def _additions(text: str) -> Sequence[_Addition] | Unreadable:
    requests = _requests(text, _ADDED, ADD_HINT)
    if isinstance(requests, Unreadable):
        return requests
    additions = list[_Addition]()
    for request in requests:
        parents, task = {*request.all(_PARENTS)}, _draft(request)
        if isinstance(task, Unreadable):
            return task
        if len(parents) > 1:
            return Unreadable(f"it names several parents: {', '.join(sorted(parents))}")
        additions.append(("".join(parents), (task,) if task.goal else task.subtasks))
    return additions if requests else _written_additions(text)


def _draft(request: Arguments) -> Draft | Unreadable:
    goals, below = request.all(_GOALS), list[Draft]()
    if len(goals) > 1 or request.left_out:
        shown = ", ".join(request.left_out) or "several goals"
        return Unreadable(f"can't read {_quoted(shown)}: write {ADD_HINT}")
    for value in request.all(_BELOW):
        one = _draft(arguments_of(value, _ADDED))
        if isinstance(one, Unreadable):
            return one
        below.append(one)
    return Draft(" ".join("".join(goals).split()), tuple(below))


def _written_additions(text: str) -> Sequence[_Addition] | Unreadable:
    found = [("", list[tuple[int, str]]())]  # each parent, and how deep its goals are indented
    lines = [line.rstrip() for line in text.expandtabs(4).split("\n") if line.strip()]
    if len(lines) > _MOST:
        return Unreadable(f"more than {_MOST} lines")
    for line in lines:
        _, items = found[-1]
        bare, item = line.strip(), _ITEM.fullmatch(line)
        if not item and (head := _HEAD.fullmatch(bare)):
            found.append((head["id"], [(-1, head["goal"])] if head["goal"] else []))
        elif item:
            items.append((len(item["indent"]), item["goal"]))
        elif not items:
            items.append((-1, bare))
        elif not _SUBTASKS.fullmatch(bare):
            several = "could be more of the goal, a subtask, or another task"
            return Unreadable(f"{_quoted(line)} {several}: write {ADD_HINT}")
    return [(parent, _nested(items)) for parent, items in found if parent or items]


def _nested(items: Sequence[tuple[int, str]]) -> tuple[Draft, ...]:
    """Return the items as drafts, each with the more deeply indented items below it."""
    drafts = list[Draft]()
    while items:
        indent, goal = items[0]
        end = next((at for at, one in enumerate(items) if at and one[0] <= indent), len(items))
        bare = _KEY.sub("", goal, count=1) if indent < 0 else goal
        drafts.append(Draft(" ".join(bare.split()), _nested(items[1:end])))
        items = items[end:]
    return tuple(drafts)


def _quoted(line: str) -> str:
    """Return the line in quotes, for our messages. Backticks are reserved for tool names."""
    bare = one_line(line).replace("`", "'")
    return f'"{clipped(bare, 60, "…")}"'
