"""The page of exit codes has those that there are, and a line that is really said."""

import inspect
import re
from collections.abc import Mapping

import pytest
from code_blocks import text_of

from react_agent.cli.commands import COMMANDS
from react_agent.cli.group import Command, load
from react_agent.cli.main import INTERRUPTED, main
from react_agent.eval.cli.group import COMMANDS as OF_EVAL
from react_agent.tools.errors import MachineError, ReactAgentError

pytestmark = pytest.mark.checkout

PAGE = text_of("docs/settings.md")


def test_every_code_is_there() -> None:
    codes = {0, 1, ReactAgentError.exit_code, MachineError.exit_code, INTERRUPTED}
    assert {int(code) for code in re.findall(r"(?m)^\| (\d+) \|", PAGE)} == codes


@pytest.mark.parametrize(
    ("group", "commands"), [("", COMMANDS), ("eval ", OF_EVAL)], ids=["agent", "eval"]
)
def test_every_command_that_may_end_otherwise_is_there(
    group: str, commands: Mapping[str, Command]
) -> None:
    names = []
    for name, one in commands.items():
        if name == "repair":  # it has no function that typer calls
            continue
        found = load(one)
        if inspect.isfunction(found) and (
            found.__annotations__.get("return") is int or "Exit(" in inspect.getsource(found)
        ):
            names.append(f"{group}{name}")
    assert len(names) > 4
    assert [name for name in (*names, "runs prune") if f"`{name}" not in PAGE] == []


def test_the_line_on_the_page_is_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "nosuch"])
    assert ended.value.code == ReactAgentError.exit_code
    assert f"\n    {capsys.readouterr().err}\n" in PAGE
