"""The tree of tasks: states and how they spread, ids, the task at hand, what is refused."""

import time
from typing import Any

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.plan.plan import (
    MOST_LEVELS,
    MOST_TASKS,
    STATES,
    Draft,
    Plan,
    Task,
    TaskState,
    new_plan,
    write_plan,
)
from react_agent.parsers.values.arguments import Unreadable

OPEN, COMPLETED, ABANDONED, IN_PROGRESS, VERIFIED = (
    *(TaskState.OPEN, TaskState.COMPLETED, TaskState.ABANDONED),
    *(TaskState.IN_PROGRESS, TaskState.VERIFIED),
)
TREE = (
    Draft("a", (Draft("a a"), Draft("a b", (Draft("a b a"), Draft("a b b"))))),
    Draft("b", (Draft("b a"),)),
)
LETTERS = {"o": OPEN, "c": COMPLETED, "a": ABANDONED, "i": IN_PROGRESS, "v": VERIFIED}


def sure(found: Any) -> Any:
    assert not isinstance(found, Unreadable), found
    return found


def tree(*changes: tuple[str, TaskState]) -> Plan:
    """0 [0.0 [0.0.0, 0.0.1 [0.0.1.0, 0.0.1.1]], 0.1 [0.1.0]]"""
    plan = sure(new_plan("root").with_subtasks("0", TREE))
    for task_id, state in changes:
        plan = sure(plan.with_state(task_id, state))
    return plan


def states(plan: Plan) -> str:
    letters = {state: letter for letter, state in LETTERS.items()}
    return "".join(letters[task.state] for task in plan.tasks)


def test_there_are_five_states() -> None:
    assert [str(s) for s in STATES] == ["open", "completed", "abandoned", "in_progress", "verified"]


def test_a_task_starts_open_with_an_id_by_its_place() -> None:
    assert write_plan(tree()) == (
        "0 [open] root\n"
        "  0.0 [open] a\n"
        "    0.0.0 [open] a a\n"
        "    0.0.1 [open] a b\n"
        "      0.0.1.0 [open] a b a\n"
        "      0.0.1.1 [open] a b b\n"
        "  0.1 [open] b\n"
        "    0.1.0 [open] b a"
    )


@table_of(
    ("changes", "expected"),
    {  # the order of states: 0, 0.0, 0.0.0, 0.0.1, 0.0.1.0, 0.0.1.1, 0.1, 0.1.0
        "completed goes down": ([("0.0", COMPLETED)], "occcccoo"),
        "abandoned goes down": ([("0.0", ABANDONED)], "oaaaaaoo"),
        "verified goes down from the root": ([("0", VERIFIED)], "vvvvvvvv"),
        "not to the abandoned": ([("0.0.1", ABANDONED), ("0.0", VERIFIED)], "ovvaaaoo"),
        "in progress goes up to the root": ([("0.0.1.0", IN_PROGRESS)], "iioiiooo"),
        "opened again, all above are": ([("0", VERIFIED), ("0.0.1", IN_PROGRESS)], "iivivvvv"),
        "open alone": ([("0.0", COMPLETED), ("0.0", OPEN)], "oocccc" + "oo"),
        "the last one done closes nothing": ([("0.1.0", VERIFIED)], "ooooooov"),
    },
)
def test_what_spreads(changes: list[tuple[str, TaskState]], expected: str) -> None:
    assert states(tree(*changes)) == expected


@table_of(
    ("changes", "expected"),
    {
        "none": ([], None),
        "the root itself": ([("0", IN_PROGRESS)], "0"),
        "of two the lower number": ([("0.1", IN_PROGRESS), ("0.0", IN_PROGRESS)], "0.0"),
        "and not the deeper one": ([("0.0", IN_PROGRESS), ("0.1.0", IN_PROGRESS)], "0.0"),
        "then the one above": ([("0.0.1.1", IN_PROGRESS), ("0.0.1.1", COMPLETED)], "0.0.1"),
    },
)
def test_the_task_at_hand(changes: list[tuple[str, TaskState]], expected: str | None) -> None:
    current = tree(*changes).current
    assert (current.id if current else None) == expected


