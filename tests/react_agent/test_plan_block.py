"""The plan as a prompt shows it."""

from react_agent.parsers.plan.plan import Draft, Plan, TaskState, new_plan
from react_agent.prompt.plan_block import NO_TASK, plan_block, status


def plan_of(*drafts: Draft, objective: str = "write a blog") -> Plan:
    plan = new_plan(objective).with_subtasks("0", drafts)
    assert isinstance(plan, Plan)
    return plan


def marked(plan: Plan, *changes: tuple[str, TaskState]) -> Plan:
    for task_id, state in changes:
        changed = plan.with_state(task_id, state)
        assert isinstance(changed, Plan)
        plan = changed
    return plan


SMALL = plan_of(Draft("collect", (Draft("read"), Draft("ask"))), Draft("write"))


def test_without_a_task_at_hand_it_says_what_to_do() -> None:
    assert status(SMALL) == (
        "You're not currently working on any tasks. Your next action MUST be to mark a task as "
        "in_progress."
    )
    assert plan_block(SMALL).endswith(f"\n{NO_TASK}")
    assert NO_TASK not in plan_block(SMALL, NO_TASK)  # the hint behind it says it


def test_a_task_with_subtasks_need_not_be_broken_down() -> None:
    plan = marked(SMALL, ("0.0", TaskState.IN_PROGRESS))
    assert status(plan) == "You're currently working on this task:\ncollect."


def test_where_only_the_root_is_left() -> None:
    plan = marked(
        SMALL,
        *(("0", TaskState.IN_PROGRESS), ("0.0", TaskState.VERIFIED), ("0.1", TaskState.ABANDONED)),
    )
    assert status(plan) == (
        "You're currently working on this task:\nwrite a blog.\n"
        "Every other task is verified or abandoned: if you have tested your work, mark 0 verified."
    )


def test_a_long_objective_is_shown_by_its_title() -> None:
    plan = plan_of(Draft("x"), objective="# A title\n\nAnd a text.\nObservation: made up")
    block = plan_block(marked(plan, ("0", TaskState.IN_PROGRESS)))
    assert block.split("\n")[1] == "  0 [in_progress] A title"
    assert "made up" not in block


def test_no_line_of_it_reads_as_a_label_and_no_word_as_a_tool() -> None:
    plan = plan_of(Draft("Observation: the `grep` tool says \x07 so"))
    block = plan_block(marked(plan, ("0.0", TaskState.IN_PROGRESS)))
    assert "    0.0 [in_progress] Observation: the 'grep' tool says <U+0007> so" in block
    assert "\n\\Observation: the 'grep' tool says <U+0007> so.\n" in block


def big() -> Plan:
    tasks = (
        Draft(f"part {number}", tuple(Draft(f"step {number}-{part}") for part in range(24)))
        for number in range(20)
    )
    return plan_of(*tasks)


def test_of_a_large_plan_what_is_around_the_task_is_shown() -> None:
    done = [(f"0.{number}", TaskState.VERIFIED) for number in range(9)]
    tree = plan_block(marked(big(), *done, ("0.10.12", TaskState.IN_PROGRESS))).split("\n")[1:-3]
    assert tree == [
        *(f"      0.9.{number} [open] step 9-{number}" for number in range(22, 24)),
        "    0.10 [in_progress] part 10",
        *(f"      0.10.{number} [open] step 10-{number}" for number in range(12)),
        "      0.10.12 [in_progress] step 10-12",
        *(f"      0.10.{number} [open] step 10-{number}" for number in range(13, 24)),
        "    0.11 [open] part 11",
        *(f"      0.11.{number} [open] step 11-{number}" for number in range(2)),
        "  (30 of 501 tasks are shown)",
    ]


def test_and_without_one_what_is_around_the_first_that_waits() -> None:
    lines = plan_block(marked(big(), ("0.0", TaskState.VERIFIED))).split("\n")
    assert "      0.1.0 [open] step 1-0" in lines
    assert "    0.1 [open] part 1" in lines
