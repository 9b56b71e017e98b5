"""Marks on a plot that is as wide as there is room: across in percent, down in pixels."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from react_agent.page.markup import Markup, join, tag


def svg(height: int, label: str, *inner: str, class_: str = "plot") -> Markup:
    told = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return tag("svg", *inner, class_=class_, height=str(height), **told)


def across(share: float) -> str:
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"


def grid(height: int, shares: Iterable[float]) -> Markup:
    """Lines that go down."""
    return join(
        *(
            tag("line", x1=across(share), x2=across(share), y1=0, y2=height, class_="grid")
            for share in shares
        )
    )


def below(top: int, labels: Sequence[tuple[float, str]]) -> Markup:
    """The words under an axis; the first and the last of them keep within its ends."""
    ends = {0.0: "start", 1.0: "end"}
    return join(
        *(
            tag("text", words, x=across(share), y=top, text_anchor=ends.get(share, "middle"))
            for share, words in labels
        )
    )


class Span(NamedTuple):
    left: float  # as shares of the width
    wide: float
    top: float  # in pixels
    high: float


def bar(at: Span, class_: str, told: str = "") -> Markup:
    title = tag("title", told) if told else ""
    left, wide = across(at.left), across(at.wide)
    return tag("rect", title, x=left, y=at.top, width=wide, height=at.high, class_=class_)


def figure(heading: str, words: str, *inner: str, class_: str = "") -> Markup:
    head = tag("figcaption", tag("h2", heading), tag("p", words) if words else Markup(""))
    return tag("figure", head, *inner, class_=class_ or None)
