"""The charts of an experiment: resolved, cost, issue by issue, steps, reasons, parts of prompts."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from react_agent.eval.report.experiment import groups, judged
from react_agent.eval.report.statistics import clustered, rate
from react_agent.eval.task import Record, Verdict
from react_agent.page.markup import Markup, join, tag
from react_agent.page.plot import (
    NONE,
    Span,
    across,
    axis_marks,
    bar,
    below,
    dollars,
    figure,
    grid,
    percent,
    short,
    svg,
    time,
)
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.runs.history import Part


class Outcome(StrEnum):
    RESOLVED = "resolved"
    FAILED = "not resolved"
    LEFT_OUT = "left out"  # what surrounds the model failed
    UNGRADED = "not judged"

    @property
    def word(self) -> str:
        """As a class of the style sheet."""
        return self.name.lower().replace("_", "-")


JUDGED = (Outcome.RESOLVED, Outcome.FAILED)
UNRESOLVED = (Outcome.FAILED, Outcome.LEFT_OUT)  # what a reason is told of


def outcome(record: Record) -> Outcome:
    if record.is_resolved:
        return Outcome.RESOLVED
    if record.is_infrastructure:
        return Outcome.LEFT_OUT
    return Outcome.UNGRADED if record.verdict is Verdict.UNGRADED else Outcome.FAILED


@dataclass(frozen=True, slots=True)
class Arm:
    """Attempts that are counted together: those of an arm, or of a repository."""

    name: str
    records: Sequence[Record]

    @property
    def judged(self) -> Sequence[Record]:
        return judged(self.records)

    @property
    def left_out(self) -> int:
        return sum(record.is_infrastructure for record in self.records)

    @property
    def resolved(self) -> int:
        return sum(record.is_resolved for record in self.records)

    @property
    def rate(self) -> float | None:
        """Of the judged ones; None where there is none."""
        return rate(groups(self.records)) if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        return clustered(groups(self.records))

    @property
    def counted(self) -> Sequence[Record]:
        """Those whose cost and length say something: what surrounds the model let them run."""
        return [record for record in self.records if not record.is_infrastructure]

    @property
    def cost(self) -> float | None:
        """The median of an attempt, of those whose price is known."""
        costs = [one.used.cost for one in self.counted if one.used.cost is not None]
        return median(costs) if costs else None

    @property
    def tokens(self) -> float:
        """The median of an attempt."""
        return self.median(lambda record: record.used.tokens)

    def median(self, of: Callable[[Record], float]) -> float:
        return median(map(of, self.counted)) if self.counted else 0


def arms_of(records: Sequence[Record], name: Callable[[Record], str]) -> list[Arm]:
    """In the order in which they come."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(name(record), []).append(record)
    return [Arm(*both) for both in found.items()]


def table(arms: Sequence[Arm]) -> Markup:
    """A row for each."""
    head = (tag("th", name, scope="col") for name in ("Arm", *_COLUMNS))
    rows = (
        tag(
            "tr",
            tag("th", arm.name, scope="row"),
            *(
                tag("td", tag("span", told(arm)), data_label=name)
                for name, told in _COLUMNS.items()
            ),
        )
        for arm in arms
    )
    body = tag("tbody", *rows)
    words = "Cost, tokens, steps and time: the median of an attempt, without those left out"
    caption = tag("caption", words)
    return tag("table", caption, tag("thead", tag("tr", *head)), body, class_="arms")


def _resolved(arm: Arm) -> str:
    if arm.rate is None:
        return NONE
    whole = percent(arm.resolved / len(arm.records))
    of_all = tag("small", f"{whole} of all")
    return join(f"{arm.resolved} of {len(arm.judged)}", of_all, between=" ")


def _cached(arm: Arm) -> str:
    prompts = sum(record.used.prompt_tokens for record in arm.counted)
    cached = sum(record.used.cached for record in arm.counted)
    return percent(cached / prompts) if prompts else NONE


def _per_resolved(arm: Arm) -> str:
    """All that was paid, for each; with a + where it was more."""
    known = [record.used.cost for record in arm.records if record.used.cost is not None]
    if not known or not arm.resolved:
        return NONE
    return dollars(sum(known) / arm.resolved) + ("+" if len(known) < len(arm.records) else "")


def _steps(arm: Arm) -> str:
    return f"{arm.median(lambda record: record.used.steps):g}"


def _time(arm: Arm) -> str:
    return time(arm.median(lambda record: record.used.seconds))


_COLUMNS: dict[str, Callable[[Arm], str]] = {
    "Resolved": _resolved,
    "Left out": lambda arm: str(arm.left_out),
    "Cost": lambda arm: dollars(arm.cost),
    "Cost per resolved": _per_resolved,
    "Tokens": lambda arm: short(arm.tokens),
    "Cached": _cached,
    "Steps": _steps,
    "Time": _time,
}


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


_BINS = 20
_ALONE, _OF_MANY = 150, 64  # the heights of a histogram
_MOST_ARMS = 6
_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_THICK = 12
_TOKENS = 22


def steps(arms: Sequence[Arm]) -> Markup:
    """A histogram for each arm, on one axis."""
    counted = _few(arms)
    most = max(record.used.steps for arm in counted for record in arm.records)
    width = next((one for one in _WIDTHS if most < one * _BINS), most)
    bins = most // width + 1
    ticks = [(n / bins, str(n * width)) for n in range(0, bins + 1, ceil(bins / 5))]
    axis = svg(20, "", below(14, ticks), class_="axis")
    drawn = (_histogram(arm, bins, width, axis, len(counted) > 1) for arm in counted)
    words = "How many attempts took so many steps" if width == 1 else _in_bins(width)
    return figure(
        "Steps", words, tag("div", *drawn, class_="each"), _legend_of_judged(), class_=_wide(arms)
    )


