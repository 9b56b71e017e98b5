"""The charts of an experiment: rates with their intervals, issue by issue, why not."""

from collections import Counter
from collections.abc import Mapping, Sequence

from react_agent.eval.report.summary import RESOLVED, TOOK, Outcome, Summary, outcome
from react_agent.eval.task import Record
from react_agent.page.markup import Markup, join, tag
from react_agent.page.plot import Span, across, bar, below, figure, grid, percent, svg
from react_agent.parsers.text.counted import counted

UNRESOLVED = (Outcome.FAILED, Outcome.LEFT_OUT)  # those with a reason
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_ROW, _MIDDLE = 26, 13  # pixels
_CELL, _THICK = 18, 12

Arms = Mapping[str, Sequence[Record]]


def look(of: Outcome) -> str:
    """Its class in the style sheet."""
    return of.name.lower().replace("_", "-")


def table(arms: Mapping[str, Summary]) -> Markup:
    """The same figures as in the terminal."""
    columns = {**RESOLVED, **TOOK}
    head = (tag("th", name, scope="col") for name in ("arm", *columns))
    rows = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            *(tag("td", tag("span", of(arm)), data_label=column) for column, of in columns.items()),
        )
        for name, arm in arms.items()
    )
    words = "Steps, tokens, time and cost: the median of an attempt that was counted"
    body = tag("tbody", *rows)
    return tag("table", tag("caption", words), tag("thead", tag("tr", *head)), body, class_="arms")


def resolved(arms: Mapping[str, Summary]) -> Markup:
    """Each rate with its interval, on one axis."""
    axis = svg(16, "", below(12, [(share, percent(share)) for share in _QUARTERS]), class_="axis")
    rows = (_rate(name, arm) for name, arm in arms.items())
    words = "Of the attempts that were judged; the line is where the true rate lies, 19 times of 20"
    last = tag("div", axis, class_="rate last")
    return figure("Resolved", words, *rows, last, class_="wide")


def _rate(name: str, arm: Summary) -> Markup:
    title = tag("p", name, class_="name")
    if arm.rate is None or arm.interval is None:
        return tag("div", title, tag("p", "nothing was judged", class_="none"), class_="rate")
    low, high = arm.interval
    told = f"{percent(low)} to {percent(high)}"
    reach = tag("line", x1=across(low), x2=across(high), y1=_MIDDLE, y2=_MIDDLE, class_="reach")
    dot = tag("circle", cx=across(arm.rate), cy=_MIDDLE, r=6, class_="dot")
    label = f"{name}: {percent(arm.rate)} resolved, {told}"
    drawn = svg(_ROW, label, grid(_ROW, _QUARTERS), reach, dot)
    number = tag("p", tag("strong", percent(arm.rate)), " ", tag("small", told), class_="number")
    return tag("div", title, number, drawn, class_="rate")


def issues(arms: Arms, ids: Mapping[int, str]) -> Markup:
    """A cell for each issue, in the same place for every arm; a line of them for each try."""
    share: dict[str, list[bool]] = {}
    for record in (one for found in arms.values() for one in found):
        share.setdefault(record.key.instance, []).append(record.is_resolved)
    order = sorted(share, key=lambda name: (-sum(share[name]) / len(share[name]), name))
    column = {name: number for number, name in enumerate(order)}
    rows = [
        tag("div", tag("p", name, class_="name"), _strip(found, column, ids), class_="strip")
        for name, found in arms.items()
    ]
    there = {outcome(record) for found in arms.values() for record in found}
    items = (tag("li", tag("i", class_=look(one)), one) for one in Outcome if one in there)
    words = f"{counted(len(order), 'issue')}, the ones that were resolved most often first"
    legend = tag("ul", *items, class_="legend")
    return figure("Issue by issue", words, *rows, legend, class_="wide")


def _strip(records: Sequence[Record], column: Mapping[str, int], ids: Mapping[int, str]) -> Markup:
    tries = sorted({record.key.number for record in records})
    each, width = max(_CELL // len(tries), 4), 1 / len(column)
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
                class_=look(outcome(record)),
            ),
            href=f"#{ids[id(record)]}",
            tabindex=-1,  # the list below has the same links
        )
        for record in records
    )
    return svg(each * len(tries), "", *cells, class_="plot cells")


def kinds(arms: Arms) -> Markup:
    """A row for each reason; its name is a button that shows these attempts only."""
    counts = {
        name: Counter((one.why, outcome(one)) for one in found if outcome(one) in UNRESOLVED)
        for name, found in arms.items()
    }
    total = sum(counts.values(), Counter[tuple[str, Outcome]]())
    if not total:
        return figure("Why not", "Every attempt that was judged is resolved.")
    most = max(max(one.values(), default=0) for one in counts.values())
    order = sorted(total, key=lambda kind: (kind[1] is Outcome.LEFT_OUT, -total[kind], kind[0]))
    rows = (
        tag(
            "tr",
            tag("th", tag("button", why, type="button", data_kind=why), scope="row"),
            *(_count(one[why, of], most, of) for one in counts.values()),
        )
        for why, of in order
    )
    head = tag("tr", tag("td"), *(tag("th", name, scope="col") for name in arms))
    words = "Of the attempts that are not resolved; choose one to see them below"
    shown = tag("table", tag("thead", head), tag("tbody", *rows), class_="kinds")
    return figure("Why not", words, shown, class_="wide")


def _count(number: int, most: int, of: Outcome) -> Markup:
    drawn = svg(_THICK, "", bar(Span(0, number / most, 0, _THICK), look(of)), class_="plot")
    return tag("td", tag("div", join(tag("span", str(number or "")), drawn)))
