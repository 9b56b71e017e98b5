"""A procedure walks: turns of roles, a judge between them, and the end of it all."""

import re
from dataclasses import replace
from typing import Any

import pytest
from replies import LOOK, UNDO
from replies import TITLE as CHANGE
from walking import PAIR, TALK, THREE, Walk, says, turns_of

from react_agent.models.contract import View
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts
from react_agent.runs.history import prompts
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Names
from react_agent.runs.solve import solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, Stop, fold
from react_agent.state.steps import MAINTAINER


def events(outcome: Outcome, name: str) -> list[dict[str, str]]:
    entries = transcripts.read(outcome.folder.transcript).entries
    return [read_facts(one.text) for one in entries if isinstance(one, Event) and one.name == name]


def way(outcome: Outcome) -> str:
    return " ".join(facts["state"] for facts in events(outcome, "entered"))


def judged(outcome: Outcome) -> str:
    return " ".join(f"{one['edge']}:{one['by']}" for one in events(outcome, "judged"))


def turn(outcome: Outcome, number: int) -> State:
    return fold(transcripts.read(outcome.folder.path / f"sub/{number:03}/transcript.txt").entries)


def test_it_walks_by_what_the_judge_says(walk: Walk, desk: Any) -> None:
    outcome, seen = walk(
        *(THREE, LOOK, says("Nothing yet."), "0", says("finder: It is README.md."), "Next: 1"),
        *(CHANGE, says("It is changed."), "<end>1</end>", LOOK, says("It is well.")),
    )
    assert (outcome.stop, way(outcome)) == (Stop.CONCLUDED, "look change check end_state")
    assert judged(outcome) == "0:judge 1:judge 1:judge 0:only"
    assert desk.git("show", f"{outcome.branch}:README.md").startswith("# Stopwatch")
    assert desk.git("log", "-1", "--format=%b", outcome.branch) == "It is well."
    assert seen[0].system.startswith(
        "You look. You do not edit.\n\nYou are finder. Your task: Find"
    )
    assert "`apply_patch`" not in seen[0].system
    assert "  finder (in look): It is README.md.\n" in seen[5].task
    assert "  0: it is not done yet\n  1: what comes next is change\n" in seen[2].system
    places = [view.task.rpartition("[You are ")[2] for view in seen if "[You are " in view.task]
    assert places == [
        *["finder. This is turn 1 of at most 3 in the state look.]\n"] * 2,
        "finder. This is turn 2 of at most 3 in the state look. It was not judged to be done yet: "
        "do what is missing.]\n",
        *["author. This is turn 1 of at most 2 in the state change.]\n"] * 2,
        *["checker. This is the only turn in the state check.]\n"] * 2,
    ]
    assert [len(turn(outcome, number).steps) for number in (1, 2, 3, 4)] == [1, 0, 1, 1]


def test_the_users_messages_reach_the_turns_and_begin_it_again(desk: Any) -> None:
    words, once = ["in capitals"], "look change end_state"

    def late(view: View) -> str:
        words.append("once more")
        return says("Changed.")

    def said(state: State) -> list[Event]:
        return [Event(MAINTAINER, words.pop())] if words else []

    replies = (says("README.md"), CHANGE, late, says("Here."), says("Changed."))
    around = replace(desk.around(*replies), said=said)
    outcome = solve(desk.request(procedure=read_procedure(PAIR)), around)
    assert (outcome.stop, way(outcome)) == (Stop.CONCLUDED, f"{once} {once}")
    model: Any = around.open_model("script")
    turns = [re.findall("maintainer: (.*)\\)", view.task) for view in model.seen]
    assert turns == [["in capitals"]] * 3 + [["in capitals", "once more"]] * 2


def test_a_judge_that_cannot_be_read_stays(walk: Walk) -> None:
    outcome, _ = walk(
        *(THREE, says("a"), "perhaps", says("b"), "0 or 1", says("c")),
        *(CHANGE, says("d"), "1", says("e")),
    )
    assert judged(outcome) == "0:unreadable 0:unreadable 1:turns 1:judge 0:only"
    assert way(outcome) == "look change check end_state"


