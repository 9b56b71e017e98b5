"""What a list tells of a run, out of the two ends of its transcript."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from replies import DONE, LOOK

from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective
from react_agent.runs.run_folder import OUTCOMES, RunFolder, glance
from react_agent.state import transcript as transcripts
from react_agent.state.state import OUTCOME, RESUMES, Stop, stop_event
from react_agent.state.steps import RETRACTED

EDIT = " edit\nAction: write_file\nAction Input: new.txt\nA line\n"


def _folder(tmp_path: Path, text: str) -> RunFolder:
    folder = RunFolder(tmp_path / "a-run")
    folder.path.mkdir()
    folder.transcript.write_text(text)
    return folder


def test_of_a_run_that_ended_or_any_beginning_of_it(desk: Any) -> None:
    outcome = desk.solve(LOOK, EDIT, DONE)
    found = glance(outcome.folder)
    assert (found.outcome, found.title, found.steps) == ("concluded", "A title", 2)
    assert (found.repository, found.model) == (str(desk.repository), "script")
    assert found.base == desk.git("rev-parse", "HEAD")
    assert found.name == outcome.folder.path.name
    path = outcome.folder.transcript
    text, data = path.read_text(), path.read_bytes()
    path.write_text(text.partition("%% spent:")[0])  # as an older version did
    assert glance(outcome.folder) == found
    path.write_text(text.partition("%% stop:")[0])
    assert (glance(outcome.folder).outcome, glance(outcome.folder).steps) == ("broken_off", 2)
    for size in range(0, len(data), 397):
        path.write_bytes(data[:size])
        assert glance(outcome.folder).outcome in OUTCOMES


def test_what_was_undone_has_no_outcome(tmp_path: Path) -> None:
    ended = stop_event(Stop.CONCLUDED, "by the model"), Event(OUTCOME, "tests_failed")
    folder = RunFolder(tmp_path)
    opened = transcripts.create(folder.transcript, (Objective("do it"), *ended))
    assert glance(folder).outcome == "tests_failed"
    opened.append(Event(RETRACTED, "steps=1 by=maintainer | undone"))
    assert glance(folder).outcome == "concluded"
    opened.close()


@table_of("stop", list(Stop))
def test_any_end(tmp_path: Path, stop: Stop) -> None:
    folder = RunFolder(tmp_path / stop)
    folder.path.mkdir()
    opened = transcripts.create(folder.transcript, (Objective("do it"),))
    for again in RESUMES:
        opened.append(stop_event(stop, "by the model"))
        assert glance(folder).outcome == stop
        opened.append(Event(again))
        assert glance(folder).outcome == "running"
    opened.close()
    assert glance(folder).outcome == "broken_off"


def test_the_cost_of_all_calls(tmp_path: Path) -> None:
    lines = (
        f"%% {HEADER}: {VERSION}",
        "Objective: x",
        "%% started: at=2026-11-20T14:17:58+00:00",
        "Thought: a",
        "Action: ls",
        "Action Input: %% turn: cost=9 is what a model wrote",
        "\\%% turn: n=1 cost=9",
        "%% turn: n=1 cost=0.25",
        "Observation: y",
        "%% step: n=1 cost=0.5",
        "%% asked: for=words cost=0.125",
        "%% lost: in=9 cost=0.0625 seconds=1",
    )
    found = glance(_folder(tmp_path, "\r\n".join(lines) + "\r\n"))
    assert (found.money, found.steps, found.title) == (0.9375, 1, "x")


@pytest.mark.parametrize(
    "text",
    ["", "prose\n", "%% react-agent transcript: 1\nObjective: x\n", "\0" * 100],
)
def test_what_is_no_transcript_is_unreadable(tmp_path: Path, text: str) -> None:
    assert glance(_folder(tmp_path, text)).outcome == "unreadable"


def test_reads_little_of_a_long_one(tmp_path: Path) -> None:
    start = f"%% {HEADER}: {VERSION}\nObjective: x\n%% started: at=now\n"
    end = "%% stop: concluded by the model\n%% spent: steps=500 seconds=1 cost=0.5\n"
    folder = _folder(
        tmp_path, start + "%% note: here it is broken\nnot a transcript\n" * 9000 + end
    )
    found = glance(folder)
    assert (found.outcome, found.steps, found.money) == ("concluded", 500, 0.5)
