"""The page of exit codes has those that there are, and a line that is really said."""

import re
from pathlib import Path

import pytest

from react_agent.cli.main import INTERRUPTED, main
from react_agent.tools.errors import MachineError, ReactAgentError

pytestmark = pytest.mark.checkout

PAGE = (Path(__file__).parents[2] / "docs/exit-codes.md").read_text(encoding="utf-8")


def test_every_code_is_there() -> None:
    codes = {0, 1, ReactAgentError.exit_code, MachineError.exit_code, INTERRUPTED}
    assert {int(code) for code in re.findall(r"(?m)^\| (\d+) \|", PAGE)} == codes


def test_the_line_on_the_page_is_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "nosuch"])
    assert ended.value.code == ReactAgentError.exit_code
    assert f"\n    {capsys.readouterr().err}\n" in PAGE
