"""The text of a web page, for reading: headings, lists, tables and code, and where links lead.

What a person would not see (scripts, hidden elements) is left out, and so is, where the page says
what its main part is, all that stands around it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import urljoin

from react_agent.parsers.text.html_tokens import End, Start, Text, Token, tokens

_NEVER = frozenset(
    {"script", "style", "template", "iframe", "noembed", "noframes", "xmp", "textarea", "select"}
    | {"svg", "canvas", "object", "audio", "video", "title", "datalist", "dialog"}
)
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
_CELLS = frozenset({"td", "th"})
# What an element that was never closed is closed by.
_CLOSED_BY = {
    **dict.fromkeys(_BLOCKS - {"br"}, frozenset({"p"})),
    "li": frozenset({"p", "li"}),
    **dict.fromkeys(("dt", "dd"), frozenset({"p", "dt", "dd"})),
    **dict.fromkeys(("td", "th"), frozenset({"p", "td", "th"})),
    "tr": frozenset({"p", "td", "th", "tr"}),
}
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?:\.0*)?(?![\d.])",
    re.IGNORECASE,
)
_MOST_LINKS = 40
_LONGEST_LINK = 200
_DEEPEST = 6  # list that is still indented more
_ENOUGH = 200  # characters of a main part that is one


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str


@dataclass(slots=True)
class _Open:
    """The elements that are open."""

    names: list[tuple[str, bool]] = field(default_factory=list)  # and whether it is left out
    counts: Counter[str] = field(default_factory=Counter)
    left_out: int = 0

    def enter(self, name: str, left_out: bool) -> None:
        self.names.append((name, left_out))
        self.counts[name] += 1
        self.left_out += left_out

    def leave(self) -> str:
        name, left_out = self.names.pop()
        self.counts[name] -= 1
        self.left_out -= left_out
        return name

    def within(self, names: frozenset[str]) -> bool:
        return any(self.counts[name] for name in names)


@dataclass(slots=True)
class _Writer:
    address: str
    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    prefix: str = ""
    seen: set[str] = field(default_factory=set)  # addresses

    def say(self, text: str) -> None:
        self.line.append(text)

    def end_line(self, apart: bool = False) -> None:
        text = " ".join("".join(self.line).split())
        self.line = []
        if text.strip("| "):
            self.lines.append(self.prefix + text)
            self.prefix = ""
        if apart and self.lines and self.lines[-1]:
            self.lines.append("")

    def end_kept(self) -> None:
        """Of `pre`: as it is."""
        self.lines += "".join(self.line).strip("\n").split("\n")
        self.line = []

    def link(self, written: str) -> str:
        """Where a link leads, once."""
        try:
            address = urljoin(self.address, written.strip())
        except ValueError:
            return ""
        bare = address.partition("#")[0]
        usable = bare.startswith(("http://", "https://")) and len(bare) <= _LONGEST_LINK
        if not usable or bare in self.seen or bare == self.address or re.search(r"\s", bare):
            return ""
        self.seen.add(bare)
        return f" <{bare}>" if len(self.seen) <= _MOST_LINKS else ""


def html_text(html: str, address: str = "") -> Page:
    read = list(tokens(html))
    for part in ("main", "article"):
        text = _written(read, address, part)
        if len(text) >= _ENOUGH:
            return Page(_title(read), text)
    return Page(_title(read), _written(read, address, ""))


def _title(read: Sequence[Token]) -> str:
    for token, following in pairwise(read):
        if isinstance(token, Start) and token.name == "title" and isinstance(following, Text):
            return " ".join(following.text.split())
    return ""


def _written(read: Sequence[Token], address: str, part: str) -> str:
    """All of it, or only what stands in elements of one name."""
    opened, writer = _Open(), _Writer(address.partition("#")[0])
    links = list[str]()
    for token in read:
        match token:
            case Text(text):
                if not opened.left_out and (not part or opened.counts[part]):
                    writer.say(text)
            case Start(name):
                _start(token, part, opened, writer, links)
            case End(name):
                _end(name, opened, writer, links)
    while opened.names:
        _close(opened, writer, links)
    writer.end_line()
    return "\n".join(writer.lines).strip("\n")


def _start(token: Start, part: str, opened: _Open, writer: _Writer, links: list[str]) -> None:
    name = token.name
    closed = _CLOSED_BY.get(name, frozenset())
    while opened.names and opened.names[-1][0] in closed:
        _close(opened, writer, links)
    attributes = token.attributes if _matters(token) else {}
    left_out = _is_left_out(name, attributes, bool(part) and opened.counts[part] > 0)
    is_in_part = not part or name == part or opened.counts[part] > 0
    if is_in_part and not opened.left_out and not left_out:
        _begin(name, attributes, opened, writer)
    if name not in _VOID:
        opened.enter(name, left_out)
        if name == "a":
            links.append(attributes.get("href", ""))


def _matters(token: Start) -> bool:
    written = token.written.casefold()
    return token.name in ("a", "img") or "hidden" in written or "style" in written


def _is_left_out(name: str, attributes: dict[str, str], in_main: bool) -> bool:
    return (
        name in _NEVER
        or (in_main and name in _AROUND)
        or "hidden" in attributes
        or attributes.get("aria-hidden", "").casefold() == "true"
        or _UNSEEN.search(attributes.get("style", "")) is not None
    )


def _begin(name: str, attributes: dict[str, str], opened: _Open, writer: _Writer) -> None:
    if opened.counts["pre"]:
        if name == "br":
            writer.say("\n")
        return
    if name in _BLOCKS:
        _break(name, opened, writer)
    if name in _HEADINGS:
        writer.prefix = _HEADINGS[name]
    elif name == "li":
        depth = opened.counts["ul"] + opened.counts["ol"]
        writer.prefix = "  " * min(max(depth - 1, 0), _DEEPEST) + "- "
    elif name in _CELLS and writer.line:
        writer.say(" | ")
    elif name == "img" and attributes.get("alt", "").strip():
        writer.say(f" [image: {attributes['alt'].strip()}] ")


def _break(name: str, opened: _Open, writer: _Writer) -> None:
    """A new line, but not in a table's cell: a row is one."""
    if opened.within(_CELLS) and name not in ("tr", "pre"):
        writer.say(" ")
    else:
        writer.end_line(apart=name in _APART and not opened.counts["li"])


def _end(name: str, opened: _Open, writer: _Writer, links: list[str]) -> None:
    if not opened.counts[name]:
        return
    while _close(opened, writer, links) != name:
        pass


def _close(opened: _Open, writer: _Writer, links: list[str]) -> str:
    silent = opened.left_out > 0
    name = opened.leave()
    link = links.pop() if name == "a" else ""
    if silent:
        return name
    if name == "pre" and not opened.counts["pre"]:
        writer.end_kept()
        writer.end_line(apart=True)
    elif opened.counts["pre"]:
        return name
    elif link and writer.line:
        writer.say(writer.link(link))
    elif name in _BLOCKS:
        _break(name, opened, writer)
        writer.prefix = ""
    return name
