"""What one run learned is told to the next, as long as it holds."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.lessons import place
from react_agent.outcome import Outcome
from react_agent.solve import solve
from react_agent.stop import Stop

TESTS = "python3 -m unittest -q tests.test_parsing"
RUN = f"Thought: test it\nAction: run\nAction Input: {TESTS}"
NO_PYTEST = "Thought: test\nAction: run\nAction Input: /nowhere/pytest -q"
CHANGE = (
    "Thought: change\nAction: replace\nAction Input: stopwatch/units.py\n"
    '<<<<<<< SEARCH\nLONG_NAMES = {"hour": "h", \n=======\nLONG_NAMES = {"hour": "h", "hr": "h", \n'
    ">>>>>>> REPLACE"
)
DONE = "Thought: done\nConclusion: it is done"
UNITS = "stopwatch/units.py"


def _solve(desk: Any, *replies: str, remember: bool = True) -> Outcome:
    around = desk.around(*replies)
    settings = replace(around.settings, remember=remember)
    around = replace(around, settings=settings, lessons=desk.folder / "lessons")
    return solve(desk.request(), around)


def _told(outcome: Outcome) -> str:
    return "\n".join(outcome.state.about)


def _file(desk: Any) -> Path:
    return place(desk.folder / "lessons", desk.repository)


def test_the_next_run_is_told_what_worked_and_where(desk: Any) -> None:
    first = _solve(desk, RUN, NO_PYTEST, CHANGE, DONE)
    assert first.stop is Stop.CONCLUDED
    told = _told(_solve(desk, DONE))
    assert f"this command works: {TESTS} ({first.folder.path.name})" in told
    assert "this one does not: /nowhere/pytest -q" in told
    assert f"for “A title”, the change was in {UNITS}" in told
    assert "Earlier runs here have left notes" in told


def test_it_stands_in_the_prompt_and_in_the_transcript(desk: Any) -> None:
    _solve(desk, RUN, DONE)
    second = _solve(desk, DONE)
    text = second.folder.transcript.read_text(encoding="utf-8")
    assert f"%% about: this command works: {TESTS}" in text


def test_nothing_is_kept_unless_it_is_wanted(desk: Any) -> None:
    _solve(desk, RUN, DONE, remember=False)
    assert not _file(desk).exists()


def test_nothing_is_told_unless_it_is_wanted(desk: Any) -> None:
    _solve(desk, RUN, DONE)
    assert "this command works" not in _told(_solve(desk, DONE, remember=False))


def test_a_lesson_ends_when_its_file_changes(desk: Any) -> None:
    _solve(desk, CHANGE, DONE)
    assert UNITS in _told(_solve(desk, DONE))
    place_of_units = desk.repository / UNITS
    place_of_units.write_text(place_of_units.read_text() + "\nMORE = 1\n")
    desk.git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qam", "more")
    assert UNITS not in _told(_solve(desk, DONE))


def test_a_lesson_outlives_the_merge_of_its_own_change(desk: Any) -> None:
    first = _solve(desk, CHANGE, DONE)
    desk.git("merge", "-q", first.branch)
    assert UNITS in _told(_solve(desk, DONE))


def test_a_run_that_gave_up_leaves_why(desk: Any) -> None:
    look = "Thought: look\nAction: read_file\nAction Input: stopwatch/parsing.py"
    _solve(desk, look, "Thought: no\nConclusion: I give up because the clock is in the server")
    told = _told(_solve(desk, DONE))
    assert "led nowhere: “A title”: I give up because the clock is in the server" in told
    assert "files=stopwatch/parsing.py:" in _file(desk).read_text(encoding="utf-8")


def test_what_is_learned_again_stands_once(desk: Any) -> None:
    _solve(desk, RUN, DONE)
    _solve(desk, RUN, DONE)
    lines = _file(desk).read_text(encoding="utf-8").splitlines()
    assert [line.partition(" %% ")[0] for line in lines] == [f"command: {TESTS}"]


def test_a_folder_that_cannot_be_written_is_said_and_no_more(desk: Any) -> None:
    (desk.folder / "lessons").write_text("a file in its place")
    assert _solve(desk, RUN, DONE).stop is Stop.CONCLUDED
    assert any("lessons" in line for line in desk.told)


@pytest.mark.parametrize("text", ["", "\x00\xff", "command: x %% files=%%%:"])
def test_a_damaged_file_harms_no_run(desk: Any, text: str) -> None:
    _file(desk).parent.mkdir()
    _file(desk).write_text(text, encoding="utf-8")
    assert _solve(desk, DONE).stop is Stop.CONCLUDED
