"""The schema as it is documented."""

import re
import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest

from react_agent.eval import store
from react_agent.eval.store.database import VERSION
from react_agent.eval.task import Kind

PAGE = Path(__file__).parents[3] / "docs/experiments.md"


@pytest.mark.checkout
def test_every_table_is_documented() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(files(store).joinpath("schema.sql").read_text(encoding="utf-8"))
    query = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    found = {name for (name,) in database.execute(query)}
    database.close()
    text = PAGE.read_text(encoding="utf-8").partition("## The tables")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == found
    assert f"schema version, currently {VERSION}." in text


@pytest.mark.checkout
def test_every_kind_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Why")[2].partition("\n## ")[0]
    assert [
        kind.value for kind in Kind if kind.value not in text and not kind.is_infrastructure
    ] == []
