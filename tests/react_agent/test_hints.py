"""What is said last in a prompt, after each kind of action, in whole runs; nothing keeps it."""

from collections.abc import Callable
from typing import Any

import pytest
from check_rows import table_of
from replies import call

from react_agent.loop.agent import run
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.profiles.profile import Budget
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.run_tools import ADD_TASK, MODIFY_TASK
from react_agent.prompt.plan_block import NO_TASK
from react_agent.prompt.view import BY_KIND, FINISHING, JUST_STARTED, TAKE_ACTION
from react_agent.testing import ScriptedModel
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool, build

ALL = "thinking,plan,failures,actions"
DONE = " enough\nConclusion: it is done"
START = " go\nAction: modify_task\nAction Input: 0 in_progress\n"
THINK = "Look at your last thought in the history above. What does it suggest? Don't think anymore"
ABOUT, AFFECTS = "You should think about", "and how that affects your plan."
COMMAND_FAILED = (
    "Looks like that last command failed. Maybe you need to fix it, or try something else."
)
FAILED = (
    "Whenever an action fails, always think about why it may have happened before acting again."
)


def _tool(name: str, kind: Kind, *, fails: bool = False) -> Tool:
    def answer(given: str, context: Any) -> Observation:
        return failed("it broke") if fails else Observation(f"{name} {given}")

    return Tool(name, "pretend", kind, answer)


TOOLS = (
    *(ADD_TASK, MODIFY_TASK, _tool("read_file", Kind.READ), _tool("grep", Kind.SEARCH)),
    *(_tool("write_file", Kind.WRITE), _tool("run", Kind.RUN), _tool("run_tests", Kind.TEST)),
    *(_tool("browse", Kind.READ), _tool("recall", Kind.READ), _tool("other", Kind.NONE)),
    *(_tool("no_run", Kind.RUN, fails=True), _tool("no_tests", Kind.TEST, fails=True)),
    _tool("no_file", Kind.READ, fails=True),
)
HIDDEN = {name: Hidden(HiddenKind.PROTOCOL, "Noted.") for name in ("think", "finish")}


@pytest.fixture
def hinted(bench: Any) -> Callable[..., tuple[str, str]]:
    """The last line before `Thought:` of the last prompt of a run, and the transcript."""

    def play(*replies: str, shown: str = f"plan=yes hints={ALL}", **budget: int) -> tuple[str, str]:
        bench.registry = build(TOOLS, HIDDEN)
        transcript = bench.open(Event("prompt", shown), Objective("do it"))
        model = ScriptedModel((*replies, DONE))
        patience = shipped("planner").patience
        run(bench.agent(transcript, model, Budget(**budget), patience=patience))
        lines = model.seen[len(replies)].text.split("\n")
        assert lines[-1] == "Thought:"
        return lines[-2], transcript.path.read_text(encoding="utf-8")

    return play


@table_of(
    ("replies", "hint"),
    {
        "read": (
            [call("read_file")],
            f"{ABOUT} the file you just read, what you learned from it, {AFFECTS}",
        ),
        "search": (
            [call("grep")],
            f"{ABOUT} what you just searched for, what was found, {AFFECTS}",
        ),
        "write": (
            [call("write_file")],
            "You just changed a file. You should think about how it affects your plan.",
        ),
        "run": ([call("run")], f"{ABOUT} the command you just ran, what output it gave, {AFFECTS}"),
        "test": (
            [call("run_tests")],
            f"{ABOUT} the tests you just ran, what they showed, {AFFECTS}",
        ),
        "browse": (
            [call("browse")],
            f"{ABOUT} the page you just visited, and what you learned from it.",
        ),
        "recall": (
            [call("recall")],
            f"{ABOUT} the information you just recalled, and how it should affect your plan.",
        ),
        "think": ([call("think", "hm")], f"{THINK}--take action."),
        "think three times": ([call("think", "hm")] * 3, TAKE_ACTION),
        "without an action": ([call("think"), " I only wonder.", call("think")], TAKE_ACTION),
        "add_task": ([call("add_task", "0\nnew")], f"{ABOUT} the next action to take."),
        "modify_task": ([], f"{ABOUT} the next action to take."),
        "what can't be read is no action": ([call("run"), " What now?"], BY_KIND[Kind.RUN]),
        "a failed command": ([call("no_run")], COMMAND_FAILED),
        "failed tests": ([call("no_tests")], COMMAND_FAILED),
        "a failed action": ([call("no_file")], FAILED),
        "a wish": ([call("wish")], FAILED),
    },
)
def test_the_hint_stands_last_and_is_not_kept(hinted: Any, replies: list[str], hint: str) -> None:
    line, transcript = hinted(START, *replies)
    assert line == f"({hint})"
    assert hint not in transcript


@table_of("tool", ["finish", "other"])
def test_after_some_there_is_none(hinted: Any, tool: str) -> None:
    line, _ = hinted(START, call(tool))
    assert line.endswith("you MUST break it down into subtasks NOW.)")


def test_before_the_first_action(hinted: Any) -> None:
    line, transcript = hinted(shown="hints=actions")
    assert line == "(You haven't taken any actions yet.)"
    assert "You haven't" not in transcript
    assert hinted(" What?", shown="hints=actions")[0] == line


@table_of("given", ["OK so my task is to write a blog", "OK, so my task is to write"])
def test_a_first_thought(hinted: Any, given: str) -> None:
    line, transcript = hinted(call("think", given))
    assert line == f"({JUST_STARTED})"
    assert JUST_STARTED not in transcript


@table_of("replies", {"at the start": [], "put aside": [START, call("modify_task", "0 open")]})
def test_where_no_task_is_at_hand_the_hint_says_so(hinted: Any, replies: list[str]) -> None:
    assert hinted(*replies)[0] == f"({NO_TASK})"


@table_of(
    ("shown", "replies", "is_said"),
    {
        "nothing is wanted": ("", [call("read_file")], False),
        "no failures: by its kind": ("hints=actions", [call("no_run")], True),
        "no plan is shown": ("hints=plan", [call("run")], False),
        "no thinking: by its kind": ("hints=actions", [call("think")] * 3, True),
    },
)
def test_each_kind_is_wanted_or_not(
    hinted: Any, shown: str, replies: list[str], is_said: bool
) -> None:
    line, _ = hinted(*replies, shown=shown)
    assert line.startswith("(") is is_said
    assert line != f"({TAKE_ACTION})"


def test_the_hint_of_an_event_comes_first(hinted: Any) -> None:
    line, transcript = hinted(START, *[call("read_file", "x")] * 3, steps=6)  # two are left
    assert line.startswith("(this call returned the same result 3 times")
    assert "%% hint: this call returned" in transcript


def test_what_wants_to_finish_is_known() -> None:
    """A part of the protocol is a thought, or one of these."""
    protocol = {name for name, one in shipped("issue").hidden.items() if one.kind == "protocol"}
    assert protocol - FINISHING == {"think", "plan"}