def _wide(arms: Sequence[Arm]) -> str:
    """What says more the wider it is: a chart of several arms beside each other."""
    return "wide" if 2 < len(arms) <= _MOST_ARMS else ""


def _in_bins(width: int) -> str:
    return f"How many attempts took so many steps, {width} to a bar"


def _few(arms: Sequence[Arm]) -> Sequence[Arm]:
    if len(arms) <= _MOST_ARMS:
        return arms
    return [Arm("all arms", [record for arm in arms for record in arm.records])]


def _histogram(arm: Arm, bins: int, width: int, axis: Markup, is_named: bool) -> Markup:
    high = _OF_MANY if is_named else _ALONE
    counts = Counter((record.used.steps // width, record.is_resolved) for record in arm.judged)
    tallest = max((counts[n, True] + counts[n, False] for n in range(bins)), default=0) or 1
    columns = (
        _column(n / bins, 1 / bins, (counts[n, True], counts[n, False]), high / tallest, high)
        for n in range(bins)
    )
    base = tag("line", x1=0, x2="100%", y1=high, y2=high, class_="base")
    drawn = svg(high, f"{arm.name}: steps", *columns, base, class_="plot histogram")
    name = tag("p", arm.name, class_="name") if is_named else Markup("")
    return tag("div", name, drawn, axis, class_="bins")


def _column(x: float, width: float, counts: tuple[int, int], each: float, high: int) -> Markup:
    good, bad = counts
    parts = []
    top = float(high)
    for number, of in ((good, Outcome.RESOLVED), (bad, Outcome.FAILED)):
        top -= number * each
        if number:
            parts.append(bar(Span(x, width, top, number * each), of.word, f"{number} {of}"))
    if good + bad:
        middle = across(x + width / 2)
        parts.append(tag("text", str(good + bad), x=middle, y=top - 5, text_anchor="middle"))
    return join(*parts)


def _legend_of_judged() -> Markup:
    return tag(
        "ul", *(tag("li", tag("i", class_=one.word), one) for one in JUDGED), class_="legend"
    )


def kinds(arms: Sequence[Arm]) -> Markup:
    """A row for each; its name is a button that shows these attempts only."""
    shown = _few(arms)
    found = Counter(record.why for arm in arms for record in _unresolved(arm))
    if not found:
        return figure("Why not", "Every attempt that was judged is resolved.")
    outside = {r.why for arm in arms for r in arm.records if r.is_infrastructure}
    order = sorted(found, key=lambda kind: (kind in outside, -found[kind], kind))
    most = max(
        Counter(r.why for r in _unresolved(arm)).most_common(1)[0][1]
        for arm in shown
        if any(_unresolved(arm))
    )
    head = tag("tr", tag("td"), *(tag("th", arm.name, scope="col") for arm in shown))
    rows = (_kind(kind, shown, most, kind in outside) for kind in order)
    body = [tag("thead", head)] if len(shown) > 1 else []
    words = "Of the attempts that are not resolved; choose one to see them below"
    return figure(
        "Why not",
        words,
        tag("table", *body, tag("tbody", *rows), class_="kinds"),
        class_=_wide(arms),
    )


def _unresolved(arm: Arm) -> Iterator[Record]:
    return (r for r in arm.records if outcome(r) in UNRESOLVED)


def _kind(kind: str, arms: Sequence[Arm], most: int, is_outside: bool) -> Markup:
    of = Outcome.LEFT_OUT if is_outside else Outcome.FAILED
    cells = []
    for arm in arms:
        number = sum(record.why == kind for record in _unresolved(arm))
        drawn = svg(_THICK, "", bar(Span(0, number / most, 0, _THICK), of.word), class_="plot")
        cells.append(tag("td", tag("div", tag("span", str(number or "")), drawn)))
    name = tag("button", kind, type="button", data_kind=kind)
    return tag("tr", tag("th", name, scope="row"), *cells)


def parts(arms: Sequence[Arm]) -> Markup:
    """Of all prompts of an attempt, on the average."""
    totals = [(arm, _parts(arm)) for arm in arms]
    names = list(dict.fromkeys((*Part, *sorted(name for _, one in totals for name in one))))
    names = [name for name in names if any(one.get(name) for _, one in totals)]
    if not names:
        return Markup("")
    most = max(sum(one.values()) for _, one in totals)
    colour = {
        name: f"p{list(Part).index(Part(name))}" if name in tuple(Part) else "part"
        for name in names
    }
    rows = (_stack(arm, one, names, colour, most) for arm, one in totals)
    items = (tag("li", tag("i", class_=colour[name]), name) for name in names)
    words = "Of the prompts of an average attempt, all steps added up"
    return figure("Tokens", words, *rows, tag("ul", *items, class_="legend"))


def _parts(arm: Arm) -> Counter[str]:
    found: Counter[str] = Counter()
    for record in arm.counted:
        found.update(record.used.parts)
    return Counter({name: number // len(arm.counted) for name, number in found.items()})


def _stack(
    arm: Arm, counts: Counter[str], names: Sequence[str], colour: dict[str, str], most: float
) -> Markup:
    whole, start, drawn = sum(counts.values()), 0.0, []
    for name in names:
        share = counts[name] / most
        told = f"{name}: {short(counts[name])}, {percent(counts[name] / whole) if whole else ''}"
        drawn.append(bar(Span(start, share, 0, _TOKENS), colour[name], told))
        start += share
    label = f"{arm.name}: {short(whole)} tokens"
    head = tag("p", arm.name, tag("small", short(whole)), class_="name")
    return tag("div", head, svg(_TOKENS, label, *drawn, class_="plot stack"), class_="tokens")
