"""What a runner of GitHub Actions makes of the lines that are printed in a job."""

import re

import pytest
from job_log import orders_followed

from react_agent.cli.terminal.screen import RunnerLog, Screen
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
def test_only_ours_are_followed(capsys: pytest.CaptureFixture[str], rows: int) -> None:
    screen, turn = Screen(), Turn(Kind.ACTION, EVIL, EVIL, EVIL)
    with screen.in_log(RunnerLog()), screen.live():
        screen.entry(Objective(EVIL))
        for _ in range(2):
            screen.entry(Said(turn))
            screen.entry(Seen("\n".join([EVIL] * rows)))
        screen.tell(EVIL)
        screen.say(EVIL)
    print("::notice::ours")
    printed = capsys.readouterr().out
    fold = [("group", "Observation: 280 lines, 5.9 kB"), ("endgroup", "")] if rows > 1 else []
    assert list(orders_followed(printed)) == [*fold, *fold, ("notice", "ours")]
    assert "##[" not in printed
    words = re.findall(r"^::stop-commands::([0-9a-f]{32})$", printed, re.MULTILINE)
    assert len(set(words)) == len(words) == 1 + 2 * len(fold)


def test_a_long_observation_is_folded_and_has_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    with screen.in_log(RunnerLog()):
        screen.entry(Seen("\n".join(map(str, range(500)))))
    lines = [line for line in capsys.readouterr().out.split("\n") if not line.startswith("::")]
    assert lines[-2:] == ["%% 400 more lines (500 lines, 1.9 kB)", ""]
    assert len(lines) == 102
