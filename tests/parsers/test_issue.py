import re

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.title import slug_of, title_of


@table_of(
    ("text", "title"),
    [
        pytest.param("\n  \n---\nCrash\n", "Crash", id="first line with words"),
        pytest.param("# Crash #1 in C#\n", "Crash #1 in C#", id="heading"),
        pytest.param("x" * 70 + " yy", "x" * 70 + "…", id="cut at a blank"),
    ],
)
def test_finds_the_title(text: str, title: str) -> None:
    assert title_of(text) == title


@table_of(
    ("title", "slug"),
    [
        pytest.param("日本語", "issue", id="no ASCII letters"),
        pytest.param("a" * 40, "a" * 32, id="one long word"),
    ],
)
def test_makes_a_name_of_it(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text(st.characters()))
def test_a_title_is_one_short_line_fit_for_a_terminal(text: str) -> None:
    title = title_of(text)
    assert len(title) <= 72
    assert title.isprintable() or not title.isascii()
    assert len(title.splitlines()) <= 1


@given(st.text(st.characters()))
def test_a_slug_is_fit_for_a_branch(title: str) -> None:
    slug = slug_of(title)
    assert len(slug) <= 32
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
