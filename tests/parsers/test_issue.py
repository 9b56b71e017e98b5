import re

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.title import slug_of, title_of


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
