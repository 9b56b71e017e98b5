"""The line below a run: how full its prompt is. And what is said of it at the end."""

import io
from pathlib import Path

from check_rows import table_of
from rich.console import Console

from react_agent.cli.running import print_summary
from react_agent.cli.terminal.screen import status_of
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.report import Outcome, report
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import Stop, fold

TURN = Turn(Kind.ACTION, "look", "grep", "x")
LIMITS = Event("limits", "window=10000 reply=2000")
CALLED = (Objective("do it"), Said(TURN, facts={"in": "5100", "out": "40"}))


def status(*entries: Entry, width: int = 80) -> str:
    """What is spent and filled, after these."""
    return status_of(fold(entries)).rows(width, 0, 0)[1].plain


@table_of(
    ("before", "end"),
    {
        "the reply left free": ([LIMITS], "prompt 5.1k of 8k (64 %)"),
        "at": ([LIMITS, Event("prompt", "instructions=9 at=8000")], "of 6k (85 %)"),
        "free": ([Event("limits", "window=100000")], "of 96k (5 %)"),
        "huge": ([Event("limits", "window=9000000")], "(0 %)"),
        "no limit told": ([], "5,140 tokens  0 s"),
        "edited": ([Event("limits", "window=x")], "5,140 tokens  0 s"),
    },
)
def test_how_full_the_prompt_is(before: list[Event], end: str) -> None:
    assert status(*before, *CALLED).endswith(end)


def test_a_window_that_an_endpoint_told_counts() -> None:
    told = Said(TURN, facts={"in": "510", "window": "4000"})
    assert "  prompt 510 of 3k (17 %)" in status(LIMITS, Objective("do it"), told)


def test_before_the_first_call_it_is_estimated() -> None:
    at_first = status(LIMITS, Event("prompt", "instructions=2998"), Objective("do it"))
    assert "  prompt 3k of 8k (38 %)" in at_first


@table_of(
    ("width", "shown"),
    [
        (70, "1,234,607 tokens  12.3456 $  0 s  prompt 1.23M of 8k (15432 %)"),
        (40, "1,234,607 tokens  12.3456 $  0 s"),
    ],
)
def test_what_there_is_room_for(width: int, shown: str) -> None:
    facts = {"in": "1234567", "out": "40", "cost": "12.3456"}
    assert status(LIMITS, Objective("do it"), Said(TURN, facts=facts), width=width) == shown


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
