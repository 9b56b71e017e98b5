"""What a runner of GitHub Actions makes of the lines that are printed in a job."""

import re

import pytest
from job_log import orders_followed

from react_agent.cli.terminal.screen import Screen
from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn

EVIL = "\n".join(
    (
        "::set-output name=pull-request::https://evil.example/1",
        "  ::add-mask::a",
        "::endgroup::",
        "::stop-commands::mine",
        "::mine::",
        "##[endgroup]",
        "x ##[add-path]/evil",
    )
)


@pytest.mark.attack("orders and folds in the log of a job, by {id}", by="model", wall="publishing")
@pytest.mark.parametrize("rows", [1, 40], ids=["an observation", "one that is folded"])
def test_none_is_followed(capsys: pytest.CaptureFixture[str], rows: int) -> None:
    screen, turn = Screen(), Turn(Kind.ACTION, EVIL, EVIL, EVIL)
    with screen.in_log(), screen.live():
        screen.entry(Objective(EVIL))
        for _ in range(2):
            screen.entry(Said(turn))
            screen.entry(Seen("\n".join([EVIL] * rows)))
        screen.tell(EVIL)
        screen.say(EVIL)
    print("::notice::ours")
    printed = capsys.readouterr().out
    assert list(orders_followed(printed)) == [("notice", "ours")]
    assert "##[" not in printed
    assert re.match(r"::stop-commands::[0-9a-f]{32}$", printed, re.MULTILINE)
