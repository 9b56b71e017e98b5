"""The tree of tasks: states and how they spread, ids, the task at hand, what is refused."""

import time
from collections.abc import Callable
from typing import Any

from check_rows import EachRow, table_of
from hypothesis import given
from hypothesis import strategies as st
from reader_rows import FOLDER, read_rows

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

OPEN, ABANDONED, IN_PROGRESS = TaskState.OPEN, TaskState.ABANDONED, TaskState.IN_PROGRESS
TREE = (
    Draft("a", (Draft("a a"), Draft("a b", (Draft("a b a"), Draft("a b b"))))),
    Draft("b", (Draft("b a"),)),
)


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
    return "".join(task.state[0] for task in plan.tasks)


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


def _changed(*changes: tuple[str, str]) -> Plan:
    return tree(*((task, TaskState(state)) for task, state in changes))


def _at_hand(*changes: tuple[str, str]) -> str | None:
    current = _changed(*changes).current
    return current.id if current else None


def _no_task(written: str) -> list[str]:
    """Why it can't be found, changed or added to."""
    plan, new = tree(), [Draft("new")]
    refused = {plan.find(written), plan.with_state(written, OPEN), plan.with_subtasks(written, new)}
    return [one.reason for one in refused if isinstance(one, Unreadable)]


FUNCTIONS: dict[str, Callable[..., object]] = {
    "at_hand": _at_hand,
    "no_task": _no_task,
    "spread": lambda *changes: states(_changed(*changes)),
    "unfinished": lambda *changes: [task.id for task in _changed(*changes).unfinished],
}


def test_gives_the_value_of_each_row(each_row: EachRow) -> None:
    each_row(read_rows(FOLDER / "own/plan-tree.txt"), lambda row: row.check(FUNCTIONS))


def test_ids_are_not_used_again() -> None:
    plan = sure(tree(("0.1", ABANDONED)).with_subtasks("0", [Draft("c")]))
    assert [task.id for task in plan.root.subtasks] == ["0.0", "0.1", "0.2"]
    assert sure(plan.find("0.2")) == Task("0.2", "c")


@table_of(
    ("drafts", "there"),
    [
        ([Draft("new", (Draft("  B   A."),))], "0.1.0 [open] b a"),
        ([Draft("new", (Draft("Root!"),))], "0 [open] root"),
        ([Draft("new"), Draft("other", (Draft("New"),))], "0.2 [open] new"),
    ],
)
def test_a_goal_stands_in_it_once(drafts: list[Draft], there: str) -> None:
    reason = f"this task is already in the plan: {there}"
    assert tree().with_subtasks("0", drafts) == Unreadable(reason)


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
