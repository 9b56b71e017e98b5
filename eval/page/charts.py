"""How much was resolved, at what cost, and issue by issue."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from react_agent.eval.page.arms import Arm, arms_of
from react_agent.eval.page.outcome import Outcome, outcome
from react_agent.page.markup import Markup, join, tag
from react_agent.page.numbers import axis_marks, dollars, percent, short
from react_agent.page.plot import across, below, figure, grid, svg
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_ROW, _MIDDLE = 26, 13
_HIGH = 240
_LABEL = 16  # the height of one
_LONGEST = 24  # letters of it
_LETTER = 0.02  # its width, as a share of the plot's on a phone
_CELL = 18


class Box(NamedTuple):
    """Across in shares of the width, down in pixels."""

    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across_too = self.left < other.right and other.left < self.right
        return across_too and self.top < other.bottom and other.top < self.bottom


def resolved(arms: Sequence[Arm]) -> Markup:
    """Each arm's rate with its interval, on one axis."""
    axis = svg(16, "", below(12, [(share, percent(share)) for share in _QUARTERS]), class_="axis")
    rows = [*map(_rate, arms), tag("div", axis, class_="rate last")]
    words = "Of the attempts that were judged; the line is where the true rate lies, 19 times of 20"
    return figure("Resolved", words, *rows, class_="wide")


def _rate(arm: Arm) -> Markup:
    if arm.rate is None:
        inner: tuple[str, ...] = (tag("p", "nothing was judged", class_="none"),)
        return tag("div", _name(arm), *inner, class_="rate")
    low, high = arm.interval
    told = f"{percent(low)} to {percent(high)}"
    reach = tag("line", x1=across(low), x2=across(high), y1=_MIDDLE, y2=_MIDDLE, class_="reach")
    dot = tag("circle", cx=across(arm.rate), cy=_MIDDLE, r=6, class_="dot")
    label = f"{arm.name}: {percent(arm.rate)} resolved, {told}"
    drawn = svg(_ROW, label, grid(_ROW, _QUARTERS), reach, dot)
    number = tag("p", tag("strong", percent(arm.rate)), " ", tag("small", told), class_="number")
    return tag("div", _name(arm), number, drawn, class_="rate")


def _name(arm: Arm) -> Markup:
    return tag("p", arm.name, class_="name")


def cost(arms: Sequence[Arm]) -> Markup:
    """Of one arm, its repositories."""
    points, by = arms, ""
    if len(arms) == 1:
        points, by = arms_of(arms[0].records, attrgetter("repo")), ", by repository"
    points = [point for point in points if point.rate is not None]
    is_priced = all(point.cost is not None for point in points)
    heading = f"{'Cost' if is_priced else 'Tokens'} against resolved{by}"
    if not points:
        return figure(heading, "Nothing was judged.")
    at = [(point.cost or 0.0) if is_priced else point.tokens for point in points]
    words = f"{'Dollars' if is_priced else 'Tokens'} of a median attempt; up and left is better"
    return figure(heading, words, tag("div", _scatter(points, at, is_priced), class_="scatter"))


def _scatter(points: Sequence[Arm], at: Sequence[float], is_priced: bool) -> Markup:
    ticks = axis_marks(max(at) or 1)
    most = ticks[-1]
    written = dollars if is_priced else short
    lines = join(*(_level(share) for share in _QUARTERS))
    axis = below(_HIGH + 20, [(mark / most, written(mark)) for mark in ticks])
    spots = [(x / most, _down(point.rate or 0)) for point, x in zip(points, at, strict=True)]
    boxes = [Box(x - 0.02, x + 0.02, y - 6, y + 6) for x, y in spots]
    drawn = []
    for point, (x, y) in zip(points, spots, strict=True):
        label = _label(headline(point.name, _LONGEST), x, y, boxes)
        drawn.append(tag("g", _mark(point, x, y), label))
    told = "; ".join(f"{point.name} {percent(point.rate or 0)}" for point in points)
    return svg(_HIGH, told, lines, axis, *drawn)


def _level(share: float) -> Markup:
    y = _down(share)
    line = tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid")
    return join(line, tag("text", percent(share), x=-8, y=y + 4, text_anchor="end"))


def _down(share: float) -> float:
    return _HIGH * (1 - share)


def _mark(point: Arm, x: float, y: float) -> Markup:
    (low, high), at = point.interval, across(x)
    return join(
        tag("line", x1=at, x2=at, y1=_down(low), y2=_down(high), class_="reach thin"),
        tag("circle", cx=at, cy=y, r=5, class_="dot"),
    )


def _label(name: str, x: float, y: float, boxes: list[Box]) -> Markup:
    """On the side, and as high, that it covers nothing; where that can't be had, on the right."""
    wide = len(name) * _LETTER
    tried = [
        (anchor, Box(left, left + wide, y + down - _LABEL / 2, y + down + _LABEL / 2))
        for down in (0, _LABEL, -_LABEL, 2 * _LABEL, -2 * _LABEL)
        for anchor, left in (("start", x + 0.04), ("end", x - 0.04 - wide))
    ]
    within = [one for one in tried if one[1].left >= 0 and one[1].right <= 1.02]
    free = [one for one in within if not any(one[1].meets(box) for box in boxes)]
    anchor, box = (free or within or tried)[0]
    boxes.append(box)
    aside = 12 if anchor == "start" else -12
    down = (box.top + box.bottom) / 2 + 4
    return tag("text", name, x=across(x), dx=aside, y=down, text_anchor=anchor, class_="ink")


def issues(arms: Sequence[Arm], ids: dict[int, str]) -> Markup:
    """A cell for each issue, in the same place for every arm; a line of them for each try."""
    share: dict[str, list[bool]] = {}
    for arm in arms:
        for record in arm.records:
            share.setdefault(record.key.instance, []).append(record.is_resolved)
    order = sorted(share, key=lambda name: (-sum(share[name]) / len(share[name]), name))
    column = {name: number for number, name in enumerate(order)}
    rows = [tag("div", _name(arm), _strip(arm, column, ids), class_="strip") for arm in arms]
    words = f"{counted(len(order), 'issue')}, the ones that were resolved most often first"
    return figure("Issue by issue", words, *rows, _legend(arms), class_="wide")


def _strip(arm: Arm, column: dict[str, int], ids: dict[int, str]) -> Markup:
    tries = sorted({record.key.number for record in arm.records})
    high = max(_CELL // len(tries), 4) * len(tries)
    each, width = high / len(tries), 1 / len(column)
    cells = (
        tag(
            "a",
            tag(
                "rect",
                tag("title", f"{record.key.instance}: {record.why}"),
                x=across(column[record.key.instance] * width),
                y=tries.index(record.key.number) * each,
                width=across(width),
                height=each,
                class_=outcome(record).word,
            ),
            href=f"#{ids[id(record)]}",
            tabindex=-1,  # the list below has the same links
        )
        for record in arm.records
    )
    return svg(int(high), "", *cells, class_="plot cells")


def _legend(arms: Sequence[Arm]) -> Markup:
    there = {outcome(record) for arm in arms for record in arm.records}
    items = (tag("li", tag("i", class_=one.word), one) for one in Outcome if one in there)
    return tag("ul", *items, class_="legend")
