"""Steps taken back: gone from prompt and files, and still in the transcript."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from replies import DONE, LOOK

from react_agent.guards.means import Means
from react_agent.loop.agent import run
from react_agent.models.replay import open_replay
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import view
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Run, begin
from react_agent.runs.solve import Otherwise, take_up
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, fold
from react_agent.state.steps import (
    CONDENSED,
    RETRACTED,
    SHELVED,
    Shown,
    compressed_event,
)
from react_agent.tools.registry import named

REASON = "there is a `units.py`, though `ls lib` does not show it"
WRITE = " write\nAction: write_file\nAction Input: new.txt\nA new line\n"
MOVE = " move\nAction: run\nAction Input: cd stopwatch && echo more >> ../README.md\n"
SERVE = " serve\nAction: run_background\nAction Input: sleep 100\n"


def _step(number: int, **facts: str) -> tuple[Said, Seen]:
    said = Said(Turn(Kind.ACTION, f"thought {number}", "echo", "x"), facts={"n": str(number)})
    return said, Seen(f"seen {number}", {"n": str(number), **facts})


def _wrote(number: int, tree: str, path: str) -> tuple[Said, Seen]:
    return _step(number, kind="write", status="ok", paths=path, tree=tree)


def _folded(*entries: Entry | tuple[Entry, ...]) -> State:
    flat = [one for entry in entries for one in (entry if isinstance(entry, tuple) else (entry,))]
    return fold((Objective("do it"), *flat))


def _back(*numbers: int, reason: str = REASON) -> Event:
    return compressed_event(RETRACTED, numbers, reason, by="claim")


def test_an_edit_that_a_step_undid_can_be_undone_again() -> None:
    undone = _step(3, kind="write", status="ok", paths="b.py", tree="t1", undid="2")
    steps = (_wrote(1, "t1", "a.py"), _wrote(2, "t2", "b.py"), undone)
    assert [edit.step for edit in _folded(*steps).edits] == [1]
    assert [edit.step for edit in _folded(*steps, _back(3)).edits] == [1, 2]


def test_steps_that_only_a_lost_summary_stood_for_are_shown_again() -> None:
    steps = [_step(number) for number in range(1, 6)]
    summary = compressed_event(CONDENSED, (2, 3, 4), "a summary")
    state = _folded(*steps, summary, _back(4, 5))
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


def test_steps_that_are_not_shown_are_counted_anew() -> None:
    steps = [_wrote(number, f"t{number}", f"{number}.py") for number in range(1, 5)]
    shelved = compressed_event(SHELVED, (1, 2, 3), recall="yes")
    state = _folded(*steps, shelved, _back(2, 3, 4))
    told = f"(More happened before that: 1 step, about 1.py; {named('recall')} finds what it"
    assert state.before == f"{told} showed.)\n"
    assert state.prompt_tokens == _folded(steps[0], shelved).prompt_tokens
    assert _folded(*steps, shelved, _back(1, 2, 3, 4)).before == ""


def test_what_is_taken_back_already_is_not_taken_back_again() -> None:
    steps = [_step(number) for number in range(1, 5)]
    state = _folded(*steps, _back(2, 3), _back(2, 3), _back(3, reason="no"))
    assert state.dead_ends == [REASON]
    assert _folded(*steps, _back(2, 3), _back(3, 4, reason="and more")).dead_ends[1:] == [
        "and more"
    ]


def test_numbers_of_background_commands_are_given_anew_in_a_run_taken_up() -> None:
    """What had the same number before does not end what has it now."""
    old = _step(1, background="1", running="1: old")
    new = _step(3, background="1", running="1: new")
    state = _folded(old, _step(2), Event("resumed"), new, _back(1, 2))
    assert state.running == ("1: new",)
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


def _run(desk: Any, *replies: Any, at: int) -> Run:
    opened = begin(desk.request(keep=True), desk.around(*replies))
    agent = replace(opened.agent, guards=(GoesBack(at), *opened.agent.guards))
    run(agent)
    return opened


def test_files_folder_and_background_are_as_before(desk: Any) -> None:
    opened = _run(desk, LOOK, WRITE, MOVE, SERVE, LOOK, DONE, at=4)
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


def test_a_replay_gives_only_what_the_model_said(desk: Any) -> None:
    opened = _run(desk, LOOK, WRITE, LOOK, DONE, at=2)
    place = opened.transcript.path
    opened.close()
    opened.transcript.close()
    recorded = transcripts.read(place).entries
    desk.told.clear()
    around = replace(desk.around(), token=lambda: "again")
    model = open_replay(f"replay/{place}", desk.told.append)
    done_again = begin(desk.request(), around)
    guards = (GoesBack(2), *done_again.agent.guards)
    run(replace(done_again.agent, model=model, guards=guards))
    done_again.close()
    done_again.transcript.close()
    said = [one.turn for one in recorded if isinstance(one, Said)]
    now = transcripts.read(done_again.transcript.path).entries
    assert [one.turn for one in now if isinstance(one, Said)] == said
    assert not [line for line in desk.told if "differ" in line or " was " in line]
