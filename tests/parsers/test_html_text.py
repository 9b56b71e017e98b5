from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.html_text import Page, html_text

ALPHABET = ["<", ">", "/", "!", "-", "--", "=", "'", '"', " ", "a", "p", "pre", "<p hidden>",
            "</p>", "<td>", "<ul><li>", "</ul>", "<script>", "</script>", "&lt;", "&", "<!--",
            "href", "main"]  # fmt: skip


def test_a_title_is_no_text() -> None:
    assert html_text("<title>\n A &amp;\n B</title><p>c") == Page("A & B", "c")


def test_only_so_many_links_are_shown() -> None:
    html = "".join(f"<a href=http://example.org/{number}>x</a> " for number in range(50))
    assert html_text(html).text.count("<http") == 40


@given(st.lists(st.sampled_from(ALPHABET)).map("".join) | st.text())
def test_any_text_is_a_page(html: str) -> None:
    page = html_text(html, html)
    assert len(page.text) <= 8 * len(html) + 100


@given(st.text(st.characters(codec="utf-8", exclude_characters="<>&\r"), max_size=200))
def test_words_are_kept(text: str) -> None:
    assert html_text(f"<div>{text}</div>").text.split() == text.split() or "|" in text
