r"""The input of `add_task`: below which task, its goal, and its subtasks.

request  = addition+ | an object of "parent", "goal", "subtasks", or a list of them
addition = parent NEWLINE [goal NEWLINE] item* | [parent [":"]] goal NEWLINE item*
parent   = [("parent" | "task" | "id" | "under") [":"]] ["#"] id
item     = indent mark goal NEWLINE          mark = "-" | "*" | "+" | "•" | number ("." | ")")

An item belongs to the one above it that is indented less. Without a parent it is the current task,
else the root. A goal may begin with the id that its task gets, as in a plan that is shown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from react_agent.parsers.plan.plan import Draft, Plan, Task, TaskState, same_goal
from react_agent.parsers.plan.request import Replanned, id_of, lines_of, objects, quoted
from react_agent.parsers.plan.task_state import state_of
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import Parts, members_of
from react_agent.parsers.values.unreadable import Unreadable

HINT = "the id of the parent on the first line, the goal on the next, `- ` before each subtask"
_ID = r"#?-?\d+(?:\.-?\w+)*\.?"
_PARENT = LatePattern(
    rf"\s*+(?:(?:parent|under|add to|to)?[ _]?(?:task|id|task[ _]id)?[ \t]*+[:=]?[ \t]*+)?"
    rf"(?P<id>{_ID})[:,]?\s*",
    re.IGNORECASE,
)
_BOTH = LatePattern(
    r"(?:parent[ \t]*[:=]?[ \t]*)?(?P<id>#?0(?:\.-?\w+)*|\d+(?:\.-?\d+)+)\.?"
    r"(?:[ \t]*(?:[:,|]|->|[-–—])[ \t]|[ \t])[ \t]*(?P<goal>\S.*)"
)
_KEY = LatePattern(r"(?:goal|title|description)[ \t]*[:=][ \t]*(?P<goal>.*)", re.IGNORECASE)
_SUBTASKS = LatePattern(r"\s*(?:and )?(?:sub[- ]?tasks|children|steps)[ \t]*:?\s*", re.IGNORECASE)
_ITEM = LatePattern(r"(?P<indent> *)(?:[-*+•–]|\(?\d{1,3}[.)])[ \t]+(?P<goal>\S.*)")
_BOX = LatePattern(r"\[(?P<state>[ xX✓]?|[A-Za-z_ -]{4,12})\][ \t]*")
_CHECKED = ("x", "X", "✓")
_PARENTS = frozenset({"parent", "parentid", "parenttask", "parenttaskid", "id", "taskid", "under"})
_GOALS = frozenset({"goal", "title", "task", "name", "description", "content", "text"})
_BELOW = frozenset({"subtasks", "children", "steps", "tasks", "subtask"})
_STATES = frozenset({"state", "status"})
_BEGINS_WITH_ID = LatePattern(r"0(?:\.\d+)+[ :]")
_OPEN = "new tasks start open"
_OWN_ID = "ids are given by their place"


@dataclass(slots=True)
class _Item:
    indent: int
    goal: str
    below: list["_Item"] = field(default_factory=list)

    def draft(self) -> Draft:
        return Draft(self.goal, tuple(item.draft() for item in self.below))


@dataclass(slots=True)
class _Addition:
    parent: str  # as it is written; empty: none is
    line: int = 1
    goal: str = ""
    items: list[_Item] = field(default_factory=list)

    def drafts(self) -> list[Draft]:
        below = tuple(item.draft() for item in self.items)
        return [Draft(self.goal, below)] if self.goal else list(below)


def added(plan: Plan, text: str) -> Replanned | Unreadable:
    """All of it, or nothing."""
    additions = _read(text)
    if isinstance(additions, Unreadable):
        return additions
    if not any(addition.drafts() for addition in additions):
        return Unreadable(f"there is no goal in it: write {HINT}")
    if twice := _twice([draft for addition in additions for draft in addition.drafts()]):
        return Unreadable(f"it names a task twice, {quoted(twice)}: write it once")
    said, mended = list[str](), list[str]()
    for addition in additions:
        came = _with(plan, addition, mended)
        if isinstance(came, Unreadable):
            return came
        plan, tasks = came
        said += (line for task in tasks for line in _told(task))
    return Replanned(plan, tuple(said), tuple(mended))


def _twice(drafts: Iterable[Draft]) -> str:
    """The first goal that another one repeats."""
    seen = set[str]()
    for goal in (goal for draft in drafts for goal in draft.goals()):
        if same_goal(goal) in seen:
            return goal
        seen.add(same_goal(goal))
    return ""


def _with(
    plan: Plan, addition: _Addition, mended: list[str]
) -> tuple[Plan, Sequence[Task]] | Unreadable:
    drafts = addition.drafts()
    if not drafts:
        return Unreadable(f"line {addition.line} names {addition.parent}, and no goal stands below")
    parent = _parent(plan, addition, mended)
    if isinstance(parent, Unreadable):
        return parent
    count = len(parent.subtasks)
    own = [_plain(draft, f"{parent.id}.{count + at}", mended) for at, draft in enumerate(drafts)]
    for at, draft in enumerate(own):
        if _BEGINS_WITH_ID.match(draft.goal):
            shown = quoted(draft.goal)
            return Unreadable(
                f"{shown} begins with an id that it does not get: write goals without ids, "
                f"this one becomes {parent.id}.{count + at}"
            )
    changed = plan.with_subtasks(parent.id, own)
    if isinstance(changed, Unreadable):
        return changed
    now = changed.find(parent.id)
    assert isinstance(now, Task)
    return changed, now.subtasks[count:]


def _parent(plan: Plan, addition: _Addition, mended: list[str]) -> Task | Unreadable:
    if not addition.parent:
        task = plan.current or plan.root
        which = "the current task" if plan.current else "the root"
        mended.append(f"no parent was named: added to {task.id}, {which}")
        return task
    found = plan.find(addition.parent)
    if isinstance(found, Task):
        return found
    above = plan.find(addition.parent.strip("#. ").rpartition(".")[0] or "none")
    if isinstance(above, Task) and addition.goal and above.next_id == addition.parent.strip("#. "):
        mended.append(f"{above.next_id} is the id that it gets: added to {above.id}")
        return above
    return found


def _plain(draft: Draft, task_id: str, mended: list[str]) -> Draft:
    """Without what a line of a plan has before its goal."""
    goal = draft.goal
    if goal.startswith((f"{task_id} ", f"{task_id}:", f"{task_id}. ")):
        goal = goal.removeprefix(task_id).lstrip(" .:")
        mended.append(_OWN_ID)
    if (box := _BOX.match(goal)) and (state := _box_state(box["state"].strip())):
        goal = goal[box.end() :]
        mended += [_OPEN] if state is not TaskState.OPEN else []
    below = (_plain(one, f"{task_id}.{at}", mended) for at, one in enumerate(draft.subtasks))
    return Draft(goal.strip(), tuple(below))


def _box_state(mark: str) -> TaskState | None:
    if not mark:
        return TaskState.OPEN
    state = TaskState.COMPLETED if mark in _CHECKED else state_of(mark)
    return state if isinstance(state, TaskState) else None


def _told(task: Task) -> list[str]:
    head = f"Added task {task.id}: {task.goal}"
    return [head, *(f"  {one.id} {one.goal}" for one in task.below() if one is not task)]


def _read(text: str) -> list[_Addition] | Unreadable:
    found = objects(text, HINT)
    if isinstance(found, Unreadable):
        return found
    return _of_objects(found) if found else _of_lines(text)


def _of_lines(text: str) -> list[_Addition] | Unreadable:
    additions, lines = list[_Addition](), lines_of(text)
    if isinstance(lines, Unreadable):
        return lines
    for number, line in lines:
        if _SUBTASKS.fullmatch(line):
            continue
        if problem := _take(additions, number, line):
            return Unreadable(f"line {number}, {quoted(line)}, {problem}: write {HINT}")
    return additions


def _take(additions: list[_Addition], number: int, line: str) -> str:
    """Why the line can't be read."""
    last = additions[-1] if additions else None
    if item := _ITEM.fullmatch(line):
        additions += [] if last else [_Addition("", number)]
        return _place(additions[-1].items, _Item(len(item["indent"]), item["goal"]))
    if head := _PARENT.fullmatch(line):
        additions.append(_Addition(head["id"], number))
        return ""
    if line[0] == " " and last:
        return "is indented, and is neither a goal nor a subtask"
    bare = line.strip()
    if last and last.parent and not last.drafts() and not _is_next(last.parent, bare):
        last.goal = _goal(bare)
        return ""
    if both := _BOTH.fullmatch(bare):
        additions.append(_Addition(both["id"], number, _goal(both["goal"])))
        return ""
    if last:
        return "could be more of the goal, a subtask, or another task"
    additions.append(_Addition("", number, _goal(bare)))
    return ""


