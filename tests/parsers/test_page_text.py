"""Words on a page at a forge: they stay words."""

import re

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from react_agent.parsers.forge.safe_markdown import code, fenced, prose


@table_of(
    ("text", "expected"),
    {
        "call": ("thanks @octo-cat and @a/team", "thanks `@octo-cat` and `@a/team`"),
        "no call": ("a@example.org `@wraps` x@y", "a@example.org `@wraps` x@y"),
        "another issue": ("Fixes #99, closes o/r#3", "about #99, about o/r#3"),
        "its own and another": ("Fixes #12, #99", "about #12, #99"),
        "url": ("fixes: https://x.org/a/issues/9", "about: https://x.org/a/issues/9"),
        "html": ("<script>x</script>", "&lt;script>x&lt;/script>"),
        "code stays": ("`<b>` and <b>", "`<b>` and &lt;b>"),
        "picture": ("![x](https://a.b/c.png)", "[x](https://a.b/c.png)"),
        "heading": ("# Title\n## Two", "\\# Title\n\\## Two"),
        "/": ("/merge\n  /close now\n/usr/bin/x", "\\/merge\n  \\/close now\n/usr/bin/x"),
        "an open fence is closed": ("so\n```py\n@x\n<b>", "so\n```py\n@x\n<b>\n```"),
        "hidden calls": ("_@a_ \\@b w@@c @d` /@e", "_`@a_` `@b` w@`@c` `@d`\\` /`@e`"),
        "entities": ("&#64;a Fixes&nbsp;#9", "&amp;#64;a Fixes&amp;nbsp;#9"),
        "address": ("https://x.org/@a/b `c`@d", "https://x.org/@a/b `c` `@d`"),
        "no code": ("`` @a `", "\\`\\` `@a` \\`"),
        "a fence in a list": ("- a\n  ```\n@b", "- a\n```\n@b\n```"),
        "an order in an order": ("fixes [skip [skip ci]ci]#99", "about #99"),
        "bold": ("_fixes **#99**_, reopens issues #9", "_about **#99**_, about issues #9"),
        "a comment that no reader sees": ("[//]: # (x)", "[//\\]: # (x)"),
        "a note that nothing refers to": ("[^1]: x `a[0]:`", "[^1\\]: x `a[0]:`"),
        "a language": ("``` words\nx\n```", "```words\nx\n```"),
        "what nobody sees": ("a \x1b[0m \u202e", "a <U+001B>[0m <U+202E>"),
    },
)
def test_prose(text: str, expected: str) -> None:
    assert prose(text, 12).replace("&lt;U+", "<U+") == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("a\n</details>", "```text\na\n</details>\n```", id="short"),
        pytest.param("```\n# x", "````text\n```\n# x\n````", id="a fence in it"),
    ],
)
def test_a_block_is_not_ended_from_within(text: str, expected: str) -> None:
    assert fenced(text) == expected


@table_of(
    ("text", "expected"),
    [("a b", "`a b`"), ("a `b`", "`` a `b` ``"), ("a\nb", "`a b`"), ("``", "``` `` ```")],
)
def test_a_span_of_code(text: str, expected: str) -> None:
    assert code(text) == expected


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