@table_of(
    ("written", "reason"),
    {
        "negative": ("0.-1", "Invalid task id, negative: 0.-1"),
        "no number": ("0.x", "Invalid task id, non-integer: 0.x"),
        "a zero too many": ("0.01", "Invalid task id, non-integer: 0.01"),
        "nothing": ("", "Invalid task id, non-integer: none"),
        "another root": ("1.0", "Invalid task id, must start with 0: 1.0"),
        "out of range": ("0.2", "Task does not exist: 0.2; 0 has 0.0 to 0.1"),
        "of one": ("0.1.1", "Task does not exist: 0.1.1; 0.1 has 0.1.0"),
        "of none": ("0.1.0.0", "Task does not exist: 0.1.0.0; 0.1.0 has no subtasks"),
        "huge": (f"0.{'9' * 9000}", f"Task does not exist: 0.{'9' * 38}; 0 has 0.0 to 0.1"),
    },
)
def test_an_id_that_there_is_not(written: str, reason: str) -> None:
    plan = tree()
    assert plan.find(written) == Unreadable(reason)
    assert plan.with_state(written, OPEN) == Unreadable(reason)
    assert plan.with_subtasks(written, [Draft("new")]) == Unreadable(reason)


def test_ids_are_not_used_again() -> None:
    plan = sure(tree(("0.1", ABANDONED)).with_subtasks("0", [Draft("c")]))
    assert [task.id for task in plan.root.subtasks] == ["0.0", "0.1", "0.2"]
    assert sure(plan.find("0.2")) == Task("0.2", "c")


def test_a_goal_stands_in_it_once() -> None:
    for goal, there in (("  B   A.", "0.1.0 [open] b a"), ("Root!", "0 [open] root")):
        reason = f"this task is already in the plan: {there}"
        assert tree().with_subtasks("0", [Draft("new", (Draft(goal),))]) == Unreadable(reason)


def test_nor_twice_in_what_is_added() -> None:
    twice = [Draft("new"), Draft("other", (Draft("New"),))]
    reason = "this task is already in the plan: 0.2 [open] new"
    assert tree().with_subtasks("0", twice) == Unreadable(reason)


def _deep(levels: int) -> Draft:
    return Draft(f"level {levels}", (_deep(levels - 1),) if levels > 1 else ())


@table_of(
    ("drafts", "reason"),
    {
        "no goal": ([Draft(" ")], "a task without a goal"),
        "long": ([Draft("x" * 401)], "a goal is one sentence, and this one has 401 characters"),
        "deep": (
            [_deep(MOST_LEVELS + 1)],
            "a plan has at most 10 levels, and 0.0.0.0.0.0.0.0.0.0.0.0 would be deeper",
        ),
        "many": (
            [Draft(str(number)) for number in range(MOST_TASKS)],
            "a plan has at most 1000 tasks, and this one already has 1",
        ),
    },
)
def test_what_is_no_plan_any_more(drafts: list[Draft], reason: str) -> None:
    assert new_plan("root").with_subtasks("0", drafts) == Unreadable(reason)


def test_what_is_unfinished() -> None:
    plan = tree(("0.0", COMPLETED), ("0.1", ABANDONED), ("0.0.1", IN_PROGRESS))
    assert [task.id for task in plan.unfinished] == ["0", "0.0", "0.0.1"]


CHANGES = st.lists(st.tuples(st.integers(0, 7), st.sampled_from(STATES)), max_size=12)


@given(CHANGES)
def test_whatever_happens_the_tree_holds(changes: list[tuple[int, TaskState]]) -> None:
    plan = tree()
    ids = [task.id for task in plan.tasks]
    for number, state in changes:
        plan = sure(plan.with_state(ids[number], state))
        changed = sure(plan.find(ids[number]))
        assert changed.state is state
        if state is IN_PROGRESS:
            parts = changed.id.split(".")
            above = [".".join(parts[:length]) for length in range(1, len(parts))]
            assert all(sure(plan.find(one)).state is IN_PROGRESS for one in above)
    assert [task.id for task in plan.tasks] == ids
    assert all(sure(plan.find(task.id)) is task for task in plan.tasks)


def test_many_tasks_take_no_time() -> None:
    plan, started = new_plan("root"), time.process_time()
    for number in range(500):
        plan = sure(
            plan.with_subtasks("0" if number < 20 else f"0.{number % 20}", [Draft(f"g {number}")])
        )
        plan = sure(plan.with_state("0", IN_PROGRESS))
    assert len(plan.tasks) == 501
    assert time.process_time() - started < 5
