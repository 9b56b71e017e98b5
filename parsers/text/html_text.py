"""Convert a web page to text, including headings, lists, tables, code and link addresses.

page = (text | comment | tag | raw)*        raw = script, style ... and all up to its end tag

A comment, a tag or a script that is never closed hides the rest, as in a browser. Invisible parts,
such as scripts and hidden elements, are left out. If the page has a main part, everything around
that part is left out, too. The running time is linear in the length of the page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urljoin

_TOKEN = re.compile(
    r"(?P<text>[^<]+|<(?![a-zA-Z/!?]))"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"""(?P<rest>(?:[^>"'=]|=\s*+"[^"]*+"|=\s*+'[^']*+'|["'=])*+)>"""
    r"|</?[a-zA-Z].*"  # a tag that is never closed
    r"|<!(?=--).*?(?:-->|\Z)"
    r"|<[/!?][^>]*>?",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s=>"'/]++)(?:\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'"""
    r"""|(?P<bare>[^\s"'>]++)))?"""
)
_RAW = frozenset({"script", "style", "iframe", "noembed", "noframes", "xmp", "textarea", "title"})
_NEVER = _RAW | {"template", "select", "svg", "canvas", "object", "audio", "video"}
_NEVER |= {"datalist", "dialog"}
_AROUND = frozenset({"nav", "footer", "aside", "form"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"}
    | {"track", "wbr"}
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "form", "ul"}
    | {"ol", "dl", "dt", "dd", "table", "blockquote", "figure", "figcaption", "details", "summary"}
    | {"address", "fieldset", "hr", "br", "body", "caption", "li", "tr", "pre", *_HEADINGS}
)
_APART = frozenset({"p", "ul", "ol", "dl", "table", "blockquote", "pre", "section", *_HEADINGS})
_CELLS = ("td", "th")
# The unclosed elements that a start tag closes.
_CLOSES = {
    **dict.fromkeys(_BLOCKS - {"br"}, ("p",)),
    "li": ("p", "li"),
    **dict.fromkeys(("dt", "dd"), ("p", "dt", "dd")),
    **dict.fromkeys(_CELLS, ("p", *_CELLS)),
    "tr": ("p", *_CELLS, "tr"),
}
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?:\.0*)?(?![\d.])",
    re.IGNORECASE,
)
_MOST_LINKS = 40
_LONGEST_LINK = 200
_DEEPEST = 6  # level of lists that is still indented
_ENOUGH = 200  # characters that a main part has at least


class Page(NamedTuple):
    title: str
    text: str


class _Token(NamedTuple):
    kind: str  # text, start, end
    text: str = ""  # the text, or the name of the element
    attributes: str = ""  # as they are written


class _Element(NamedTuple):
    name: str
    is_hidden: bool
    link: str = ""


def html_text(html: str, address: str = "") -> Page:
    tokens = list(_tokens(html))
    titles = (two for two in pairwise(tokens) if two[0][:2] == ("start", "title"))
    title = next((after.text for _, after in titles if after.kind == "text"), "")
    address = address.partition("#")[0]
    for part in ("main", "article"):
        text = _Writer(address, part).written(tokens)
        if len(text) >= _ENOUGH:
            break
    else:
        text = _Writer(address).written(tokens)
    return Page(" ".join(title.split()), text)


def _tokens(page: str) -> Iterator[_Token]:
    at = 0
    while found := _TOKEN.match(page, at):
        at, name = found.end(), (found["name"] or "").lower()
        if found["text"]:
            yield _Token("text", unescape(found["text"]))
        elif name:
            yield _Token("end" if found["end"] else "start", name, found["rest"])
        if name in _RAW and not found["end"]:
            closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(page, at)
            if closing is None:
                return
            yield _Token("text", unescape(page[at : closing.start()]))
            at = closing.start()


