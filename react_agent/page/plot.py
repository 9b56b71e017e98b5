"""Numbers as a page writes them, and marks on a plot that is as wide as there is room."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from react_agent.page.markup import Markup, join, tag

NONE = "–"
_MARKS = 4  # on an axis, beside its 0


def short(number: float) -> str:
    """`950`, `12.3k`, `1.2M`."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 0.99995 * size:
            return f"{number / size:.3g}{unit}" if number < 999.5 * size else f"1000{unit}"
    return f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def dollars(cost: float | None) -> str:
    if cost is None:
        return NONE
    if cost >= 100:
        return f"${cost:,.0f}"
    if cost == 0:
        return "$0"
    return f"${cost:.2f}" if cost >= 0.0995 else f"${cost:.2g}"


def time(seconds: float) -> str:
    """`67 s`, `3.5 min`, `2.1 h`."""
    for size, unit in ((6000, "h"), (100, "min")):
        if seconds >= size:
            number = seconds / (3600 if unit == "h" else 60)
            return f"{number:.1f} {unit}" if number < 9.95 else f"{number:.0f} {unit}"
    return f"{seconds:.0f} s"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def axis_marks(most: float) -> list[float]:
    """From 0, in round steps, until `most` is within."""
    size = 10 ** floor(log10(most / _MARKS))
    step = next(size * part for part in (1, 2, 2.5, 5, 10) if size * part * _MARKS >= most)
    return [step * number for number in range(ceil(most / step) + 1)]


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
