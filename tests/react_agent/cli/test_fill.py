"""The line below a run: how full its prompt is. And what is said of it at the end."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from react_agent.cli.screen import Screen
from react_agent.cli.summary import print_summary
from react_agent.outcome import Outcome
from react_agent.parsers.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn import Kind, Turn
from react_agent.report import report
from react_agent.run_folder import RunFolder
from react_agent.state import fold
from react_agent.stop import Stop

TURN = Turn(Kind.ACTION, "look", "grep", "x")
LIMITS = Event("limits", "window=10000 reply=2000")
CALLED = (Objective("do it"), Said(TURN, facts={"in": "5100", "out": "40"}))
ESCAPED = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


def status(*entries: Entry, width: int = 80) -> str:
    """As it was last drawn."""
    file = io.StringIO()
    terminal = {"TERM": "xterm"}  # on a dumb one nothing is drawn twice
    console = Console(file=file, width=width, force_terminal=True, _environ=terminal)
    screen = Screen(console)
    for entry in entries:
        screen.count(entry)
    with screen.live():
        pass
    drawn = [line for line in ESCAPED.sub("", file.getvalue()).split("\n") if "step" in line]
    return drawn[-1].strip()


@pytest.mark.parametrize(
    ("before", "end"),
    [
        pytest.param([LIMITS], "prompt 5.1k of 8k (64 %)", id="the reply left free"),
        pytest.param([LIMITS, Event("prompt", "instructions=9 at=8000")], "of 6k (85 %)", id="at"),
        pytest.param([Event("limits", "window=100000")], "5.1k of 96k (5 %)", id="as it comes"),
        pytest.param([Event("limits", "window=9000000")], "of 8996k (0 %)", id="huge"),
        pytest.param([], "5,140 tokens  0 s", id="no limit told"),
        pytest.param([Event("limits", "window=x")], "5,140 tokens  0 s", id="edited"),
    ],
)
def test_how_full_the_prompt_is(before: list[Event], end: str) -> None:
    assert status(*before, *CALLED).endswith(end)


def test_a_window_that_an_endpoint_told_counts() -> None:
    told = Said(TURN, facts={"in": "510", "window": "4000"})
    assert status(LIMITS, Objective("do it"), told).endswith("prompt 510 of 3k (17 %)")


def test_before_the_first_call_it_is_estimated() -> None:
    at_first = status(LIMITS, Event("prompt", "instructions=2998"), Objective("do it"))
    assert at_first.endswith("prompt 3k of 8k (38 %)")


@pytest.mark.parametrize("width", [40, 80])
def test_one_line_however_narrow(width: int) -> None:
    facts = {"in": "1234567", "out": "40", "cost": "12.3456"}
    line = status(LIMITS, Objective("do it"), Said(TURN, facts=facts), width=width)
    assert len(line) <= width
    assert line.endswith("…") is (width == 40)


LOOKED = (Said(TURN), Seen("many words of it\n" * 200))
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
    line = f"\ncompressed 2 times, {RUN.taken:,} tokens taken out of the prompt\n"
    assert line in file.getvalue()
    told = f"\nIts prompt was compressed 2 times, {RUN.taken:,} tokens taken out of it.\n"
    assert told in report(outcome_of(tmp_path))


def test_and_nothing_where_it_was_not(tmp_path: Path) -> None:
    whole = replace(outcome_of(tmp_path), state=fold((Objective("do it"), *LOOKED)))
    file = io.StringIO()
    print_summary(whole, Console(file=file, width=80))
    assert "compressed" not in file.getvalue() + report(whole)


def test_a_window_of_the_last_steps_does_not_count() -> None:
    state = fold((Objective("do it"), *LOOKED, Event("shelved", "steps=1 stage=history")))
    assert (state.compressed, state.taken) == (set(), 0)
