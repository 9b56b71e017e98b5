"""A run of a profile that mends nothing."""

from pathlib import Path
from typing import Any

from replies import DONE

FENCED = "```\nThought: look\nAction: run\nAction Input: pwd\n```"


def test_a_reply_that_had_to_be_mended_is_told_so(desk: Any, tmp_path: Path) -> None:
    strict = tmp_path / "strict.cfg"
    strict.write_text("[profile]\nbased on = issue\ngate = off\nrepair = no\n")
    outcome = desk.solve(FENCED, DONE, profile=str(strict))
    first = outcome.state.steps[0].seen.text.split("\n")[0]
    assert first == (
        "Your reply could not be read: it is not in the format (the fence around the reply was "
        "removed). It began:"
    )
    mended = desk.solve(FENCED, DONE).state.steps[0]
    assert mended.said.turn.action == "run"
