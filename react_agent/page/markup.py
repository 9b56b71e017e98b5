"""Build HTML with automatic escaping, format the texts of a run, and write a page as one file."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from operator import itemgetter

from react_agent.parsers.text.counted import size_of
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.quoting import escape, visible
from react_agent.tools import package_data


class Markup(str):
    """A string that already is HTML and needs no escaping."""

    __slots__ = ()


def text(plain: str) -> Markup:
    """Escape a text, and make its invisible characters (controls, bidirectional marks) visible."""
    return Markup(html.escape(escape(plain), quote=False))


def written(quoted: str) -> Markup:
    """Escape text from a transcript or prompt, where invisible characters are already escaped."""
    return Markup(html.escape(visible(quoted), quote=False))


def join(*parts: str, between: str = "") -> Markup:
    found = (part if isinstance(part, Markup) else text(part) for part in parts if part)
    return Markup(between.join(found))


def tag(name: str, /, *inner: str, **attributes: str | float | None) -> Markup:
    """Return an HTML element. `class_` stands for `class`; attributes that are None are omitted."""
    return Markup(f"<{name}{_attributes(attributes)}>{join(*inner)}</{name}>")


def void(name: str, /, **attributes: str | float | None) -> Markup:
    """Return an HTML element that has no end tag."""
    return Markup(f"<{name}{_attributes(attributes)}>")


def search_box(label: str) -> Markup:
    return void(
        "input",
        type="search",
        id="search",
        autocomplete="off",
        spellcheck="false",
        placeholder=label,
        aria_label=label,
        aria_keyshortcuts="/",
    )


def select(name: str, options: Iterable[tuple[str, str]], label: str = "") -> Markup:
    """Return a select element with these values and their labels."""
    inner = (tag("option", words, value=value) for value, words in options)
    return tag("select", *inner, id=name, aria_label=label or name)


def data(name: str, value: object) -> Markup:
    """Return a value as JSON for the script. No text in it can end the script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return tag("script", Markup(text), type="application/json", id=name)


def _attributes(attributes: dict[str, str | float | None]) -> str:
    return "".join(
        f' {name.strip("_").replace("_", "-")}="{html.escape(escape(_value(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )


def _value(value: str | float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


_SHORT = 12  # lines of an input that is not folded
_LINE = 160  # characters of a text that is not long
_FIRST = 140  # characters of the line for a folded text
_ENDED = "exit code"
_IS_DIFF = re.compile(r"^(?:diff --git |--- |\*\*\* Begin Patch|@@ |<{7})", re.MULTILINE)
_BLOCK = re.compile(r"<{7}|={7}|>{7}")
_IN_BLOCK = {"<" * 7: "taken", "=" * 7: "added", ">" * 7: ""}
_LOOKS = {"+": "added", "-": "taken", "@": "place"}
_HEADS = ("+++ ", "--- ", "diff --git ", "index ", "*** ")


def is_long(text: str) -> bool:
    return "\n" in text or len(text) > _LINE


def fold(title: str, size: str, *inner: str, class_: str | None = None) -> Markup:
    head = tag("summary", tag("span", title), tag("small", size) if size else "")
    return tag("details", head, *inner, class_=class_)


def gist(text: str) -> Markup:
    """Return the first line of a text; for the output of a program, also the last line."""
    first = headline(text, _FIRST) or "nothing"
    if first.startswith(_ENDED) and (last := headline(text.rstrip().rpartition("\n")[2], _FIRST)):
        first = f"{first} … {last}"
    return written(first)


def plain(text: str, class_: str | None = None) -> Markup:
    """Return a text in a `pre` element, after an extra line feed, which browsers drop."""
    return tag("pre", join(Markup("\n"), written(text)), class_=class_)


def code(text: str, class_: str = "") -> Markup:
    """Return the input of a tool call as HTML. A long input is folded, unless it is a diff."""
    if not is_long(text):
        return tag("code", written(text), class_=class_ or None)
    if _IS_DIFF.search(text):
        return diff(text, class_)
    shown = plain(text, class_)
    return shown if text.count("\n") < _SHORT else fold(gist(text), size_of(text), shown)


def diff(text: str, class_: str = "") -> Markup:
    """Return a diff as HTML with its exact text. Adjacent lines of one kind share an element."""
    parts = (
        tag("span", written("".join(line for line, _ in lines)), class_=look or None)
        for look, lines in groupby(_looks(text), key=itemgetter(1))
    )
    return tag("pre", Markup("\n"), *parts, class_=f"diff {class_}".rstrip())


def _looks(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line with its CSS class. Search lines look removed, replacement lines added."""
    block = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        is_head = line.startswith(_HEADS)
        if mark := _BLOCK.match(line):
            block = _IN_BLOCK[mark[0]]
            yield line, "place"
        else:
            yield line, block or ("place" if is_head else _LOOKS.get(line[:1], ""))


_HERE = "react_agent.page"


@dataclass(frozen=True, slots=True)
class Looks:
    """A style sheet and scripts to add after those that all pages share."""

    style: str
    scripts: Sequence[str]
    package: str = _HERE


def document(title: str, looks: Looks, *body: str) -> str:
    runs = [] if looks.package == _HERE else ["run.css"]  # pages of other packages show runs, too
    ours = (_shipped(_HERE, name) for name in ("base.css", *runs))
    style = join(*ours, _shipped(looks.package, looks.style))
    scripts = (_shipped(looks.package, name) for name in looks.scripts)
    script = join(_shipped(_HERE, "found.js"), *scripts)
    head = (
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        void("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", style),
    )
    whole = tag("html", tag("head", *head), tag("body", *body, tag("script", script)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _policy(style: str, script: str) -> str:
    """Return the content security policy of a page, which also restricts injected content."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {_hash(style)}",
            f"script-src {_hash(script)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(source: str) -> str:
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _shipped(package: str, name: str) -> Markup:
    return Markup(package_data.text(package, name))
