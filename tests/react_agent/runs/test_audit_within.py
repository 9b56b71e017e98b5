"""Runs within runs: a sub-agent, turns of a procedure; told where their files were copied, too."""

import shutil
from pathlib import Path
from typing import Any

from replies import ASK, DONE, LOOK, READ, TITLE, interrupt
from walking import THREE, says

from react_agent.parsers.settings.procedure import read_procedure
from react_agent.runs.audit import audit, audited


def _told(path: Path, section: str) -> list[str]:
    return [text for name, text in audit(audited(path), section) if name == section]


def test_a_sub_agent_is_told_by_its_own_steps(desk: Any, tmp_path: Path) -> None:
    path = desk.solve(ASK, READ, TITLE, DONE, DONE).folder.transcript
    assert _told(path, "wrote") == [
        "step 1.2: README.md +1 -1 (apply_patch)",
        "branch: README.md +1 -1",
    ]
    assert _told(path, "read") == ["README.md, lines 1-8; step 1.1"]
    assert _told(path, "missing") == ["nothing"]
    copied = shutil.copy(path, tmp_path / "copied.txt")  # without its folder
    assert _told(copied, "wrote")[0] == "step 1: README.md +1 -1 (update_file)"
    assert _told(copied, "missing") == [
        "step 1: the transcript sub/001 of its inner run can't be read"
    ]


def test_what_a_sub_agent_wrote_in_vain_is_taken_back(desk: Any) -> None:
    gave_up = " no\nConclusion: I give up because there is no title."
    path = desk.solve(ASK, TITLE, gave_up, DONE).folder.transcript
    assert _told(path, "wrote") == ["step 1.1: README.md +1 -1 (apply_patch, taken back)"]


def test_turns_of_a_procedure_are_told_by_their_steps(desk: Any) -> None:
    replies = (LOOK, says("README.md"), " 1", TITLE, says("changed"), " 1", says("fine"))
    path = desk.solve(*replies, procedure=read_procedure(THREE)).folder.transcript
    assert _told(path, "wrote") == [
        "step 2.1: README.md +1 -1 (apply_patch)",
        "branch: README.md +1 -1",
    ]
    assert _told(path, "missing") == ["nothing"]


def test_what_was_done_in_a_turn_that_was_cut_off_is_told(desk: Any) -> None:
    replies = (LOOK, says("README.md"), " 1", TITLE, interrupt)
    outcome = desk.solve(*replies, procedure=read_procedure(THREE))
    assert _told(outcome.folder.transcript, "wrote") == [
        "step 2.1: README.md +1 -1 (apply_patch)",
        "not in a branch: README.md +1 -1",
    ]
