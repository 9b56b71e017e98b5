"""Steps taken back: gone from prompt and files, and still in the transcript."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from replies import DONE, LOOK

from react_agent.guards.means import Means
from react_agent.loop.agent import run
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import view
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import begin
from react_agent.runs.solve import Otherwise, take_up
from react_agent.state.state import State, fold
from react_agent.state.steps import CONDENSED, RETRACTED, Shown, compressed_event

REASON = "there is a `units.py`, though `ls lib` does not show it"
WRITE = " write\nAction: write_file\nAction Input: new.txt\nA new line\n"
MOVE = " move\nAction: run\nAction Input: cd stopwatch && echo more >> ../README.md\n"
SERVE = " serve\nAction: run_background\nAction Input: sleep 100\n"


def _step(number: int, **facts: str) -> tuple[Said, Seen]:
    said = Said(Turn(Kind.ACTION, f"thought {number}", "echo", "x"), facts={"n": str(number)})
    return said, Seen(f"seen {number}", {"n": str(number), **facts})


def _folded(*entries: Entry | tuple[Entry, ...]) -> State:
    flat = [one for entry in entries for one in (entry if isinstance(entry, tuple) else (entry,))]
    return fold((Objective("do it"), *flat))


def _back(*numbers: int, reason: str = REASON) -> Event:
    return compressed_event(RETRACTED, numbers, reason, by="claim")


def test_steps_that_only_a_lost_summary_stood_for_are_shown_again() -> None:
    steps = [_step(number) for number in range(1, 6)]
    state = _folded(*steps, compressed_event(CONDENSED, (2, 3, 4), "a summary"), _back(4, 5))
    assert [step.shown for step in state.steps[1:4]] == [
        Shown.LEFT_OUT,
        Shown.LEFT_OUT,
        Shown.RETRACTED,
    ]
    assert "thought 2" in view(state, "", 40).turns[1]


def test_a_step_taken_back_between_does_not_hide_those_before_it() -> None:
    """One is taken back, the rest is summed up, and then what the summary stood on goes."""
    steps = [_step(number) for number in range(1, 6)]
    summary = compressed_event(CONDENSED, range(1, 6), "a summary")
    state = _folded(*steps, _back(3), summary, _back(5))
    assert [step.number for step in state.steps if step.text] == [1, 2, 4]


def test_what_is_taken_back_already_is_not_taken_back_again() -> None:
    steps = [_step(number) for number in range(1, 5)]
    assert _folded(*steps, _back(2, 3), _back(2, 3), _back(3, reason="no")).dead_ends == [REASON]
    assert _folded(*steps, _back(2, 3), _back(3, 4, reason="and more")).dead_ends[1:] == [
        "and more"
    ]


def test_numbers_of_background_commands_are_given_anew_in_a_run_taken_up() -> None:
    """What had the same number before does not end what has it now."""
    old = _step(1, background="1", running="1: old")
    new = _step(3, background="1", running="1: new")
    assert _folded(old, _step(2), Event("resumed"), new, _back(1, 2)).running == ("1: new",)
    assert _folded(old, _step(2), Event("resumed"), new, _back(3)).running == ()


def test_a_background_command_that_they_started_is_told_no_more() -> None:
    first = _step(1, background="1", running="1: server")
    second = _step(2, background="2", running="1: server,2: other")
    assert _folded(first, second, _back(2)).running == ("1: server",)


class GoesBack:
    """Takes back all but the first step, once, when so many were made."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self, state: State, means: Means) -> Sequence[Entry]:
        if len(state.steps) != self.at or state.dead_ends:
            return []
        assert means.look is not None
        proof = means.look("grep", "SECONDS")
        turn = Turn(Kind.ACTION, "I was wrong.", "grep", "SECONDS")
        facts = {"by": "test", "n": str(self.at + 1)}
        return _back(*range(2, self.at + 1)), Said(turn, facts=facts), Seen(proof.text, facts)


def test_files_folder_and_background_are_as_before(desk: Any) -> None:
    opened = begin(desk.request(keep=True), desk.around(LOOK, WRITE, MOVE, SERVE, LOOK, DONE))
    run(replace(opened.agent, guards=(GoesBack(4), *opened.agent.guards)))
    root, state = opened.workspace.root, opened.transcript.state
    assert not (root / "new.txt").exists()
    assert (root / "README.md").read_bytes() == (desk.repository / "README.md").read_bytes()
    assert (state.cwd, state.running) == (".", ())
    assert opened.agent.context.background.running() == []
    assert [step.said.turn.action for step in state.standing] == [
        "list_files",
        "grep",
        "list_files",
    ]
    assert "SECONDS" in state.standing[1].seen.text
    opened.close()
    opened.transcript.close()


def test_a_look_by_a_guard_changes_nothing(desk: Any) -> None:
    opened = begin(desk.request(), desk.around(DONE))
    said = []

    def asks(state: State, means: Means) -> Sequence[Entry]:
        assert means.look is not None
        said.extend([means.look("write_file", "a.txt\nx"), means.look("nosuch", "x")])
        return []

    run(replace(opened.agent, guards=(asks,)))
    assert [one.status for one in said] == ["failed", "failed"]
    assert not (opened.workspace.root / "a.txt").exists()
    opened.close()
    opened.transcript.close()


def test_what_a_kill_cut_off_is_done_when_it_is_taken_up(desk: Any) -> None:
    """The event is in the file, and nothing came of it."""
    opened = begin(desk.request(keep=True), desk.around(LOOK, WRITE))
    run(opened.agent)
    folder = RunFolder(opened.folder.path)
    opened.transcript.append(_back(2))
    opened.close()
    opened.transcript.close()
    assert (opened.workspace.root / "new.txt").exists()
    again = take_up(folder, desk.around(DONE), Otherwise())
    assert not (again.workspace.root / "new.txt").exists()
    again.close()
    again.transcript.close()
