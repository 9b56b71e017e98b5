"""The line below a run, and what is said of the run at its end."""

import io
from pathlib import Path

from rich.console import Console

from react_agent.cli.running import print_summary
from react_agent.cli.terminal.screen import status_of
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.report import Outcome, report
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import Stop, fold

TURN = Turn(Kind.ACTION, "look", "grep", "x")


def test_what_is_spent() -> None:
    facts = {"in": "1234567", "out": "40", "cost": "12.3456"}
    rows = status_of(fold((Objective("do it"), Said(TURN, facts=facts)))).rows(80, 0, 0)
    assert rows[1].plain == "1,234,607 tokens  12.3456 $  0 s"


LOOKED = (Said(TURN), Seen("many words of it\n" * 200))


def test_the_number_of_the_step_stays_when_the_run_ends() -> None:
    ended = [Said(Turn(Kind.CONCLUSION, "", conclusion="x")), Event("stop", "concluded")]
    seen = (Objective("do it"), *LOOKED)
    steps = [status_of(fold((*seen, *ended[:count]))).step for count in range(3)]
    assert steps == ["step 2"] * 3


RUN = fold(
    (
        *(Objective("do it"), *LOOKED, *LOOKED),
        *(Event("compressed", "steps=1 stage=oldest"), Event("shelved", "steps=2"), *LOOKED),
        *(Event("compressed", "steps=3 stage=all"), *LOOKED),
    )
)


def outcome_of(folder: Path) -> Outcome:
    return Outcome(Stop.STUCK, RunFolder(folder), RUN)


def test_the_end_says_how_often_it_was_compressed(tmp_path: Path) -> None:
    assert (len(RUN.compressed), 2400 < RUN.taken < 3500) == (2, True)
    file = io.StringIO()
    print_summary(outcome_of(tmp_path), Console(file=file, width=80))
    line = f"\ncompressed 2 times, {RUN.taken:,} tokens removed from the prompt\n"
    assert line in file.getvalue()
    told = f"\nIts prompt was compressed 2 times, {RUN.taken:,} tokens removed from it.\n"
    assert told in report(outcome_of(tmp_path))
