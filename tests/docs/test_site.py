"""The site has every page, in the order in which its index lists them, and asks no other host."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BESIDE = {"../README.md", "../CHANGELOG.md", "../CONTRIBUTING.md", "../tests/scenarios/README.md"}


def _listed() -> list[str]:
    """The pages of docs/index.md, as mkdocs.yml calls them."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    found = re.findall(r"(?m)^- \[[^]]+\]\(([^)#]+)\)", index)
    return [name for name in found if name not in BESIDE]


def _in_nav() -> Iterator[str]:
    _, nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")
    yield from re.findall(r"(?m)^ +- (?:[\w ]+: )?([\w-]+\.md)$", nav)


def test_every_page_is_listed_once() -> None:
    pages = sorted(path.name for path in DOCS.glob("*.md") if path.name != "index.md")
    assert sorted(_listed()) == pages


def test_the_site_has_the_order_of_its_index() -> None:
    beside = ["readme.md", "changelog.md", "contributing.md", "scenarios.md"]
    assert list(_in_nav()) == ["index.md", *_listed(), "cli.md", "batteries.md", *beside]
