"""A run read back: its steps, what came between them, and what there is to look for in each."""

from typing import Any

from check_rows import table_of

from react_agent.parsers.transcript.entries import Entry, Event, Objective, Reading, Said, Seen
from react_agent.parsers.turn.turn import Kind as Said_
from react_agent.parsers.turn.turn import Turn
from react_agent.runs.history import Kind, story
from react_agent.state.steps import MAINTAINER, Shown

LOOK = Turn(Said_.ACTION, "it is here", "grep", "x")
DONE = Turn(Said_.CONCLUSION, "that is all", conclusion="done")
START = Objective("do it", {"at": "2026-11-23T01:42:34+00:00"})
THOUGHTS = {Kind.THOUGHTS, Kind.ACTIONS}


def told(*entries: Entry, torn: str = "") -> Any:
    return story(Reading((Event("run", "one"), START, *entries), torn))


def test_a_run_in_scenes() -> None:
    found = told(
        Event("about", "it is small"),
        Said(LOOK, facts={"in": "100", "out": "5"}),
        Seen("x = 1"),
        Event(MAINTAINER, "hurry"),
        Said(LOOK, facts={"in": "120", "out": "5"}),
        Seen("x = 1"),
        Event("compressed", "steps=1"),
        Said(DONE, facts={"in": "130", "out": "5"}),
        Event("stop", "concluded by the model"),
    )
    assert found.header == {"run": "one"}
    assert (found.objective, found.began) == ("do it", "2026-11-23T01:42:34+00:00")
    first, second = found.scenes
    assert first.before == (Event("about", "it is small"),)
    assert first.step.shown is Shown.LEFT_OUT  # as it is in the end
    assert second.before == (Event(MAINTAINER, "hurry"),)
    assert [scene.call.tokens for scene in found.scenes] == [100, 120]
    assert found.before == (Event("compressed", "steps=1"),)
    assert found.end == (Event("stop", "concluded by the model"),)
    assert found.pending == Said(DONE, facts={"in": "130", "out": "5"})
    assert (found.call.step, found.call.tokens) == (3, 130)


def test_a_turn_of_which_nothing_was_seen_is_a_scene_once_another_follows() -> None:
    found = told(Said(LOOK), Said(DONE), torn="Obs")
    assert [scene.step.seen.text for scene in found.scenes] == ["(its result was not recorded)"]
    assert found.is_torn


def test_a_plan_is_told_where_somebody_has_made_one() -> None:
    add = Turn(Said_.ACTION, "", "add_task", "0\nlook")
    facts = {"tool": "add_task", "kind": "plan", "status": "ok"}
    found = told(Said(LOOK), Seen("x"), Said(add), Seen("added", facts))
    assert [scene.plan for scene in found.scenes] == ["", "0 [open] do it\n  0.0 [open] look"]


@table_of(
    ("said", "facts", "kinds"),
    {
        "hidden": (LOOK, {"how": "alias"}, {*THOUGHTS, Kind.HIDDEN}),
        "a gate is no tool": (DONE, {"how": "gate"}, {Kind.THOUGHTS}),
        "mended edit": (LOOK, {"mended": "2"}, {*THOUGHTS, Kind.REPAIRS}),
        "mended reply": (LOOK._replace(repairs=("a label",)), {}, {*THOUGHTS, Kind.REPAIRS}),
        "malformed": (
            Turn(Said_.MALFORMED, "hm", problem="no Action"),
            {"status": "failed"},
            {Kind.THOUGHTS, Kind.ERRORS},
        ),
    },
)
def test_what_there_is_to_look_for(said: Turn, facts: dict[str, str], kinds: set[Kind]) -> None:
    (scene,) = told(Said(said), Seen("x", facts)).scenes
    assert scene.kinds == kinds
