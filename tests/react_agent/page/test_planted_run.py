"""What the planted run has to hold, so that a page of it has everything to show."""

from pathlib import Path

import pytest
from planted_run import planted_run

from react_agent.parsers.transcript.entries import Event
from react_agent.state.state import fold
from react_agent.state.steps import COMPRESSED, CONDENSED, RETRACTED
from react_agent.state.stop import Stop
from react_agent.state.transcript import NAME, read

pytestmark = pytest.mark.slow


def test_everything_happens_in_it(tmp_path: Path) -> None:
    run = planted_run(tmp_path, 75)
    entries = read(run / NAME).entries
    names = {entry.name for entry in entries if isinstance(entry, Event)}
    state = fold(entries)
    assert {COMPRESSED, CONDENSED, RETRACTED, "recalled", "asked"} <= names
    assert {step.seen.facts.get("how") for step in state.steps} >= {"alias", "redirect"}
    assert {step.status for step in state.steps} >= {"ok", "failed"}
    assert any(step.said.turn.repairs for step in state.steps)
    assert any("mended" in step.seen.facts for step in state.steps)
    assert any(step.said.turn.problem for step in state.steps)
    assert (state.stop, len(state.steps) > 75) == (Stop.CONCLUDED, True)
    assert [one.name for one in sorted(run.glob("sub/*"))] == ["038"]
