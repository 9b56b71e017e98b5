"""Words on a page at a forge: they stay words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from react_agent.parsers.forge.safe_markdown import prose

MENTION = re.compile(r"(?<![A-Za-z0-9])@[a-z]")
ATOMS = (
    *("`", "``", "```", "~~~", "\\", "\n", "\n\n", "\n  ", "\n    "),
    *(" ", "- ", "> ", "1. ", "_", "*"),
    *("@eve", "@", "&#64;eve", "<b>", "<!--", "-->", "![", "](x)", "!", "#", "/close", "[skip ci]"),
    *("fixes #99", "fixes ", "#99", "&nbsp;", "https://x.y/@", "a"),
    *("[a", "]: ", "]:\n", "[//]: # (a)", "[^1]: a", "```a b\n"),
)


@pytest.mark.attack("calls, orders, HTML and pictures on a page", by="model", wall="publishing")
@given(st.lists(st.sampled_from(ATOMS), max_size=12).map("".join))
def test_nothing_on_a_page_is_an_order(text: str) -> None:
    """As a reader of Markdown has it, who knows what is code."""
    page = re.sub(r"(?<![^\s(])https://x\.y/@[\w-]+", "a link", prose(text, 12))
    read: dict[str, object] = {}
    tokens = MarkdownIt("commonmark", {"html": True}).parse(page, read)
    assert not read.get("references")  # no reader sees them
    assert not any(" " in token.info for token in tokens if token.type == "fence")
    inner = [one for token in tokens for one in (token, *(token.children or ()))]
    kinds = {one.type for one in inner}
    assert not kinds & {"html_block", "html_inline", "image"}
    words = [one.content for one in inner if one.type == "text"]
    assert [word for word in words if MENTION.search(word)] == []
    plain = "\n".join(word for word in words)
    assert not re.search(r"(?<![A-Za-z0-9])fixes:?\s+[#!]\d", plain)
    assert not re.search(r"^\s*/close(\s|$)", page if "fence" not in kinds else "", re.MULTILINE)
