"""What the action and the page about CI say, as data; tests that ask are marked `checkout`."""

import re
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")


def read_yaml(text: str) -> Any:
    """Every value as it is written: `on` is a word, not a truth."""
    return yaml.load(text, Loader=yaml.BaseLoader)


@cache
def action() -> Any:
    return read_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))


def steps() -> Any:
    return action()["runs"]["steps"]


def inputs() -> Any:
    return action()["inputs"]


@cache
def page() -> str:
    return (ROOT / "docs/hook.md").read_text(encoding="utf-8").partition("\n## CI\n")[2]


def workflow() -> str:
    return _blocks()[0]


def gitlab() -> str:
    return _blocks()[1]


def review() -> str:
    return _blocks()[2]


@cache
def _blocks() -> list[str]:
    found = re.findall(r"(?:(?:    .*)?\n)+", f"\n{page()}")
    return [textwrap.dedent(block).strip("\n") + "\n" for block in found if block.strip()]
