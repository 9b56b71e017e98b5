"""Numbers, tables and sentences of a report. All text comes from outside and is escaped here."""

import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

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
    """Return `a`, `a and b`, or `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def shown(text: str) -> str:
    """Return the text on one line, without terminal control characters."""
    return escape(text.replace("\n", " ").replace("\t", " "))


def sentence(text: str, columns: int, first: str = "", others: str = "") -> Iterator[Text]:
    """Yield the text wrapped to `columns`, with an indent for the first line and for the others."""
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
    """Yield the table; columns that do not fit follow in further tables with the first column."""
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
