"""Attempts that came to this and that, as an experiment has them."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.text import Text

from react_agent.cli.terminal.screen import console
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.summary import Line
from react_agent.eval.task import PLAIN, Key, Kind, Record, Used, Verdict
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn

BARE = "no-hidden"
VERDICTS: Mapping[Kind, Verdict] = {
    Kind.TESTS_FAIL: Verdict.UNRESOLVED,
    Kind.STUCK: Verdict.NO_PATCH,
    Kind.ENDPOINT: Verdict.CRASHED,
}
REASONS: Mapping[Kind, str] = {
    Kind.TESTS_FAIL: "1 of 3 tests still fails: tests/test_units.py::test_long_names[minutes]",
    Kind.STUCK: "the same grep 5 times\x1b[2J",
    Kind.ENDPOINT: "503 Service Unavailable",
}


def record(
    instance: str, number: int = 1, arm: str = PLAIN, kind: Kind | None = None, **used: object
) -> Record:
    """`kind`: why it is not resolved."""
    return Record(
        Key(instance, arm, number),
        repo=f"demo/{instance.split('-')[0]}",
        verdict=VERDICTS[kind] if kind else Verdict.RESOLVED,
        kind=kind or "",
        step=2 if kind in (Kind.TESTS_FAIL, Kind.STUCK) else 0,
        reason=REASONS[kind] if kind else "",
        is_infrastructure=kind is Kind.ENDPOINT,
        stop="" if kind is Kind.ENDPOINT else "stuck" if kind is Kind.STUCK else "concluded",
        used=USED if not used else Used(**used),  # type: ignore[arg-type]
    )


USED = Used(
    steps=10,
    prompt_tokens=40_000,
    reply_tokens=1_000,
    cached=30_000,
    cost=0.05,
    seconds=60,
    calls={"read_file": 6, "grep": 3},
    failed={"grep": 1},
    hidden={"cat alias": 2},
    wishes={"web_search": 1},
    repairs=1,
    parts={"instructions": 1_000, "observations": 3_000},
)


def experiment(folder: Path | None = None) -> Experiment:
    """Two arms, four instances."""
    plain = [
        record("clock-1"),
        record("clock-2"),
        record("ledger-1"),
        record("ledger-2", kind=Kind.TESTS_FAIL),
    ]
    bare = [
        record("clock-1", arm=BARE, steps=20, prompt_tokens=60_000, reply_tokens=1_500, cost=None),
        record("clock-2", arm=BARE, kind=Kind.TESTS_FAIL),
        record("ledger-1", arm=BARE, kind=Kind.STUCK),
        record("ledger-2", arm=BARE, kind=Kind.ENDPOINT, steps=0),
    ]
    about = {"set": "bundled", "react-agent": "0.1.0"}
    ways = {PLAIN: "openai/gpt-6", BARE: "openai/gpt-6, without hidden"}
    return Experiment("trial", (*plain, *bare), about, ways, folder, waiting=1)


def transcript(steps: int) -> str:
    """Each step begins three lines further down, the first in line 5."""
    entries: list[Entry] = [Event(HEADER, VERSION), Objective("Fix it,\nplease")]
    for _ in range(steps):
        turn = Turn(TurnKind.ACTION, thought="Look.", action="grep", input="LONG_NAMES")
        entries += [Said(turn), Seen("nothing"), Event("hint", "look elsewhere")]
    return write_transcript(entries)


def printed(lines: Iterable[Line], columns: int = 80) -> str:
    out = io.StringIO()
    screen = console(out)
    screen.width = columns
    for line in lines:
        screen.print(line, soft_wrap=isinstance(line, Text))
    return out.getvalue()
