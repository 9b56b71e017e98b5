"""Whole runs of the `planner` profile: a plan is made, worked on, and ends the run."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from replies import DONE, call

from react_agent.issue_to_pr.issue import Issue
from react_agent.parsers.plan.plan import TaskState, new_plan, write_plan
from react_agent.parsers.plan.requests import Replanned
from react_agent.prompt.plan_block import CLOSED_TOO_EARLY, NO_TASK
from react_agent.prompt.view import NO_ACTION
from react_agent.runs.report import Outcome
from react_agent.state.state import PLAN_CHANGES as CHANGES
from react_agent.state.state import Stop, fold
from react_agent.state.transcript import read

BLOG = "Write a blog about how an agent is built, and save it to a txt file"
TEXT = "How to build an agent\n\nA loop: think, act, observe. A plan says what is next.\n"


def mark(task: str, word: str) -> str:
    return call("modify_task", f"{task} {word}")


BLOGGER = (
    call("add_task", "0\nCollect what an agent is made of\n- the loop\n- the plan", "Plan first."),
    call("add_task", "0\nWrite the blog to `blog.txt`"),
    mark("0.0.0", "in_progress"),
    call("think", "A loop of thought, action and observation; a plan beside it."),
    call("modify_task", "0.0: done"),
    mark("0.1", "started"),
    call("write_file", f"blog.txt\n{TEXT}", "Now the text."),
    call("read_file", "blog.txt", "Is it there?"),
    call("modify_task", "0.0 verified\n0.1 verified"),
    mark("0", "verified"),
)


def play(desk: Any, *replies: Any, profile: str = "planner") -> Any:
    return desk.watched(*replies, issue=Issue(BLOG, BLOG), profile=profile)


def plan_told(outcome: Outcome) -> list[str]:
    assert outcome.state.plan is not None
    return write_plan(outcome.state.plan).split("\n")


def test_the_blogger_writes_the_file_and_verifies_the_plan(desk: Any) -> None:
    outcome, views = play(desk, *BLOGGER)
    assert (outcome.stop, outcome.is_success) == (Stop.CONCLUDED, True)
    assert desk.git("show", f"{outcome.branch}:blog.txt") == TEXT.strip()
    assert [line.split()[1] for line in plan_told(outcome)] == ["[verified]"] * 5
    assert len(views) == len(BLOGGER)
    assert views[6].tail == (
        "(your plan:\n"
        f"  0 [in_progress] {BLOG}\n"
        "    0.0 [completed] Collect what an agent is made of\n"
        "      0.0.0 [completed] the loop\n"
        "      0.0.1 [completed] the plan\n"
        "    0.1 [in_progress] Write the blog to 'blog.txt'\n"
        "You're currently working on this task:\n"
        "Write the blog to 'blog.txt'.\n"
        "If it's not achievable AND verifiable with a SINGLE action, you MUST break it down into "
        "subtasks NOW.)\n"
        "(You should think about the next action to take.)\n"
        "Thought:"
    )
    report = outcome.folder.report.read_text()
    assert "Ended as `concluded` (its plan is verified): 10 steps" in report
    assert "## Plan\n\n    0 [verified] Write a blog" in report
    assert desk.git("log", "-1", "--format=%B", outcome.branch) == (
        f"{BLOG}\n\n- Collect what an agent is made of\n- Write the blog to `blog.txt`"
    )
    transcript = outcome.folder.transcript  # a file that asks for what can't be done is read
    transcript.write_text(transcript.read_text().replace("0.0.0 in_progress", "0.9.0 in_progress"))
    state = fold(read(transcript).entries)
    assert state.plan is not None
    assert state.plan.root.state is TaskState.VERIFIED


@table_of(
    ("word", "stop", "reason"),
    {
        "verified": ("verified", Stop.CONCLUDED, "its plan is verified"),
        "completed": ("completed", Stop.CONCLUDED, "its plan is completed, but was not verified"),
        "abandoned": ("abandoned", Stop.GAVE_UP, "its plan was abandoned"),
    },
)
def test_the_root_ends_the_run(desk: Any, word: str, stop: Stop, reason: str) -> None:
    outcome, views = play(desk, call("write_file", "a.txt\na"), mark("0", word))
    assert (outcome.stop, outcome.state.stop_reason, len(views)) == (stop, reason, 2)
    assert outcome.is_success is (stop is Stop.CONCLUDED)


def test_a_task_that_nobody_began_is_told_once(desk: Any) -> None:
    tasks = call("add_task", "0\none\n- a\n- b")
    end = mark("0", "verified")
    outcome, views = play(
        desk, tasks, call("write_file", "a.txt\na"), mark("0.0.0", "verified"), end, end
    )
    told = "1 task of the plan not begun when task 0 was closed: 0.0.1"
    assert f"\n- {told}: finish the remaining tasks, or mark them abandoned\n" in views[4].turns[-1]
    assert [point.text for point in outcome.state.open] == [told]
    assert "## What the agent said\n\nIts last thought: x\n" in outcome.folder.report.read_text()


def test_what_is_closed_in_one_call_with_the_root_is_not_left(desk: Any) -> None:
    tasks = call("add_task", "0\n- one\n- two")
    marks = call("modify_task", "0 verified\n0.1 verified\n0.0 done")
    outcome, views = play(desk, tasks, call("write_file", "a.txt\na"), marks)
    assert (outcome.stop, outcome.state.stop_reason) == (Stop.CONCLUDED, "its plan is verified")
    assert len(views) == 3


REFUSED = "Not accepted yet:\n- nothing was changed: change what the objective asks for\n"


def test_what_a_conclusion_is_checked_for_the_plan_s_end_is_too(desk: Any) -> None:
    outcome, views = play(
        desk,
        *(mark("0", "verified"), call("write_file", "a.txt\na"), mark("0", "in_progress")),
        mark("0", "verified"),
    )
    turn = "Thought: Task 0 of the plan is closed.\nConclusion: its plan is verified\n"
    assert views[1].turns[1].startswith(f"{turn}Observation: {REFUSED}")
    assert views[1].tail.endswith(f"({CLOSED_TOO_EARLY})\nThought:")
    assert (outcome.stop, outcome.state.stop_reason) == (Stop.CONCLUDED, "its plan is verified")
    assert len(outcome.state.steps) == 5


@pytest.mark.parametrize(
    "second", [mark("0", "verified"), DONE], ids=["closed again", "a Conclusion"]
)
def test_once(desk: Any, second: str) -> None:
    outcome, views = play(desk, mark("0", "verified"), second)
    assert (outcome.stop, len(views)) == (Stop.CONCLUDED, 2)
    assert [point.check for point in outcome.state.open] == ["empty"]


def test_a_conclusion_with_open_tasks_is_refused_once_with_a_list(desk: Any) -> None:
    tasks = call("add_task", "0\none\n- a\n- b\n- c")
    write = call("write_file", "a.txt\na")
    outcome, _ = play(desk, tasks, write, mark("0.0.0", "abandoned"), DONE, DONE)
    left = "3 tasks of the plan neither done nor abandoned: 0.0 [open], 0.0.1 [open], 0.0.2 [open]"
    assert outcome.state.steps[-1].seen.text.startswith(f"Not accepted yet:\n- {left}: finish t")
    assert outcome.stop is Stop.CONCLUDED
    assert f"## Still open\n\n- {left}\n" in outcome.folder.report.read_text()


def test_bad_ids_and_duplicates_are_answered_and_change_nothing(desk: Any) -> None:
    outcome, _ = play(
        desk,
        call("add_task", "0\nthe text"),
        call("add_task", "0\nThe  text."),
        call("modify_task", "0.-1 done"),
        call("modify_task", "0.0 verified\n0.4 verified"),
        call("add_task", "1\nother"),
        DONE,
    )
    unchanged = "; the plan stays as it is"
    assert [step.seen.text for step in outcome.state.steps[1:5]] == [
        "this task is already in the plan: 0.0 [open] the text" + unchanged,
        "Invalid task id, negative: 0.-1" + unchanged,
        "Task does not exist: 0.4; 0 has 0.0" + unchanged,
        "Invalid task id, must start with 0: 1" + unchanged,
    ]
    assert plan_told(outcome) == [f"0 [open] {BLOG}", "  0.0 [open] the text"]


def test_of_14_steps_ten_are_shown_and_a_line_says_that_there_are_more(desk: Any) -> None:
    looks = [call("read_file", f"README.md:{line}", f"look {line}") for line in range(1, 15)]
    _, views = play(desk, *looks, DONE)
    more = "(More happened before that: 4 steps, about README.md; `recall` finds what they showed.)"
    assert len(views[14].turns) == 10
    assert "".join(views[14].turns).count("\nObservation: ") == 10
    assert f"Objective: {BLOG}\n{more}\nThought: look 5\n" in views[14].text
    assert (len(views[10].turns), "More happened" in views[10].text) == (10, False)


@table_of(
    ("lines", "block", "hint"),
    {
        "as shipped": ("", True, NO_TASK),
        "no plan": ("plan = no\n", False, NO_ACTION),
        "no hints": ("hints =\n", True, ""),
        "neither": ("plan = no\nhints = failures\n", False, ""),
    },
)
def test_lines_of_a_profile_switch_them_off(desk: Any, lines: str, block: bool, hint: str) -> None:
    mine = desk.folder / "mine.cfg"
    mine.write_text(f"[profile]\nbased on = planner\n{lines}")
    _, views = play(desk, DONE, profile=str(mine))
    tail = views[0].tail
    assert ("your plan:" in tail) is block
    assert tail.endswith(f"({hint})\nThought:" if hint else ("" if block else "Thought:"))
    assert (NO_TASK in tail) is block


@pytest.mark.checkout
def test_the_calls_of_the_page_are_read() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "how-it-works.md").read_text()
    calls = re.findall(
        r"    Action: (\w+)\n    Action Input: ((?:(?!    Observation:).+\n)+)",
        page.partition("## Plans")[2],
    )
    assert [tool for tool, _ in calls] == ["add_task", "modify_task"]
    plan = new_plan(BLOG)
    for tool, given in calls:
        came = CHANGES[tool](plan, textwrap.dedent(f"    {given}"))
        assert isinstance(came, Replanned), came
        plan = came.plan
    assert plan.current is not None
