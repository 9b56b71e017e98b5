"""A procedure of one state and one role is a run like any other, to the byte."""

from dataclasses import replace
from typing import Any

import pytest
from replies import LOOK, interrupt
from replies import TITLE as CHANGE
from walking import says

from react_agent.errors import ConfigError
from react_agent.parsers.settings.procedure import Procedure, read_procedure
from react_agent.runs.run_setup import Names
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop

ONE = """\
procedure: one
state: do
  role worker:
  next: end_state
state: end_state
"""
SAYING = """\
procedure: one
state: do
  environment: You are alone.
  role worker:
    task: Change the title.
    last: Be brief.
    tools: read_file apply_patch
    maximum steps: 2
  next: end_state
"""


def run(desk: Any, place: str, procedure: Procedure | None) -> tuple[str, list[Any]]:
    around = replace(desk.around(LOOK, CHANGE, says("It is done.")), runs=desk.folder / place)
    names = Names("run", "branch")
    outcome = solve(desk.request(procedure=procedure, names=names, publish=False), around)
    assert not (outcome.folder.path / "sub").exists()
    return outcome.folder.transcript.read_text(), around.open_model("script").seen


def test_one_role_in_one_state_is_the_plain_run(desk: Any) -> None:
    plain = run(desk, "plain", None)
    assert run(desk, "one", read_procedure(ONE)) == plain
    assert len(plain[1]) == 3


def test_what_the_one_role_says_is_in_its_prompt_and_in_the_header(desk: Any) -> None:
    first, [view, *_] = desk.watched(CHANGE, LOOK, procedure=read_procedure(SAYING))
    assert view.system.startswith(
        "You are alone.\n\nYou are worker. Your task: Change the title.\n\n"
    )
    assert "`grep`" not in view.system
    assert view.tail == "(Be brief.)\n(2 steps left: finish, and conclude)\nThought:"
    assert first.stop is Stop.OUT_OF_STEPS
    names = [getattr(one, "name", "") for one in transcripts.read(first.folder.transcript).entries]
    assert "entered" not in names and "procedure" in names


def test_a_role_whose_tools_are_all_withheld_gets_no_others(desk: Any) -> None:
    desk.settings = {"withhold": ("read_file", "apply_patch")}
    with pytest.raises(ConfigError, match="no tool is offered"):
        desk.solve(LOOK, procedure=read_procedure(SAYING))


def test_taken_up_and_done_again_it_is_the_same_role(desk: Any) -> None:
    first = desk.solve(CHANGE, interrupt, procedure=read_procedure(SAYING))
    around = desk.around(says("It is done."))
    outcome = resume(first.folder, around, Otherwise(), keep=False)
    [view] = around.open_model("script").seen
    assert view.system.startswith("You are alone.\n\nYou are worker.")
    assert outcome.stop is Stop.CONCLUDED
    desk.replay(outcome.folder)
    assert desk.told == []
