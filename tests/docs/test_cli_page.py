"""The page of all commands is what they say of themselves."""

from pathlib import Path

import pytest
from cli_page import Help, cli_page, read_help

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


@pytest.mark.checkout
def test_the_page_is_current() -> None:
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    assert cli_page() == page, "run: ./dev tables"


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
