"""A terminal gets text and colours, whatever a run, a repository or a name on the way holds."""

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from react_agent.cli.terminal.screen import console
from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn

EVIL = (
    "evil\x1b[2J\x1b]0;title\x07\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\\x1b]52;c;ZXZpbA==\x07"
    "\x1bP1$r\x1b\\\x9b2J\x9d0;t\x9c\x08\x0b\x0c\x7f\u202eagain\u2066\u200b\u200f\U000e0041"
    "e" + "\u0301" * 40 + "x\ufe0f\ufe01\rover[red]written[/red]"
)
OURS = r"\x1b\[(?:(?:\d+;?)*m|\?(?:25|7)[lh]|\d+A|J)|\r"  # colours; rows that count
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200f\u202a-\u202e\u2066\U000e0041\ufe01]")


@pytest.fixture
def hostile_run(cli: Any) -> str:
    """Every text of it."""
    folder = Path(os.environ["XDG_STATE_HOME"], "react-agent", "runs", "2026-01-01-evil-abcd")
    folder.mkdir(parents=True)
    turn = Turn(Kind.ACTION, EVIL, "grep", EVIL, repairs=(EVIL,))
    wrong = Turn(Kind.MALFORMED, EVIL, problem=EVIL)
    entries = [
        Event(HEADER, VERSION),
        Event("run", EVIL),
        Event("model", EVIL),
        Objective(f"{EVIL}\n{EVIL}"),
        Said(turn, EVIL, {"n": "1", "in": "9", "out": "9"}),
        Seen(f"{EVIL}\n{EVIL}", {"n": "1", "how": "wish", "tool": EVIL, "paths": EVIL}),
        Said(wrong, EVIL, {"n": "2"}),
        Seen(EVIL, {"n": "2", "status": "failed"}),
        *(Event(name, EVIL) for name in ("stuck", "hint", "demote", "note", "torn", "overflow")),
        Said(Turn(Kind.CONCLUSION, EVIL, conclusion=EVIL)),
        Event("stop", f"gave_up {EVIL}"),
    ]
    (folder / "transcript.txt").write_text(write_transcript(entries))
    return folder.name


COMMANDS = [
    pytest.param(("show", "{run}"), id="show"),
    pytest.param(("show", "{run}", "--full"), id="show --full"),
    pytest.param(("show", "{run}", "--raw"), id="show --raw"),
    pytest.param(("show", "{run}", "--only", "errors"), id="show --only"),
    pytest.param(("show", "{run}", "--step", "2"), id="show --step"),
    pytest.param(("inspect", "wishes", "{run}"), id="wishes"),
    pytest.param(("audit", "{run}"), id="audit"),
    pytest.param(("resume", "{run}"), id="resume"),
    pytest.param(("show", EVIL), id="a name that there is not"),
    pytest.param(("inspect", "tools", "why", EVIL), id="a tool that there is not"),
]


@pytest.mark.slow
@pytest.mark.attack("escapes, links, a clipboard, overwriting: {id}", by="model", wall="escaping")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_terminal_obeys_nothing(cli: Any, hostile_run: str, words: tuple[str, ...]) -> None:
    given = [word.replace("{run}", hostile_run) for word in words]
    _, sent = cli.on_terminal(*given, env={"PAGER": "cat"})
    text = re.sub(OURS, "", sent.replace("\r\n", "\n"))
    assert "evil" in text
    assert UNSEEN.findall(text) == []
    assert "\u0301" * 6 not in text


def test_the_last_door_is_shut_whoever_forgot_to() -> None:
    file = io.StringIO()
    console(file).print(Text(f"a{EVIL}", style="bold"), EVIL, Text("<U+001B>"), soft_wrap=True)
    assert UNSEEN.findall(file.getvalue()) == []
    assert "aevil<U+001B>[2J" in file.getvalue()
    assert file.getvalue().endswith(" <U+001B>\n")
