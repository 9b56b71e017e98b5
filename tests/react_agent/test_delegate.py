"""A sub-agent edits a file: what it did, what it cost, and what the parent gets to see of it."""

from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of
from replies import DONE, interrupt
from replies import READ as LOOK
from replies import TITLE as CHANGE

from react_agent.runs.solve import solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, Stop, fold
from react_agent.testing import ScriptedModel

ASK = " let it be done\nAction: update_file\nAction Input: {}\nBegin the title with a capital.\n"
OTHER = CHANGE.replace("README.md", "OTHER.md")
CHANGED = " done\nConclusion: The title begins with a capital.\nSecond line.\nThird line."


def first(state: State) -> tuple[str, dict[str, str]]:
    return state.steps[0].seen.text, dict(state.steps[0].seen.facts)


def test_the_file_is_changed_and_the_parent_pays_and_gets_a_line(desk: Any) -> None:
    replies = (ASK.format("README.md"), *[LOOK] * 3, CHANGE, CHANGED, DONE)
    outcome, (before, *own, after) = desk.watched(*replies)
    text, facts = first(outcome.state)
    assert text == (
        "README.md was changed, in 4 steps: The title begins with a capital.\nSecond line."
    )
    assert (facts["status"], facts["paths"], facts["sub"]) == ("ok", "README.md", "sub/001")
    assert desk.git("show", f"{outcome.branch}:README.md").startswith("# Stopwatch\n")
    assert all("Change README.md, and no other file" in view.task for view in own)
    assert "look" not in "".join(after.turns)
    grown = len(after.text) - len(before.text)
    assert grown < 500
    assert sum(len(view.text) for view in own) > 10 * grown
    sub = fold(transcripts.read(outcome.folder.path / "sub/001/transcript.txt").entries)
    assert len(sub.steps) == 4
    own_calls = [step for step in outcome.state.steps if "in" in step.said.facts]
    paid = sum(int(step.said.facts["in"]) for step in own_calls) + sub.spent.prompt_tokens
    assert outcome.state.spent.prompt_tokens >= paid


@table_of(
    ("replies", "told"),
    {
        "it gave up": (
            [CHANGE, " no\nConclusion: I give up because there is no title."],
            "README.md is as it was: I give up because there is no title.",
        ),
        "it can't be read": (
            [CHANGE, *[" hm\nnothing"] * 3],
            "README.md is as it was: it ended as stuck after 4 steps",
        ),
    },
)
def test_what_is_not_finished_is_not_kept(desk: Any, replies: list[str], told: str) -> None:
    outcome = desk.solve(ASK.format("README.md"), *replies, DONE)
    text, facts = first(outcome.state)
    assert (text, facts["status"]) == (told, "failed")
    assert outcome.diff == ""


def test_a_file_that_is_not_there_costs_a_line(desk: Any) -> None:
    text, facts = first(desk.solve(ASK.format("REDME.md"), DONE).state)
    assert text == "REDME.md does not exist; near it: README.md"
    assert (facts["status"], "in" in facts) == ("failed", False)


def test_it_has_no_sub_agent_and_other_files_that_it_changed_are_said(desk: Any) -> None:
    adds = " x\nAction: apply_patch\nAction Input: --- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+x\n"
    ask = ASK.format("README.md")
    outcome = desk.solve(ask, ask, CHANGE, adds, CHANGED, DONE)
    text, facts = first(outcome.state)
    assert text.startswith("README.md was changed, in 3 steps; it changed x.txt, too: The title")
    assert facts["paths"] == "README.md,x.txt"
    sub = fold(transcripts.read(outcome.folder.path / "sub/001/transcript.txt").entries)
    assert sub.steps[0].seen.facts["how"] == "wish"


def test_taken_up_in_the_middle_no_reply_is_paid_twice(desk: Any) -> None:
    broken = desk.solve(ASK.format("README.md"), CHANGE, interrupt)
    assert broken.stop is Stop.INTERRUPTED
    outcome = desk.take_up(broken.folder, CHANGED, DONE)
    assert outcome.stop is Stop.CONCLUDED
    assert first(outcome.state)[0].startswith("README.md was changed, in 1 step: The title")
    assert desk.git("show", f"{outcome.branch}:README.md").startswith("# Stopwatch\n")


def test_another_request_in_the_place_of_one_that_was_cut_is_not_its_answer(desk: Any) -> None:
    first_way = desk.solve(ASK.format("README.md"), CHANGE, CHANGED, interrupt)
    transcript = first_way.folder.transcript
    text = transcript.read_text(encoding="utf-8")
    transcript.write_text(text[: text.index("Thought: let it be done")], encoding="utf-8")
    other = ASK.format("README.md").replace("Begin the title with a capital", "Shout")
    shouts = CHANGE.replace("# Stopwatch", "# STOPWATCH")
    outcome = desk.take_up(first_way.folder, other, shouts, " done\nConclusion: It shouts.", DONE)
    assert first(outcome.state)[0] == "README.md was changed, in 1 step: It shouts."
    assert desk.git("show", f"{outcome.branch}:README.md").startswith("# STOPWATCH\n")
    assert sorted(sub.name for sub in (outcome.folder.path / "sub").iterdir()) == ["001", "001-1"]


@pytest.mark.parametrize("left", ["%% react-agent transcr", None])
def test_killed_before_it_had_begun(desk: Any, left: str | None) -> None:
    broken = desk.solve(ASK.format("README.md"), interrupt)
    transcript = broken.folder.path / "sub/001/transcript.txt"
    transcript.unlink()
    if left is not None:
        transcript.write_text(left)
    outcome = desk.take_up(broken.folder, CHANGE, CHANGED, DONE)
    assert first(outcome.state)[0].startswith("README.md was changed, in 1 step: The title")


@table_of(
    ("limit", "value", "stop"),
    [
        ("prompt_tokens", "5800", Stop.OUT_OF_TOKENS),
        ("seconds", "8", Stop.OUT_OF_TIME),
        ("money", "2.5", Stop.OUT_OF_MONEY),
    ],
)
def test_what_it_spends_is_not_there_for_the_parent(
    demo_desk: Any, limit: str, value: str, stop: Stop
) -> None:
    looks = [LOOK.replace(".md", f".md:{line}") for line in range(1, 10)]
    model = ScriptedModel([ASK.format("README.md"), *looks, DONE], price=1.0)
    around = replace(demo_desk.around(), open_model=lambda spec: model)
    outcome = solve(demo_desk.request(budget={limit: value}), around)
    sub = fold(transcripts.read(outcome.folder.path / "sub/001/transcript.txt").entries)
    assert (sub.stop, outcome.stop) == (stop, stop)
    assert len(outcome.state.steps) == 1
    spent = outcome.state.spent
    own = fold([outcome.state.steps[0].said]).spent
    assert spent.prompt_tokens == own.prompt_tokens + sub.spent.prompt_tokens
    assert spent.money == 1.0 + (sub.spent.money or 0)
