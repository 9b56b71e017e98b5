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
    [
        pytest.param("It is `so`, a < b.", "It is `so`, a < b.", id="words stay"),
        pytest.param("- one\n- **two**", "- one\n- **two**", id="marks stay"),
        pytest.param("thanks @octo-cat and @a/team", "thanks `@octo-cat` and `@a/team`", id="call"),
        pytest.param("a@example.org `@wraps` x@y", "a@example.org `@wraps` x@y", id="no call"),
        pytest.param("Fixes #99, closes o/r#3", "about #99, about o/r#3", id="another issue"),
        pytest.param("Fixes #12", "Fixes #12", id="its own issue"),
        pytest.param("Fixes #12, #99", "about #12, #99", id="its own and another"),
        pytest.param(
            "fixes: https://x.org/a/issues/9", "about: https://x.org/a/issues/9", id="url"
        ),
        pytest.param("<script>x</script>", "&lt;script>x&lt;/script>", id="html"),
        pytest.param("<!-- x", "&lt;!-- x", id="comment"),
        pytest.param("`<b>` and <b>", "`<b>` and &lt;b>", id="code stays"),
        pytest.param("![x](https://a.b/c.png)", "[x](https://a.b/c.png)", id="picture"),
        pytest.param("# Title\n## Two", "\\# Title\n\\## Two", id="heading"),
        pytest.param("#12 is it", "#12 is it", id="a number is no heading"),
        pytest.param(
            "/merge\n  /close now\n/usr/bin/x", "\\/merge\n  \\/close now\n/usr/bin/x", id="/"
        ),
        pytest.param("so\n```py\n@x\n<b>", "so\n```py\n@x\n<b>\n```", id="an open fence is closed"),
        pytest.param("~~~\na\n~~~\n<b>", "~~~\na\n~~~\n&lt;b>", id="another fence"),
        pytest.param("````\n```\n<b>\n````\n<b>", "````\n```\n<b>\n````\n&lt;b>", id="longer"),
        pytest.param(
            "_@a_ \\@b w@@c @d` /@e", "_`@a_` `@b` w@`@c` `@d`\\` /`@e`", id="hidden calls"
        ),
        pytest.param("&#64;a Fixes&nbsp;#9", "&amp;#64;a Fixes&amp;nbsp;#9", id="entities"),
        pytest.param("https://x.org/@a/b `c`@d", "https://x.org/@a/b `c` `@d`", id="address"),
        pytest.param("a ` b\n` @c ` d", "a \\` b\n` @c ` d", id="code is within a line"),
        pytest.param("`` @a `", "\\`\\` `@a` \\`", id="no code"),
        pytest.param("- a\n  ```\n@b", "- a\n```\n@b\n```", id="a fence in a list"),
        pytest.param("fixes [skip [skip ci]ci]#99", "about #99", id="an order in an order"),
        pytest.param(
            "_fixes **#99**_, reopens issues #9", "_about **#99**_, about issues #9", id="bold"
        ),
        pytest.param("/remove-label a", "\\/remove-label a", id="an order with a dash"),
        pytest.param("!![a](b)", "[a](b)", id="two marks"),
        pytest.param("[//]: # (x)", "[//\\]: # (x)", id="a comment that no reader sees"),
        pytest.param("[^1]: x `a[0]:`", "[^1\\]: x `a[0]:`", id="a note that nothing refers to"),
        pytest.param("[a](b): c", "[a](b): c", id="a link before a colon"),
        pytest.param("``` words\nx\n```", "```words\nx\n```", id="a language"),
        pytest.param("``` two words\nx\n```", "```\nx\n```", id="words behind a fence"),
        pytest.param("a \x1b[0m \u202e", "a <U+001B>[0m <U+202E>", id="what nobody sees"),
    ],
)
def test_prose(text: str, expected: str) -> None:
    assert prose(text, 12).replace("&lt;U+", "<U+") == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("a\n</details>", "```text\na\n</details>\n```", id="short"),
        pytest.param("```\n# x", "````text\n```\n# x\n````", id="a fence in it"),
        pytest.param("`````", "``````text\n`````\n``````", id="a long one"),
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
    *(
        "`",
        "``",
        "```",
        "~~~",
        "\\",
        "\n",
        "\n\n",
        "\n  ",
        "\n    ",
        " ",
        "- ",
        "> ",
        "1. ",
        "_",
        "*",
    ),
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
