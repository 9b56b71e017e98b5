"""The page of exit codes has those that there are, and a line that is really said."""

import re
from pathlib import Path

import pytest
from code_blocks import text_of

from react_agent.cli.main import INTERRUPTED, main
from react_agent.tools.errors import MachineError, ReactAgentError

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parents[2]
PAGE = text_of("docs/exit-codes.md")
CALLED = {"runs_pruned": "runs prune", "make_set": "make-set"}


def test_every_code_is_there() -> None:
    codes = {0, 1, ReactAgentError.exit_code, MachineError.exit_code, INTERRUPTED}
    assert {int(code) for code in re.findall(r"(?m)^\| (\d+) \|", PAGE)} == codes


@pytest.mark.parametrize(
    ("folder", "group"), [("react_agent/cli", ""), ("eval/cli", "eval ")], ids=["agent", "eval"]
)
def test_every_command_that_may_end_otherwise_is_there(folder: str, group: str) -> None:
    paths = (ROOT / folder).glob("*.py")
    modules = {path.stem for path in paths if "typer.Exit(" in path.read_text(encoding="utf-8")}
    names = [f"{group}{CALLED.get(module, module)}" for module in modules - {"group"}]
    assert [name for name in names if f"`{name}" not in PAGE] == []


def test_the_line_on_the_page_is_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "nosuch"])
    assert ended.value.code == ReactAgentError.exit_code
    assert f"\n    {capsys.readouterr().err}\n" in PAGE
