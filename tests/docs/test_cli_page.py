"""The page of all commands is what they say of themselves."""

import re
from pathlib import Path

from cli_page import Help, cli_page, read_help

from react_agent.cli.commands import COMMANDS

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
