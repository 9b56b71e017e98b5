"""Runs that begin as another one was after one of its steps; the other one stays as it is."""

import hashlib
import shutil
from dataclasses import replace
from typing import Any

import pytest
from by_hand import write
from replies import ASK, CHANGED, DONE, LOOK, TITLE, UNDO, interrupt, noted, run

from react_agent.models.contract import View
from react_agent.parsers.transcript.writer import write_entry
from react_agent.runs.audit import audited, is_whole
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import Fork, Otherwise, fork
from react_agent.state.state import Stop
from react_agent.state.steps import RETRACTED, compressed_event

FOUR = (TITLE, run("mkdir d && cd d && echo a > a.txt"), run("echo b >> a.txt"), LOOK)
SEE = run("git -C $(git rev-parse --show-toplevel) status --short -uall; pwd")


def everything(folder: RunFolder) -> dict[str, str]:
    files = sorted(path for path in folder.path.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def forked(desk: Any, old: Outcome, at: int, *replies: Any, **options: Any) -> Outcome:
    before = everything(old.folder)
    otherwise = options.pop("otherwise", Otherwise())
    outcome = fork(Fork(old.folder, at, **options), desk.around(*replies), otherwise, keep=False)
    assert everything(old.folder) == before
    return outcome


def seen(outcome: Outcome, number: int) -> str:
    return str(outcome.state.steps[number - 1].seen.text)


EDITED, RAN = " M README.md", " M README.md\n?? d/a.txt"


def test_files_and_folder_are_those_of_the_step(desk: Any) -> None:
    old = desk.solve(*FOUR, DONE, keep=True)
    for kept, at, files, place in (
        *((True, 1, EDITED, "."), (True, 4, RAN, "d")),
        *((False, 0, "", "."), (False, 3, RAN, "d")),
    ):
        if not kept:
            shutil.rmtree(old.folder.workspace, ignore_errors=True)
        new = forked(desk, old, at, SEE, TITLE if at == 0 else LOOK, DONE)
        said = seen(new, at + 1).split("\n")
        assert "\n".join(said[1:-1]) == files, at
        assert said[-1] == place
        assert (new.stop, len(new.state.steps)) == (Stop.CONCLUDED, at + 2)
        assert (new.branch != old.branch, desk.told) == (True, [])
        assert desk.git("show", f"{new.branch}:README.md").startswith("# Stopwatch")


def test_a_step_that_wrote_nothing_is_not_done_again(desk: Any) -> None:
    sent = desk.folder / "sent"
    old = desk.solve(run(f"echo once >> {sent}"), TITLE, run(f"echo too >> {sent}"), DONE)
    assert seen(forked(desk, old, 3, run("head -1 README.md"), DONE), 4).endswith("\n# Stopwatch")
    assert (sent.read_text(), desk.told) == ("once\ntoo\n", [])


def test_nothing_is_copied_from_a_place_that_no_run_within_it_has(desk: Any) -> None:
    old = desk.solve(LOOK, DONE, keep=True)
    written = old.folder.transcript.read_text()
    old.folder.transcript.write_text(written.replace("%% step: n=1", "%% step: sub=deep/er n=1"))
    write(old.folder.path, {"deep/er/transcript.txt": written})
    new = forked(desk, old, 1, DONE)
    assert new.state.steps[0].seen.facts["sub"] == "deep/er"
    assert not (new.folder.path / "deep").exists()


def test_what_a_person_says_stands_at_its_place_for_good(desk: Any) -> None:
    shown: list[View] = []
    look = noted(shown, LOOK)

    old = desk.solve(LOOK, LOOK, DONE)
    say = "not there\nAction: look in units.py"
    line = "(from the maintainer: not there\n  \\Action: look in units.py)\n"
    for at in (0, 2):
        shown.clear()
        new = forked(desk, old, at, look, look, interrupt, say=say)
        for view in shown:
            before = (view.task, *view.turns[:at])
            assert before[-1].endswith(line)
            assert "".join((view.task, *view.turns, view.tail)).count("maintainer") == 1
    desk.told.clear()
    taken_up = desk.take_up(new.folder, look, TITLE, DONE)
    assert line in shown[-1].turns[at - 1]
    replayed = desk.replay(taken_up.folder)
    assert (replayed.stop, desk.told) == (Stop.CONCLUDED, [])
    forked(desk, replayed, at, say="no difference")
    assert desk.told == []


def test_a_step_that_was_taken_back_later_stands_again(desk: Any) -> None:
    old = desk.solve(TITLE, run("echo wrong > README.md"), interrupt)
    event = compressed_event(RETRACTED, [2], "it was wrong", by="claim")
    old.folder.transcript.write_text(old.folder.transcript.read_text() + write_entry(event))
    old = desk.take_up(old.folder, run("head -1 README.md"), interrupt, keep=True)
    assert seen(old, 3).endswith("\n# Stopwatch")
    for at, said in ((2, "\nwrong"), (3, "\n# Stopwatch")):
        new = forked(desk, old, at, run("head -1 README.md"), interrupt)
        assert seen(new, at + 1).endswith(said)
        assert bool(new.state.dead_ends) is (at == 3)


def test_steps_of_a_sub_agent_are_copied(desk: Any) -> None:
    old = desk.solve(ASK, TITLE, CHANGED, LOOK, DONE)
    inner = "sub/001/sub/002/transcript.txt"  # as of a role that had a sub-agent
    write(old.folder.path, {inner: "%% react-agent transcript: 2\n"})
    new = forked(desk, old, 1, run("head -1 README.md"), UNDO, LOOK, DONE)
    assert (new.folder.path / inner).is_file()
    assert seen(new, 2).endswith("\n# Stopwatch")
    assert seen(new, 3).startswith("taken back README.md")
    assert (new.folder.path / "sub" / "001" / "transcript.txt").is_file()
    assert desk.told == []


def test_another_model_and_budget_and_a_secret_that_a_person_says(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDING_TOKEN", "hunter2hunter2xyz")
    old = desk.solve(LOOK, LOOK, DONE)
    otherwise = Otherwise({"steps": "7"}, "script")
    say = "the key is hunter2hunter2xyz"
    new = forked(desk, old, 1, LOOK, DONE, otherwise=otherwise, say=say)
    assert "hunter2" not in new.folder.transcript.read_text()
    header = new.state.header
    assert header["limits"].split()[0] == "steps=7"
    assert header["model"] == "script"
    assert is_whole(audited(new.folder.transcript))
    assert new.state.spent.unknown == 0


def test_a_transcript_in_a_folder_of_its_own(desk: Any) -> None:
    old = desk.solve(TITLE, LOOK, DONE)
    place = desk.folder / "alone"
    place.mkdir()
    shutil.copy(old.folder.transcript, place / "saved.txt")
    copied = replace(old, folder=RunFolder(place, "saved.txt"))
    assert forked(desk, copied, 1, LOOK, DONE).is_success
    assert [path.name for path in place.iterdir()] == ["saved.txt"]
