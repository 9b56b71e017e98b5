from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.html_text import Page, html_text

LONG = "word " * 60
ALPHABET = ["<", ">", "/", "!", "-", "--", "=", "'", '"', " ", "a", "p", "pre", "<p hidden>",
            "</p>", "<td>", "<ul><li>", "</ul>", "<script>", "</script>", "&lt;", "&", "<!--",
            "href", "main"]  # fmt: skip


@table_of(
    ("html", "expected"),
    {
        "headings, paragraphs": ("<h2>A</h2>b<p>c<p>d", "## A\n\nb\n\nc\n\nd"),
        "blanks, entities": ("a\n  b<br>c&amp;&nbsp;d &#60;e>", "a b\nc& d <e>"),
        "lists, not closed": ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "- a\n  - b\n- c\n\nd"),
        "table": ("<table><tr><th>a<th>b<tr><td><p>1</p><td>2<br>3</table>", "a | b\n1 | 2 3"),
        "pre": ("a<pre>\n  x  <b>&lt;</b> y\n\n    z\n</pre>b", "a\n\n  x  < y\n\n    z\n\nb"),
        "links, once each": (
            '<a href="/b?c=1&amp;d=2#e">f</a> <a href="b?c=1&d=2">g</a> <a href="#h">i</a>'
            '<a href="javascript:j">k</a><a href="http://[">l</a>',
            "f <https://example.org/b?c=1&d=2> g ikl",
        ),
        "script, style": ("<script>if (a<b) '</p>'</script>a<style>b</style>", "a"),
        "comment, declarations": ("a<!-- <p>b --->c<!doctype x><?y?>d", "acd"),
        "what nobody sees": (
            "a<p hidden>1<p>b<div style='display : none'>2<p>3</div><i aria-hidden='true'>4</i>"
            "<b style=\"color:red;visibility:hidden\">5</b><b style='opacity:0.5'>c</b>"
            "<b style='font-size:0'>6</b><template>7</template>",
            "a\n\nb\n\nc",
        ),
        "no main part: all of it": ("<nav>a</nav><form>b</form>c", "a\nb\nc"),
        "the main part": (
            f"<nav>1</nav><h1>2</h1><main><nav>3</nav>{LONG}<form>4</form></main><footer>5",
            LONG.strip(),
        ),
        "articles": (
            f"<nav>1</nav><article>{LONG}</article><article>b</article>2",
            f"{LONG.strip()}\nb",
        ),
        "a main part without text": ("<main></main><div>app</div>", "app"),
        "image": ("a<img alt='b \"c\"' src=d>e", 'a [image: b "c"] e'),
        "a sign in a value, case": ("<p title='a > b'>c</p x><P>d</P>", "c\n\nd"),
        "a tag that never ends": ("a<p b='c'd", "a"),
        "a quote that never ends": ("a<p b='c>d", "a\n\nd"),
        "signs that begin nothing": ("a < b && c <3 <", "a < b && c <3 <"),
    },
)
def test_reads(html: str, expected: str) -> None:
    assert html_text(html, "https://example.org/a").text == expected


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
