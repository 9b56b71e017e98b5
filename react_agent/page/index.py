"""The page of many runs: a row for each, and each leads to its own page."""

from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.page.document import Looks, document
from react_agent.page.facts import date, how_it_ended, title
from react_agent.page.markup import Markup, join, search_box, select, tag, written
from react_agent.page.numbers import dollars, short, time
from react_agent.parsers.text.counted import counted
from react_agent.runs.history import Story

_LOOKS = Looks("index.css", ("index.js",))
_ORDERS = ("newest", "steps", "tokens", "cost", "time")


@dataclass(frozen=True, slots=True)
class Row:
    """Of a run that can't be read there is its name and why."""

    name: str
    problem: str = ""
    file: str = ""
    title: str = ""
    outcome: str = ""
    looks: str = ""
    began: str = ""
    steps: int = 0
    tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0


def row_of(story: Story, name: str, file: str) -> Row:
    spent = story.state.spent
    outcome, looks = how_it_ended(story)
    return Row(
        name,
        file=file,
        title=title(story),
        outcome=outcome,
        looks=looks,
        began=story.began,
        steps=len(story.scenes),
        tokens=spent.prompt_tokens + spent.reply_tokens,
        cost=spent.money,
        seconds=spent.seconds,
    )


def index_page(rows: Sequence[Row]) -> str:
    """The newest first."""
    ordered = sorted(rows, key=lambda row: (row.began, row.name), reverse=True)
    heads = ("Outcome", "Issue", "Steps", "Tokens", "Cost", "Time", "Began")
    head = tag("tr", *(tag("th", word, scope="col") for word in heads))
    return document(
        "Runs",
        _LOOKS,
        tag("header", tag("h1", "Runs"), tag("p", _told(rows))),
        tag(
            "main",
            _tools(rows),
            tag("table", tag("thead", head), tag("tbody", *map(_row, ordered)), id="runs"),
            tag("p", "No run is like that.", class_="nothing", hidden=""),
        ),
    )


def _told(rows: Sequence[Row]) -> str:
    """`24 runs, 17 concluded, 1,234 steps, $3.20`."""
    costs = [row.cost for row in rows if row.cost is not None]
    concluded = sum(row.looks == "resolved" for row in rows)
    parts = [counted(len(rows), "run"), f"{concluded} concluded"]
    parts += [counted(sum(row.steps for row in rows), "step")]
    return ", ".join([*parts, dollars(sum(costs))] if costs else parts)


def _row(row: Row) -> Markup:
    if row.problem:
        cells = (
            tag("td", tag("span", "not readable", class_="mark failed")),
            tag("td", tag("b", row.name), tag("small", row.problem), colspan=6),
        )
        return tag("tr", *cells, data_outcome="not readable")
    issue = join(tag("a", written(row.title), href=row.file), tag("small", row.name))
    numbers = {
        "Steps": str(row.steps),
        "Tokens": short(row.tokens),
        "Cost": dollars(row.cost),
        "Time": time(row.seconds),
        "Began": date(row.began),
    }
    return tag(
        "tr",
        tag("td", tag("span", row.outcome, class_=f"mark {row.looks}")),
        tag("td", issue, class_="issue"),
        *(tag("td", value, data_label=name) for name, value in numbers.items()),
        data_outcome=row.outcome,
        data_steps=row.steps,
        data_tokens=row.tokens,
        data_cost=-1 if row.cost is None else f"{row.cost:.6f}",
        data_time=f"{row.seconds:.1f}",
    )


def _tools(rows: Sequence[Row]) -> Markup:
    """Hidden until there is a script that makes them work."""
    outcomes = dict.fromkeys("not readable" if row.problem else row.outcome for row in rows)
    return tag(
        "div",
        search_box("Search the runs"),
        select("outcome", [("", "every outcome"), *((one, one) for one in outcomes)]),
        select("order", [(order, _by(order)) for order in _ORDERS]),
        tag("output", id="count", aria_live="polite"),
        class_="tools",
        role="search",
        hidden="",
    )


def _by(order: str) -> str:
    return "newest first" if order == _ORDERS[0] else f"by {order}"