class _Writer:
    """A writer for the text of a page, or only for the elements with a given name."""

    def __init__(self, address: str, part: str = "") -> None:
        self.address, self.part = address, part
        self.elements = list[_Element]()  # the open elements
        self.counts = Counter[str]()  # of open elements, by name
        self.hidden = 0  # number of open elements that are hidden
        self.lines, self.line = list[str](), list[str]()
        self.prefix = ""
        self.links = {address}

    def written(self, tokens: Sequence[_Token]) -> str:
        for token in tokens:
            if token.kind == "start":
                self._start(token)
            elif token.kind == "end":
                while self.counts[token.text] and self._close() != token.text:
                    pass
            elif not self.hidden and (not self.part or self.counts[self.part]):
                self.line.append(token.text)
        while self.elements:
            self._close()
        self._end_line()
        return "\n".join(self.lines).strip("\n")

    def _start(self, token: _Token) -> None:
        name = token.text
        while self.elements and self.elements[-1].name in _CLOSES.get(name, ()):
            self._close()
        attributes, is_in_part = _attributes(token), self.counts[self.part] > 0
        is_hidden = _is_hidden(name, attributes) or (is_in_part and name in _AROUND)
        if not self.hidden and not is_hidden and (is_in_part or self.part in ("", name)):
            self._begin(name, attributes)
        if name not in _VOID:
            self.elements.append(_Element(name, is_hidden, attributes.get("href", "")))
            self.counts[name] += 1
            self.hidden += is_hidden

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.counts["pre"]:
            self.line += ["\n"] if name == "br" else []
            return
        if name in _BLOCKS:
            self._break(name)
        if name in _HEADINGS:
            self.prefix = _HEADINGS[name]
        elif name == "li":
            depth = self.counts["ul"] + self.counts["ol"]
            self.prefix = "  " * min(max(depth - 1, 0), _DEEPEST) + "- "
        elif name in _CELLS and self.line:
            self.line.append(" | ")
        elif name == "img" and attributes.get("alt", "").strip():
            self.line.append(f" [image: {attributes['alt'].strip()}] ")

    def _close(self) -> str:
        """Close the innermost element, and return its name."""
        was_hidden = self.hidden > 0
        name, is_hidden, link = self.elements.pop()
        self.counts[name] -= 1
        self.hidden -= is_hidden
        if was_hidden or self.counts["pre"]:
            return name
        if name == "pre":
            self.lines += "".join(self.line).strip("\n").split("\n")
            self.line = []
            self._end_line(is_apart=True)
        elif name == "a" and self.line:
            self._link(link)
        elif name in _BLOCKS:
            self._break(name)
            self.prefix = ""
        return name

    def _break(self, name: str) -> None:
        """Start a new line, except in a table cell, since each row is one line."""
        if any(self.counts[cell] for cell in _CELLS) and name not in ("tr", "pre"):
            self.line.append(" ")
        else:
            self._end_line(is_apart=name in _APART and not self.counts["li"])

    def _end_line(self, is_apart: bool = False) -> None:
        text = " ".join("".join(self.line).split())
        self.line = []
        if text.strip("| "):
            self.lines.append(self.prefix + text)
            self.prefix = ""
        if is_apart and self.lines and self.lines[-1]:
            self.lines.append("")

    def _link(self, written: str) -> None:
        """Write the address of a link, unless it was written before."""
        try:
            address = urljoin(self.address, written.strip()).partition("#")[0]
        except ValueError:
            return
        is_usable = address.startswith(("http://", "https://")) and len(address) <= _LONGEST_LINK
        if not is_usable or address in self.links or re.search(r"\s", address):
            return
        self.links.add(address)
        if len(self.links) <= 1 + _MOST_LINKS:
            self.line.append(f" <{address}>")


def _attributes(token: _Token) -> dict[str, str]:
    """Return the attributes of an element, or {} if no attribute can be relevant."""
    written = token.attributes.casefold()
    if token.text not in ("a", "img") and "hidden" not in written and "style" not in written:
        return {}
    found = _ATTRIBUTE.finditer(token.attributes)
    values = ((one["name"], one["double"] or one["single"] or one["bare"] or "") for one in found)
    return {name.casefold(): unescape(value) for name, value in values}


def _is_hidden(name: str, attributes: Mapping[str, str]) -> bool:
    return (
        name in _NEVER
        or "hidden" in attributes
        or attributes.get("aria-hidden", "").casefold() == "true"
        or _UNSEEN.search(attributes.get("style", "")) is not None
    )
