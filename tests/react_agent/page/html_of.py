"""HTML as elements, for tests: its tags, and what stands in those of a class."""

from html.parser import HTMLParser

# The tags of the page of a run.
OF_A_RUN = {"html", "head", "meta", "link", "title", "style", "body", "header", "main", "script",
            "h1", "h2", "h3", "p", "div", "span", "b", "i", "q", "small", "kbd", "details",
            "summary", "dl", "dt", "dd", "ul", "li", "a", "figure", "figcaption", "svg", "line",
            "path", "text", "input", "select", "option", "output", "button", "article",
            "pre", "code", "dialog", "noscript", "section"}  # fmt: skip
_NO_END = frozenset(("meta", "link", "input", "br"))


class Elements(HTMLParser):
    """`text` joins what stands in the elements that have a class, or an id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str]] = []
        self.texts: list[tuple[str, str]] = []  # by the classes that it stands in
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag not in _NO_END:
            looks = f"{found.get('class') or ''} #{found.get('id') or ''}"
            self.open.append((tag, f"{self.looks} {looks}"))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.append((self.looks, data))

    @property
    def looks(self) -> str:
        return self.open[-1][1] if self.open else ""

    def text(self, *looks: str) -> str:
        return "".join(text for of, text in self.texts if set(looks) <= set(of.split()))