def test_maximum_turns_force_the_exit_and_are_counted_anew(walk: Walk) -> None:
    back = THREE.replace(
        "  next: end_state", "  judge: J\n  maximum turns: 1\n  next: 0 look, 1 end_state"
    )
    looks = [said for _ in range(2) for said in (says("x"), "0")]
    outcome, _ = walk(back, *looks, says("y"), says("z"), "1", says("w"))
    assert judged(outcome) == "0:judge 0:judge 1:turns 1:judge 1:turns"
    again = back.replace("maximum turns: 1\n", "maximum turns: 9\n")
    again = again.replace("state: look\n", "state: look\n  begin query: Where?\n")
    outcome, _ = walk(
        *(again, *looks, says("y"), says("z"), "1", says("w"), "0"),
        *(*looks, says("y"), says("z"), "1", says("w"), "1"),
    )
    assert way(outcome) == "look change check look change check end_state"
    assert judged(outcome).count("1:turns") == 2
    assert outcome.folder.transcript.read_text().count("look, as the procedure begins it") == 1


def test_the_first_edit_of_a_turn_can_be_undone(walk: Walk) -> None:
    outcome, _ = walk(PAIR, says("a"), CHANGE, UNDO, says("b"))
    assert turn(outcome, 2).steps[-1].seen.text.startswith("taken back README.md (+1 -1)")


def test_the_last_state_decides(walk: Walk) -> None:
    outcome, _ = walk(THREE, says("a"), "1", CHANGE, says("b"), "1", says("I give up because no."))
    assert (outcome.stop, outcome.branch) == (Stop.GAVE_UP, "")
    assert outcome.state.stop_reason == "the last turn ended as gave_up"
    assert "Stopwatch" in outcome.folder.patch.read_text()


def test_a_turn_that_comes_to_no_conclusion_says_so(walk: Walk) -> None:
    short = THREE.replace("    tools: list", "    maximum steps: 2\n    tools: list")
    outcome, seen = walk(short, LOOK, LOOK, "1", CHANGE, says("b"), "1", says("c"))
    said = "(I came to no conclusion: my turn ended as out_of_steps after 2 steps. My last thought"
    assert f"  finder (in look): {said} was: look)" in seen[2].task
    assert outcome.stop is Stop.CONCLUDED


@pytest.mark.parametrize(
    ("budget", "stop", "turns"),
    [
        ({"steps": "1"}, Stop.OUT_OF_STEPS, 0),
        ({"steps": "2"}, Stop.OUT_OF_STEPS, 1),
        ({"prompt_tokens": "1500"}, Stop.OUT_OF_TOKENS, 1),
        ({"seconds": "4"}, Stop.OUT_OF_TIME, 1),
    ],
    ids=str,
)
def test_all_turns_share_what_there_is(
    walk: Walk, budget: dict[str, str], stop: Stop, turns: int
) -> None:
    outcome, _ = walk(
        *(THREE, LOOK, says("a"), "1", CHANGE, LOOK, says("b"), "1", says("c")), budget=budget
    )
    assert (outcome.stop, turns_of(outcome)) == (stop, turns)
    assert outcome.kept


ROLE = """\
    rule: Be quick.
    rule: Be kind.
    style: dry
    demonstration: Look so.
    last: Do not
      edit.
"""


def test_parts_of_a_role_and_the_report(walk: Walk) -> None:
    replies = (says("README.md"), "1", CHANGE, says("Changed."), "1", says("Well."))
    outcome, seen = walk(THREE.replace("    task: Find", f"{ROLE}    task: Find"), *replies)
    assert (
        "\n\nRules:\n- Be quick.\n- Be kind.\n\nHow you write: dry\n\nYou can use" in seen[0].system
    )
    assert seen[0].tail == "(Do not edit.)\nThought:"
    assert "Do not edit" not in seen[2].tail
    report = outcome.folder.report.read_text()
    assert "    README.md: changed at step 1" in report
    assert "(by the last state): 1 step and a conclusion, " in report


