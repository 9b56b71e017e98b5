"""Runs from Python: with tools, models and guards that are handed in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent import (
    Completion,
    ConfigError,
    Context,
    Entry,
    Event,
    Kind,
    MachineError,
    Means,
    Objective,
    Observation,
    Outcome,
    ScriptedModel,
    Solver,
    State,
    Stop,
    Tool,
    UsageError,
    Why,
    find_run,
    read_run,
    stop_event,
)
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.profiles.toolbox import with_more
from react_agent.tools.registry import build

GIVE_UP = "Conclusion: I give up because it is enough."
LOOK = "Thought: a look\nAction: list_files\n"


def echo(given: str, context: Context) -> Observation:
    return Observation(f"you said {given}")


def broken(given: str, context: Context) -> Observation:
    raise ValueError(given)


ECHO = Tool("echo", "say it again; input: words", Kind.READ, echo)


def solved(desk: Any, *replies: str | Completion, **options: Any) -> tuple[Outcome, ScriptedModel]:
    model = ScriptedModel(replies)
    return Solver(model=model, tell=desk.hear, **options).solve("Say it.", desk.repository), model


def test_a_tool_of_ones_own(desk: Any) -> None:
    tools = [ECHO, Tool("broken", "is broken", Kind.READ, broken)]
    calls = ("Action: echo\nAction Input: a", "Action: broken\nAction Input: a\n", GIVE_UP)
    heard = list[Entry]()
    outcome, model = solved(desk, *calls, tools=tools, listen=heard.append, budget={"steps": 3})
    assert [step.seen.text for step in outcome.state.steps] == [
        "you said a",
        "`broken` is broken: ValueError: a",
    ]
    assert "`echo`: say it again; input: words\n" in model.seen[0].system
    assert (outcome.stop, outcome.branch) == (Stop.GAVE_UP, "")
    assert [entry.text for entry in heard if isinstance(entry, Objective)] == ["Say it."]
    assert "steps=3 " in outcome.state.header["limits"]


def test_a_tool_stands_in_the_place_of_ours() -> None:
    ours = Tool("Echo", "of ours", Kind.READ, broken)
    registry = build([ours], {"say": Hidden(HiddenKind.ALIAS, "Echo")}, [])
    with pytest.raises(ConfigError, match="say is an alias of Echo, which is not a tool here"):
        with_more(registry, [ECHO])
    found = with_more(build([ours], {"e_cho": Hidden(HiddenKind.ALIAS, "Echo")}, []), [ours])
    assert [tool.usage for tool in found.visible.values()] == ["of ours"]


def test_a_guard_of_ones_own(desk: Any) -> None:
    def nudge(state: State, means: Means) -> Sequence[Entry]:
        """It would say so for ever."""
        return [Event("hint", "hurry up")]

    def enough(state: State, means: Means) -> Sequence[Entry]:
        return [stop_event(Stop.STUCK, "two steps")] if len(state.steps) == 2 else []

    outcome, model = solved(desk, LOOK, LOOK, guards=[nudge, enough])
    assert ["hurry up" in view.tail for view in model.seen] == [True, True]
    assert (outcome.stop, outcome.state.stop_reason) == (Stop.STUCK, "two steps")


def test_a_run_is_taken_up_with_a_model_of_ones_own(desk: Any) -> None:
    outcome, _ = solved(desk, LOOK)  # and then nothing
    assert outcome.stop is Stop.MODEL_FAILED
    name = outcome.folder.path.name
    assert find_run(name) == outcome.folder.path
    assert read_run(name).state.stop is Stop.MODEL_FAILED
    with pytest.raises(UsageError, match="no model 'own'"):
        Solver().resume(name)
    again = Solver(model=ScriptedModel([GIVE_UP]), tell=desk.hear).resume(name)
    assert (again.stop, len(again.state.steps)) == (Stop.GAVE_UP, 1)


def test_a_model_in_a_file_is_recorded_with_its_whole_path(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MachineError, match=f"^can't read {tmp_path}/no.gguf: "):
        Solver(model="gguf/no.gguf", tell=desk.hear).solve("Say it.", desk.repository)


def test_a_text_is_no_name_of_a_file(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk.repository)
    model = ScriptedModel([Completion(GIVE_UP, Why.END)] * 2)
    solver = Solver(model=model, tell=desk.hear)
    assert solver.solve("README.md").state.objective == "README.md"
    found = solver.solve(Path("README.md")).state.objective
    assert found is not None
    assert found.startswith("# stopwatch\n")


@table_of(
    ("issue", "options", "expected"),
    {
        "no issue": (" \n", {}, "the issue is empty"),
        "no file": (Path("nowhere"), {}, "there is no file .*nowhere: an issue is"),
        "no model": ("x", {"model": None}, "no model: name one, or put one into"),
        "no number": ("x", {"budget": {"steps": "many"}}, "steps"),
        "no profile": ("x", {"profile": "nowhere"}, "nowhere"),
    },
)
def test_refuses(desk: Any, issue: Any, options: dict[str, Any], expected: str) -> None:
    solver = Solver(**{"model": ScriptedModel([GIVE_UP]), "tell": desk.hear, **options})
    with pytest.raises((UsageError, ConfigError), match=expected):
        solver.solve(issue, desk.repository)
