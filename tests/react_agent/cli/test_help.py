"""The help of every command, and what it costs to ask for it."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.cli.commands import COMMANDS
from react_agent.gone import COMMANDS as GONE
from react_agent.gone import OPTIONS

ASK = """
import contextlib, sys
from react_agent.cli.main import main
for words in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        main(words.split())
print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
print(*(name for name in sys.modules if name.startswith("react_agent.")), file=sys.stderr)
"""


SLOW = {"anthropic", "openai", "pydantic", "git", "unidiff"}


def test_the_top_level_help_names_every_command(cli: Any) -> None:
    out = cli("--help").ends_well()
    width = max(map(len, COMMANDS)) + 2
    for name, one in COMMANDS.items():
        assert f"  {name:<{width}}{one.about}\n" in out
    for code in ("0", "1", "2", "3", "130"):
        assert f"\n    {code:<5}" in out


def test_no_command_is_an_error_that_helps(cli: Any) -> None:
    answer = cli()
    assert (answer.code, answer.out) == (2, cli("--help").out)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_reads_well_on_eighty_columns(
    cli: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = cli(*command.split(), "--help").ends_well()
    assert cli(*command.split(), "-h").ends_well() == out
    assert out.startswith(f"Usage: react-agent {command}".rstrip())
    assert f"\n  Example:\n    react-agent {command}".rstrip() in out
    assert [line for line in out.split("\n") if len(line) > 80] == []
    for ugly in ("{", "<", "TEXT", "PATH  ", "INTEGER"):
        assert ugly not in out


def test_names_its_arguments(cli: Any) -> None:
    out = cli("show", "--help").out
    assert out.startswith("Usage: react-agent show [OPTIONS] RUN [STEP]\n")
    assert re.search(r"\n  RUN +\w.*\n  (?: .*\n  )*STEP +\w", out)


def test_the_version(cli: Any) -> None:
    answer = cli("--version")
    assert (answer.code, answer.out) == (0, f"{importlib.metadata.version('react-agent')}\n")


def _loaded(*commands: str) -> tuple[set[str], set[str]]:
    """By a process that runs them: the roots of all modules, and the names of ours."""
    argv = [sys.executable, "-P", "-c", ASK, *commands]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    *_, roots, ours = (set(line.split()) for line in done.stderr.splitlines())
    return roots, ours


def test_the_help_loads_nothing_that_does_the_work() -> None:
    roots, ours = _loaded("--help", "solve --help", "runs --help", "inspect tools --help")
    assert {*SLOW, "rich", "regex"} & roots == set()
    rooms = {name.split(".")[1] for name in ours}
    assert rooms == {"cli", "errors", "gone", "parsers", "tools"}
    assert "react_agent.tools.disk" not in ours


def test_a_command_that_asks_no_model_loads_nothing_that_only_models_need(tmp_path: Path) -> None:
    roots, ours = _loaded(f"show {tmp_path}")
    assert "react_agent.cli.reading.show" in ours
    assert SLOW & roots == set()


def test_the_filter_loads_no_sdk_and_no_typer(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("nothing")
    roots, _ = _loaded(f"repair {tmp_path}/p")
    assert roots & {*SLOW, "typer", "rich", "regex", "argparse"} == set()


@table_of("name", list(GONE))
def test_a_command_by_its_old_name_says_the_new_one(cli: Any, name: str) -> None:
    now = cli(*GONE[name].split(), "--help")
    answer = cli(name, "--help")
    assert (answer.code, answer.out) == (0, now.out)
    assert answer.err == f"react-agent {name} is now called react-agent {GONE[name]}\n"


@table_of("line", ["solve x --keep", "show x --tokens", "page x --serve", "repair --explain x"])
def test_an_option_that_is_gone_says_what_to_do(cli: Any, line: str) -> None:
    code, said = cli.refused(*line.split())
    command, option = line.split()[0], next(word for word in line.split() if word[0] == "-")
    name = option if option in OPTIONS else f"{command} {option}"
    assert (code, said) == (2, f"{name} is gone: {OPTIONS[name]}")