def test_a_model_that_fails_ends_it_by_that_name(walk: Walk) -> None:
    text = THREE.replace("    task: Find", f"{ROLE}    task: Find")
    outcome, seen = walk(text.replace("  profile", "  show demonstrations: yes\n  profile"), LOOK)
    assert outcome.stop is Stop.MODEL_FAILED
    assert outcome.state.spent.prompt_tokens > 0  # of the turn that is open
    assert "How you write: dry\n\nAn example:\nLook so.\n\nYou can use" in seen[0].system


def test_narrow_tools_are_narrow(walk: Walk) -> None:
    write = " x\nAction: write_file\nAction Input: a.py\nx = 1\n"
    shell = " x\nAction: bash\nAction Input: echo x > a.py\n"
    edit = CHANGE.replace("apply_patch", "patch")
    outcome, _ = walk(THREE, write, shell, edit, says("a"), "1", CHANGE, says("b"), "1", says("c"))
    steps = turn(outcome, 1).steps
    assert [step.seen.facts["how"] for step in steps] == ["wish"] * 3
    assert not any("tree" in step.seen.facts for step in steps)


def test_a_role_with_its_own_model_has_the_amendments_for_that_model(desk: Any) -> None:
    desk.profiles.joinpath("own.cfg").write_text(
        "[profile]\nbased on = turn\n[model tiny]\nmore notes = Small steps.\n"
        "[model tiny budget]\nwindow = 9000\n[model tiny compress]\nhistory = 2\n"
    )
    text = THREE.replace("profile: turn", "profile: own")
    text = text.replace("    task: Find", "    model: small\n    task: Find")
    around = desk.around(says("a"), "1", CHANGE, says("b"), "1", says("c"))
    model = around.open_model("script")
    settings = replace(around.settings, models={"small": {"spec": "openai/tiny"}})
    around = replace(around, settings=settings, open_model=lambda spec: model)
    outcome = solve(desk.request(procedure=read_procedure(text)), around)
    assert ["Small steps." in view.system for view in model.seen] == [True, *[False] * 5]
    windows = [read_facts(turn(outcome, n).header["limits"])["window"] for n in (1, 2, 3)]
    assert [window == "9000" for window in windows] == [True, False, False]
    inner = outcome.folder.path / "sub/001"
    assert prompts(inner, transcripts.read(inner / transcripts.NAME), around.settings).is_exact(1)


def test_roles_speak_in_their_order(walk: Walk) -> None:
    text = TALK.replace("turns: 20", "turns: 5").replace(
        "  maximum", "  begin role: bob\n  maximum"
    )
    outcome, _ = walk(text, *[said for _ in range(5) for said in (says("x"), "0")])
    assert _speakers(outcome) == ["bob", "cid", "ann", "bob", "cid"]


def test_a_model_names_who_speaks_and_never_who_spoke_last(walk: Walk) -> None:
    text = TALK.replace("  maximum turns: 20", "  controller: rule\n  maximum turns: 6")
    text = text.replace("  role cid:\n", "  role cid:\n    name: Cid\n")
    replies = [said for _ in range(6) for said in (says("x"), "0", "Next: cid")]
    outcome, seen = walk(text, *replies)
    speakers = _speakers(outcome)
    assert (speakers[0], speakers[1::2]) == ("ann", ["cid"] * 3)
    assert {*speakers[2::2]} <= {"ann", "bob"}
    assert [one["by"] for one in events(outcome, "picked")] == ["rule", "random"] * 2 + ["rule"]
    assert "It cannot be ann, who spoke last. The roles are:\n  ann: \n  bob: " in seen[2].system


def _speakers(outcome: Outcome) -> list[str]:
    state = fold(transcripts.read(outcome.folder.transcript).entries)
    return [step.said.turn.action for step in state.steps]


def test_chance_is_the_same_for_the_same_seed(walk: Walk, desk: Any) -> None:
    text = TALK.replace("  maximum turns: 20", "  controller: random\n  maximum turns: 6")
    replies = [one for _ in range(6) for one in (says("x"), "0")]
    orders = []
    for name in ("one", "one", "two"):
        desk.folder.joinpath("runs").rename(desk.folder / f"runs{len(orders)}") if orders else None
        outcome, _ = walk(text, *replies, names=Names(name, name), publish=False)
        orders.append(_speakers(outcome))
    assert orders[0] == orders[1] != orders[2]
