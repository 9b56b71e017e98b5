"""Runs as rows: in columns where they fit, else each in two lines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from react_agent.cli.wrapped import wrapped
from react_agent.loop.stop import Stop
from react_agent.parsers.text.ages import write_age
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.listing import Listed, Standing

_GAP = "  "
_LEAST_TITLE = 20  # columns that are worth one
_STYLES: Mapping[str, str] = {Stop.CONCLUDED: "green", Standing.RUNNING: "bold cyan"}
_OTHERWISE = "yellow"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    of: Callable[[Listed], str]
    is_number: bool = True

    def laid(self, text: str, width: int) -> str:
        return text.rjust(width) if self.is_number else text.ljust(width)


def _cost(one: Listed) -> str:
    return "" if one.run.money is None else f"{one.run.money:.4f} $"


AGE = Column("age", lambda one: write_age(one.age))
OUTCOME = Column("outcome", lambda one: one.run.told, is_number=False)
STEPS = Column("steps", lambda one: "" if _is_unreadable(one) else str(one.run.steps))
COST = Column("cost", _cost)


def _is_unreadable(one: Listed) -> bool:
    return one.run.outcome == Standing.UNREADABLE


def rows(found: Sequence[Listed], columns: Sequence[Column], room: int | None) -> Iterator[Text]:
    """No name of a run is cut: it is what other commands take. No room: as wide as they are."""
    filled = [column for column in columns if any(map(column.of, found))]
    widths = [max(len(column.name), *(len(column.of(one)) for one in found)) for column in filled]
    before = sum(widths) + len(_GAP) * len(widths)
    names = max(len("run"), *(cell_len(escape(one.run.name)) for one in found))
    if room is not None and before + names > room:
        yield from (line for one in found for line in _in_two_lines(one, filled, room))
        return
    left = None if room is None else room - before - names - len(_GAP)
    has_title = left is None or left >= _LEAST_TITLE
    heads = [column.laid(column.name, width) for column, width in zip(filled, widths, strict=True)]
    head = _GAP.join((*heads, f"{'run':{names}}{_GAP}issue" if has_title else "run"))
    yield Text(head.rstrip(), style="dim")
    for one in found:
        cells = (
            Text(column.laid(column.of(one), width), style=_style(column, one))
            for column, width in zip(filled, widths, strict=True)
        )
        name = escape(one.run.name)
        title = f"{name}{' ' * (names - cell_len(name))}{_GAP}{_cut(one.run.title, left)}"
        line = Text(_GAP).join((*cells, Text(title if has_title else name)))
        line.rstrip()
        yield line


def _in_two_lines(one: Listed, columns: Sequence[Column], room: int) -> Iterator[Text]:
    yield Text(escape(one.run.name), style=_style(OUTCOME, one))
    told = (f"{column.of(one)}{_UNITS.get(column, '')}" for column in columns if column.of(one))
    line = _GAP.join(("", *told))
    title = _cut(one.run.title, room - len(line) - len(_GAP))
    yield from wrapped(Text(f"{line}{_GAP}{title}"), room)


_UNITS = {STEPS: " steps", AGE: " ago"}


def _style(column: Column, one: Listed) -> str:
    return _STYLES.get(one.run.outcome, _OTHERWISE) if column is OUTCOME else ""


def _cut(title: str, room: int | None) -> str:
    """It has no control characters any more."""
    if room is None or cell_len(title) <= room:
        return title
    return f"{set_cell_size(title, room - 1).rstrip()}…" if room >= _LEAST_TITLE // 2 else ""