def _is_next(parent: str, line: str) -> bool:
    """Another addition, and no goal that begins with a number."""
    both = _BOTH.fullmatch(line)
    return both is not None and not both["id"].startswith(f"{parent.strip('#. ')}.")


def _goal(text: str) -> str:
    key = _KEY.fullmatch(text)
    return " ".join((key["goal"] if key else text).split())


def _place(items: list[_Item], new: _Item) -> str:
    """Below the last one that is indented less."""
    while items and items[-1].indent < new.indent:
        items = items[-1].below
    if items and items[-1].indent > new.indent:
        return "is indented less than the subtask above it, and more than the one above that"
    items.append(new)
    return ""


def _of_objects(found: Sequence[Parts]) -> list[_Addition] | Unreadable:
    additions = list[_Addition]()
    for parts in found:
        parents = parts.take(_PARENTS, id_of)
        item = _of_parts(parts)
        if isinstance(item, Unreadable):
            return item
        if len(set(parents)) > 1:
            return Unreadable(f"it names several parents: {', '.join(parents)}")
        parent = parents[0] if parents else ""
        additions.append(_Addition(parent, goal=item.goal, items=item.below))
    return additions


def _of_parts(parts: Parts) -> _Item | Unreadable:
    goals = parts.take({*_GOALS, ""}, lambda value: value if isinstance(value, str) else None)
    below = parts.take(_BELOW, lambda value: value if isinstance(value, list) else [value])
    parts.take({*_PARENTS, *_STATES}, lambda value: value)
    if len(goals) > 1 or parts.names:
        shown = ", ".join(parts.names) or "several goals"
        return Unreadable(f"nothing is known of {quoted(shown)} in it: write {HINT}")
    item = _Item(0, " ".join(goals[0].split()) if goals else "")
    for value in (member for several in below for member in several):
        one = _of_parts(members_of(value))
        if isinstance(one, Unreadable):
            return one
        item.below.append(one)
    return item
