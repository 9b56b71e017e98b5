"""What models write to change a plan: which tasks are added, which get another state."""

from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.plan.plan import Draft, Plan, Task, TaskState, new_plan
from react_agent.parsers.plan.requests import Replanned, added, modified
from react_agent.parsers.values.arguments import Unreadable

KNOWN = ("first", "second")


def plan_of(*goals: str) -> Plan:
    plan = new_plan("do it").with_subtasks("0", [Draft(goal) for goal in goals])
    assert isinstance(plan, Plan)
    return plan


def test_without_a_parent_it_is_the_task_at_hand() -> None:
    plan = plan_of(*KNOWN).with_state("0.1", TaskState.IN_PROGRESS)
    assert isinstance(plan, Plan)
    came = added(plan, '{"goal": "new", "state": "completed"}')
    assert isinstance(came, Replanned)
    assert came.text == (
        "[no parent was named: added to 0.1, the current task]\nAdded task 0.1.0: new"
    )
    assert came.plan.find("0.1.0") == Task("0.1.0", "new")  # open, whatever is written


def test_a_plan_of_many_lines_is_not_added() -> None:
    assert added(plan_of(*KNOWN), "x\n" + "- y\n" * 300) == Unreadable("more than 200 lines")


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
