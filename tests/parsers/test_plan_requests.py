"""What models write to change a plan: which tasks are added, which get another state."""

import pytest
from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.plan.plan import Draft, Plan, TaskState, new_plan
from react_agent.parsers.plan.requests import Replanned, added, apart_from_root, modified, state_of
from react_agent.parsers.values.arguments import Unreadable

HINT = (
    "write the id of the parent on the first line, the goal on the next, `- ` before each subtask"
)
STATE_HINT = "write the id of a task and its state on a line, as in: 0.1 in_progress"
NO_PARENT = "no parent was named: added to 0, the root"
KNOWN = ("first", "second")


def plan_of(*goals: str) -> Plan:
    plan = new_plan("do it").with_subtasks("0", [Draft(goal) for goal in goals])
    assert isinstance(plan, Plan)
    return plan


@table_of(
    ("text", "lines"),
    {
        "parent and goal": ("0\nnew", "0.2 new"),
        "with a colon": ("0: new", "0.2 new"),
        "keys": ("Parent: 0.1\nGoal: new", "0.1.0 new"),
        "no parent": ("new", f"[{NO_PARENT}] 0.2 new"),
        "3": ("3 tests must pass", f"[{NO_PARENT}] 0.2 3 tests must pass"),
        "nested": (
            "0\nnew\n- a\n  - b\n    - c\n- d",
            "0.2 new, 0.2.0 a, 0.2.0.0 b, 0.2.0.0.0 c, 0.2.1 d",
        ),
        "numbered": ("0 new\nSubtasks:\n  1. a\n  2. b", "0.2 new, 0.2.0 a, 0.2.1 b"),
        "items without a goal": ("0.1\n* a\n* b", "0.1.0 a, 0.1.1 b"),
        "an object": (
            '{"parent": 0, "goal": "new", "subtasks": [{"goal": "a"}, "b"]}',
            "0.2 new, 0.2.0 a, 0.2.1 b",
        ),
        "objects": (
            '[{"parent": "0.1", "goal": "a"}, {"parent": 0.1, "goal": "b", "state": "open"}]',
            "0.1.0 a, 0.1.1 b",
        ),
    },
)
def test_what_is_added(text: str, lines: str) -> None:
    before, came = plan_of(*KNOWN), added(plan_of(*KNOWN), text)
    assert isinstance(came, Replanned), came
    there = {task.id for task in before.tasks}
    new = [task.line for task in came.plan.tasks if task.id not in there]
    assert all(" [open] " in line for line in new)
    mended = [f"[{repair}]" for repair in came.repairs]
    assert " ".join([*mended, ", ".join(new).replace(" [open]", "")]) == lines


def test_without_a_parent_it_is_the_task_at_hand() -> None:
    plan = plan_of(*KNOWN).with_state("0.1", TaskState.IN_PROGRESS)
    assert isinstance(plan, Plan)
    came = added(plan, "new")
    assert isinstance(came, Replanned)
    assert came.text == (
        "[no parent was named: added to 0.1, the current task]\nAdded task 0.1.0: new"
    )


def test_what_was_added_is_told() -> None:
    came = added(plan_of(), "0\nnew\n- a\n  - b")
    assert isinstance(came, Replanned)
    assert came.text == "Added task 0.0: new\n  0.0.0 a\n  0.0.0.0 b"


@table_of(
    ("text", "reason"),
    {
        "nothing": ("", f"no goal found: {HINT}"),
        "two parents": ("0\n0.1\nnew", f"no goal follows 0: {HINT}"),
        "no parent": ("0.7\nnew", "Task does not exist: 0.7; 0 has 0.0 to 0.1"),
        "there already": ("0\nFirst.", "this task is already in the plan: 0.0 [open] first"),
        "two readings": (
            "0\nnew\nand more",
            f'"and more" could be more of the goal, a subtask, or another task: {HINT}',
        ),
        "0.10 as a number": (
            '{"parent": 0.10, "goal": "new"}',
            f"put an id that ends in 0 in quotes, or better {HINT}",
        ),
        "an unknown key": (
            '{"parent": "0", "goal": "new", "priority": 1}',
            f'can\'t read "priority": {HINT}',
        ),
        "many": ("x\n" + "- y\n" * 300, "more than 200 lines"),
    },
)
def test_what_is_not_added(text: str, reason: str) -> None:
    assert added(plan_of(*KNOWN), text) == Unreadable(reason)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (TaskState.OPEN, "open|todo|To do|pending|not started|reopen"),
        (TaskState.IN_PROGRESS, "in_progress|in progress|In-Progress|started|doing|current|WIP"),
        (TaskState.COMPLETED, "completed|Completed|done|finished|DONE."),
        (TaskState.ABANDONED, "abandoned|dropped|cancelled|canceled|given up"),
        (TaskState.VERIFIED, "verified|checked|tested|[verified]"),
    ],
    ids=lambda value: str(value) if isinstance(value, TaskState) else "",
)
def test_a_state_in_other_words(state: TaskState, words: str) -> None:
    assert {word: state_of(word) for word in words.split("|")} == dict.fromkeys(
        words.split("|"), state
    )


