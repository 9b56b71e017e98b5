"""The summary of an arm's attempts, and the numbers, tables and sentences of a report.

All text in the terminal and on the page comes from outside sources and is escaped here.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_agent.eval.report.statistics import Group, clustered, rate
from react_agent.eval.task import Record, Used, Verdict
from react_agent.page.plot import dollars, time
from react_agent.parsers.text.counted import short
from react_agent.parsers.transcript.quoting import escape

Line = Text | Table
NONE = "-"  # there is nothing to say
_LEAST_CHANCE = 0.001


def percent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f} %"


def between(interval: tuple[float, float] | None) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f} %" if interval else NONE


def points(difference: float) -> str:
    """Return the difference in percentage points."""
    return f"{100 * difference:+.1f}".replace("-0.0", "+0.0")


def points_between(interval: tuple[float, float]) -> str:
    return f"{points(interval[0])} to {points(interval[1])}"


def chance(p: float) -> str:
    return f"{p:.3f}" if p >= _LEAST_CHANCE else f"< {_LEAST_CHANCE}"


def ratio(one: float | None, other: float | None) -> str:
    """Return `other` as a multiple of `one`."""
    return f"x {other / one:.2f}" if one and other is not None else NONE


def listed(words: Sequence[str]) -> str:
    """Return the items as `a`, `a and b`, or `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def shown(text: str) -> str:
    """Return the text as one line, without terminal control characters."""
    return escape(text.replace("\n", " ").replace("\t", " "))


def sentence(text: str, columns: int, first: str = "", others: str = "") -> Iterator[Text]:
    """Yield the text wrapped to `columns`, with separate indents for the first and other lines."""
    lines = textwrap.wrap(
        shown(text),
        columns,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )
    yield from map(Text, lines)


def heading(text: str) -> Text:
    return Text(f"\n{shown(text)}", "bold")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[Line]:
    """Yield the table. Columns that do not fit follow in further tables."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(head):
        made.add_column(Text(shown(name)), justify="right" if number else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(cell)) for cell in row))
    middle = (len(head) + 1) // 2
    if middle < 2 or Console(width=10_000).measure(made).maximum <= columns:
        yield made
        return
    yield from table(head[:middle], [row[:middle] for row in rows], columns)
    yield Text()
    rest = ((row[0], *row[middle:]) for row in rows)
    yield from table((head[0], *head[middle:]), list(rest), columns)


class Outcome(StrEnum):
    RESOLVED = "resolved"
    FAILED = "not resolved"
    LEFT_OUT = "not counted"  # an infrastructure failure
    UNGRADED = "not judged"  # there are no tests to judge it by


def outcome(record: Record) -> Outcome:
    """Return the outcome of an attempt. Only this function decides which attempts count."""
    if record.is_infrastructure:
        return Outcome.LEFT_OUT
    return _OF_VERDICTS.get(record.verdict, Outcome.FAILED)


_OF_VERDICTS = {Verdict.RESOLVED: Outcome.RESOLVED, Verdict.UNGRADED: Outcome.UNGRADED}


def is_judged(record: Record) -> bool:
    """Return whether the attempt counts as a success or a failure of the model."""
    return outcome(record) in (Outcome.RESOLVED, Outcome.FAILED)


def groups(records: Sequence[Record]) -> list[Group]:
    """Return the judged tries of each instance."""
    found: dict[str, list[bool]] = {}
    for record in filter(is_judged, records):
        found.setdefault(record.key.instance, []).append(record.is_resolved)
    return [Group(sum(tries), len(tries)) for tries in found.values()]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of an arm. Infrastructure failures are excluded from medians."""

    attempts: int
    resolved: int
    judged: int
    rate: float | None  # None: nothing was judged
    interval: tuple[float, float] | None
    steps: float
    prompt_tokens: float
    reply_tokens: float
    cached: float | None  # the share of the prompts
    seconds: float
    cost: float | None  # None: no price is known
    paid: float | None  # for all attempts together
    is_all_priced: bool


def summary_of(records: Sequence[Record]) -> Summary:
    judged = groups(records)
    counted = [one.used for one in records if outcome(one) is not Outcome.LEFT_OUT]
    costs = [one.used.cost for one in records if one.used.cost is not None]
    prompts = sum(one.prompt_tokens for one in counted)
    return Summary(
        len(records),
        sum(one.resolved for one in judged),
        sum(one.tries for one in judged),
        rate(judged) if judged else None,
        clustered(judged) if judged else None,
        _median(counted, lambda used: used.steps),
        _median(counted, lambda used: used.prompt_tokens),
        _median(counted, lambda used: used.reply_tokens),
        sum(one.cached for one in counted) / prompts if prompts else None,
        _median(counted, lambda used: used.seconds),
        median(known) if (known := [one.cost for one in counted if one.cost is not None]) else None,
        sum(costs) if costs else None,
        not any(one.used.is_unpriced for one in records),
    )


def _median(used: Sequence[Used], of: Callable[[Used], float]) -> float:
    return median(map(of, used)) if used else 0.0


def priced(one: Summary, among: int = 1) -> str:
    """Return the amount paid per item, followed by a + if some prices are unknown."""
    if one.paid is None or not among:
        return NONE
    return dollars(one.paid / among) + ("" if one.is_all_priced else "+")


RESOLVED: Mapping[str, Callable[[Summary], str]] = {
    "resolved": lambda one: f"{one.resolved} of {one.judged}" if one.judged else NONE,
    "rate": lambda one: percent(one.rate),
    "95 % interval": lambda one: between(one.interval),
    "of all": lambda one: percent(one.resolved / one.attempts),
    "not counted": lambda one: f"{one.attempts - one.judged}",
}
TOOK: Mapping[str, Callable[[Summary], str]] = {
    "steps": lambda one: f"{one.steps:,.0f}",
    "prompt": lambda one: short(one.prompt_tokens),
    "reply": lambda one: short(one.reply_tokens),
    "cached": lambda one: NONE if one.cached is None else f"{100 * one.cached:.0f} %",
    "time": lambda one: time(one.seconds),
    "cost": lambda one: NONE if one.cost is None else dollars(one.cost),
    "total cost": priced,
    "per resolved": lambda one: priced(one, one.resolved),
}
