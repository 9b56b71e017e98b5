"""HTML that can't be left unescaped by oversight: what is not `Markup` is text."""

import html
import json
from collections.abc import Iterable

from react_agent.parsers.transcript.quoting import escape, visible


class Markup(str):
    """HTML already."""

    __slots__ = ()


def text(plain: str) -> Markup:
    """What nobody sees (controls, bidirectional marks) is made visible."""
    return Markup(html.escape(escape(plain), quote=False))


def written(quoted: str) -> Markup:
    """A text as a transcript or a prompt has it: what nobody sees is visible there already."""
    return Markup(html.escape(visible(quoted), quote=False))


def join(*parts: str, between: str = "") -> Markup:
    found = (part if isinstance(part, Markup) else text(part) for part in parts if part)
    return Markup(between.join(found))


def tag(name: str, /, *inner: str, **attributes: str | float | None) -> Markup:
    """`class_` stands for `class`, and `data_kind` for `data-kind`; None leaves one out."""
    return Markup(f"<{name}{_attributes(attributes)}>{join(*inner)}</{name}>")


def void(name: str, /, **attributes: str | float | None) -> Markup:
    """An element of HTML that has no end."""
    return Markup(f"<{name}{_attributes(attributes)}>")


def search_box(placeholder: str, label: str = "Search") -> Markup:
    return void(
        "input",
        type="search",
        id="search",
        autocomplete="off",
        spellcheck="false",
        placeholder=placeholder,
        aria_label=label,
        aria_keyshortcuts="/",
    )


def select(name: str, options: Iterable[tuple[str, str]]) -> Markup:
    """Of values, and what is shown for each."""
    inner = (tag("option", words, value=value) for value, words in options)
    return tag("select", *inner, id=name, aria_label=name)


def data(name: str, value: object) -> Markup:
    """A value for the script: no text in it can end the element, or begin another."""
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
