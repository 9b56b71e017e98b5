"""What makes an Observation useless, as the tools really answer."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.compress.compressor import compress
from react_agent.compress.policy import Policy
from react_agent.loop.agent import _facts
from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.steps import Shown
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.tools.context import Context

Call = tuple[str, str]
After = Callable[..., list[tuple[int, str]]]
CODE = "".join(f"def part_{n}(text):\n    return text[{n}:]\n\n\n" for n in range(60))
FULL = Means(Budget(window=100, reply=50), 10**6, 7, Policy(stages=("superseded",)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "parts.py").write_text(CODE)
    (tmp_path / "other.py").write_text(CODE.replace("part", "other"))
    return tmp_path


@pytest.fixture
def ran(root: Path) -> Callable[..., State]:
    registry = registry_for(with_settings(shipped("issue"), Settings()))

    def ran(*calls: Call) -> State:
        state = State()
        state.take(Objective("do it"))
        for tool, given in (*calls, ("list_files", "")):
            answer = registry.call(tool, given, Context(root))
            state.take(Said(Turn(Kind.ACTION, "I go on.", tool, given)))
            state.take(Seen(answer.observation.text, _facts(answer)))
        return state

    return ran


@pytest.fixture
def after(ran: Callable[..., State]) -> After:
    """The steps that are out after these calls, and why."""

    def after(*calls: Call) -> list[tuple[int, str]]:
        state = ran(*calls)
        for event in compress(state, FULL):
            state.take(event)
        lines = ((step.number, step.text.rpartition("was ")[2]) for step in state.steps)
        gone = {step.number for step in state.steps if step.shown is Shown.LEFT_OUT}
        return [(number, line.removesuffix("]\n")) for number, line in lines if number in gone]

    return after


def edit(old: str, new: str, path: str = "parts.py") -> Call:
    return "replace", f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"


def read(lines: str, path: str = "parts.py") -> Call:
    return "read_file", f"{path}:{lines}"


LIST = ("outline", "parts.py")
FAILED_EDIT = edit("def part_3(words):\n    return text[3:]", "def part_3(text, n):\n    return n")
THE_SAME = edit("def part_3(text):\n    return text[3:]", "def part_3(text, n):\n    return n")
ELSEWHERE = edit("    return text[59:]", "    return text")


@pytest.mark.parametrize(
    ("calls", "out"),
    [
        pytest.param([read("10-30"), read("1-60")], [(1, "read again in step 2")], id="read again"),
        pytest.param([read("1-9"), ("cat", "parts.py")], [(1, "read again in step 2")], id="cat"),
        pytest.param([read("10-30"), read("20-60")], [], id="read again in part"),
        pytest.param([read("10-30"), read("10-30", "other.py")], [], id="another file"),
        pytest.param([read("1-30"), THE_SAME], [(1, "changed in step 2")], id="changed"),
        pytest.param([read("1-30"), ELSEWHERE], [], id="changed elsewhere"),
        pytest.param([read("1-30"), FAILED_EDIT], [], id="not changed"),
        pytest.param([LIST, LIST], [(1, "shown again in step 2")], id="shown again"),
        pytest.param(
            [("grep", "new_name"), edit("    return text[9:]", "    return new_name(text)")],
            [(1, "disproved in step 2")],
            id="found later",
        ),
        pytest.param([("grep", "new_name"), read("1-40")], [], id="never found"),
        pytest.param(
            [("grep", "new_name"), ("grep", "new_name")],
            [(1, "shown again in step 2")],
            id="twice not found",
        ),
        pytest.param([FAILED_EDIT, THE_SAME], [(1, "done in step 2")], id="done in another way"),
        pytest.param([FAILED_EDIT, FAILED_EDIT], [(1, "shown again in step 2")], id="failed twice"),
        pytest.param([FAILED_EDIT, ("grep", "part_3")], [], id="never done"),
    ],
)  # fmt: skip
def test_what_a_later_step_makes_useless(
    after: After, calls: list[Call], out: list[tuple[int, str]]
) -> None:
    assert after(*calls) == out


def test_an_edit_that_was_done_in_another_way_loses_what_was_tried(
    ran: Callable[..., State],
) -> None:
    state = ran(FAILED_EDIT, THE_SAME)
    (event,) = compress(state, FULL)
    state.take(event)
    assert state.steps[0].text == (
        "Thought: I go on.\nAction: replace\nAction Input: [8 lines, left out] parts.py\n"
        "Observation: [left out, as it was done in step 2]\n"
    )
    assert "def part_3(text, n)" in state.steps[1].text


def test_what_was_found_is_written_down_once(ran: Callable[..., State]) -> None:
    state = ran(read("10-30"), read("1-60"))
    events = compress(state, FULL)
    assert events == [Event("compressed", "steps=1 stage=superseded why=read%20again by=2")]
    state.take(events[0])
    assert compress(state, FULL) == []
