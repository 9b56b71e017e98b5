"""How long attempts took, why they failed, and what their prompts were made of."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil

from react_agent.page.markup import Markup, join, tag
from react_agent.page.numbers import percent, short
from react_agent.page.plot import Span, across, bar, below, figure, svg
from react_agent.runs.history import Part

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
    return figure("Steps", words, tag("div", *drawn, class_="each"), _legend(), class_=_wide(arms))


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


def _legend() -> Markup:
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
