"""The page of all commands, and what shells know of them, are what they say of themselves."""

import re
from pathlib import Path

import pytest
from cli_page import Help, cli_page, read_help
from command_table import command_table

from react_agent.cli.complete import write_table
from react_agent.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
HELP = """\
Usage: x [OPTIONS] FILE

  One sentence, that
  goes on.

  Example:
    x a |
      y

Arguments:
  FILE  a text

Options:
  --long-name VALUE
                 what it is,
                 in two lines  [default: 1]
  -h, --help     Show this message and exit.
"""


def test_the_page_has_every_command() -> None:
    page = cli_page()
    assert set(re.findall(r"(?m)^## react-agent ([\w-]+)$", page)) == set(COMMANDS)
    assert "| `--base REV` | where to start" in page
    assert "## react-agent eval run\n" in page


@pytest.mark.checkout
def test_the_words_that_shells_complete_are_current() -> None:
    table = (ROOT / "react_agent/cli/commands.txt").read_text(encoding="utf-8")
    assert write_table(command_table()) == table, "run: ./dev tables"


def test_reads_a_help() -> None:
    assert read_help(HELP) == Help(
        "x [OPTIONS] FILE",
        ["One sentence, that goes on."],
        [("Example:", "x a |\n  y")],
        {
            "Arguments": [("FILE", "a text")],
            "Options": [
                ("--long-name VALUE", "what it is, in two lines  [default: 1]"),
                ("-h, --help", "Show this message and exit."),
            ],
        },
    )