@table_of("word", ["blocked", "not done", "done?", ""])
def test_a_word_that_can_mean_several(word: str) -> None:
    known = "open, completed, abandoned, in_progress, verified"
    assert state_of(word) == Unreadable(f'"{word}" is not a state: a task is one of {known}')


@table_of(
    ("text", "told"),
    {
        "plain": ("0.1 in_progress", "Set task 0.1 to in_progress, and with it 0"),
        "with subtasks": ("0 verified", "Set task 0 to verified, and with it 0.0, 0.1"),
        "nothing new": ("0.1 open", "Task 0.1 is open already"),
        "lines": ("0.0 verified\n\n0.1 open", "Set task 0.0 to verified\nTask 0.1 is open already"),
        "a synonym": ("0.1: done", '[read "done" as completed]\nSet task 0.1 to completed'),
        "objects": ('[{"task_id": 0.1, "status": "verified"}]', "Set task 0.1 to verified"),
    },
)
def test_what_is_changed(text: str, told: str) -> None:
    came = modified(plan_of(*KNOWN), text)
    assert isinstance(came, Replanned), came
    assert came.text == told


@table_of(
    ("text", "reason"),
    {
        "nothing": ("", f"no task found: {STATE_HINT}"),
        "no task": ("done", f'"done" is not a task and its state: {STATE_HINT}'),
        "no such state": (
            "0.1 blocked",
            '"blocked" is not a state: a task is one of open, completed, abandoned, in_progress, '
            "verified",
        ),
        "one bad": ("0.0 verified\n0.7 verified", "Task does not exist: 0.7; 0 has 0.0 to 0.1"),
        "half an object": ('{"id": "0.1"}', f"a change needs one id and one state: {STATE_HINT}"),
    },
)
def test_what_is_not_changed(text: str, reason: str) -> None:
    assert modified(plan_of(*KNOWN), text) == Unreadable(reason)


def test_of_many_that_come_along_some_are_named() -> None:
    came = modified(plan_of(*map(str, range(20))), "0 verified")
    assert isinstance(came, Replanned)
    along = ", ".join(f"0.{number}" for number in range(8))
    assert came.text == f"Set task 0 to verified, and with it {along} and 12 more"


PIECES = st.sampled_from(
    [
        *("0", "0.1", "0.-1", "0.x", "\n", "\n  ", "- ", "* ", " ", ":", "->", "[open]", "done"),
        *("{", "}", "goal", "new", '"', "0.2 ", "1. ", ",", "and", "`x`", "Observation: y", "\t"),
    ]
)


@example("0`0[::]0")
@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_is_a_change_or_a_reason(text: str) -> None:
    for change in (added, modified):
        came = change(plan_of(*KNOWN), text)
        if isinstance(came, Unreadable):
            assert came.reason.count("\n") == 0
            assert "`" not in came.reason.replace("`- `", "")
        else:
            assert came.text


@table_of(
    ("text", "states"),
    [
        pytest.param("0.0 done\n0 verified", "open completed open", id="another one and the root"),
        pytest.param("0 verified\n0.1 wip", "in_progress open in_progress", id="the root first"),
        pytest.param("0.7 done\n0.1 done", "open open completed", id="one that there is not"),
        pytest.param("well", "open open open", id="no request"),
    ],
)
def test_what_a_request_changes_but_for_the_root(text: str, states: str) -> None:
    after = apart_from_root(plan_of(*KNOWN), text)
    assert " ".join(task.state for task in after.tasks) == states
