"""Why attempts came to nothing: kinds, and for each attempt the step that shows it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from react_agent.eval.record import Record
from react_agent.eval.report.experiment import Experiment, is_judged
from react_agent.eval.report.links import link
from react_agent.eval.report.resolved import counted_by
from react_agent.eval.report.table import filled, heading, shown
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.text.counted import counted

SHOWN = 5  # attempts of a kind, unless all are asked for
_LEFT_OUT = (
    "Failures of what surrounds the model. They count neither for nor against it, and a resume"
    " tries them again."
)


def kinds(told: Experiment, columns: int) -> Iterator[Text]:
    counts = {arm: Counter(one.why for one in _failed(found)) for arm, found in told.arms.items()}
    names = _ordered(record.why for record in _failed(told.records))
    if names:
        yield from heading("Why not", columns)
        yield from counted_by(("why", *told.arms), names, counts, columns)


def attempts(told: Experiment, columns: int, most: int | None) -> Iterator[Text]:
    failed = _failed(told.records)
    if failed:
        yield from heading(
            "Not resolved, attempt by attempt, with the step that shows why", columns
        )
        yield from _by_kind(told, failed, columns, most)


def left_out(told: Experiment, columns: int, most: int | None) -> Iterator[Text]:
    found = [record for record in told.records if record.is_infrastructure]
    if found:
        yield from heading(f"Not counted: {counted(len(found), 'attempt')}", columns)
        yield from filled(_LEFT_OUT, columns)
        yield from _by_kind(told, found, columns, most)
    ungraded = [record for record in told.records if record.verdict is Verdict.UNGRADED]
    if ungraded:
        yield from heading(f"Not judged: {counted(len(ungraded), 'attempt')}", columns)
        yield from filled("Their issues name no tests that a fix has to pass.", columns)


def _failed(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if is_judged(record) and not record.is_resolved]


def _ordered(found: Iterator[str]) -> list[str]:
    """The most frequent first; at the same count as they are defined."""
    counts = Counter(found)
    known = [name for name in (*Kind, *Verdict) if name in counts]
    rest = sorted(counts.keys() - set(known))
    return sorted([*known, *rest], key=lambda name: -counts[name])


def _by_kind(
    told: Experiment, records: Sequence[Record], columns: int, most: int | None
) -> Iterator[Text]:
    for name in _ordered(record.why for record in records):
        found = [record for record in records if record.why == name]
        yield Text(f"{shown(name)}: {len(found):,}")
        for record in found[:most]:
            yield from explained(str(record.key), record, columns)
            yield from link(record, told.folder, "    ")
        yield from others_of(len(found), most)


def explained(attempt: str, record: Record, columns: int) -> Iterator[Text]:
    """The step that shows it, and the reason."""
    step = f", step {record.step}" if record.step else ""
    reason = f": {record.reason}" if record.reason else ""
    yield from filled(f"{attempt}{step}{reason}", columns, "  ", "    ")


def others_of(number: int, most: int | None) -> Iterator[Text]:
    """How many of them are not shown."""
    if most is not None and number > most:
        yield Text(f"  ... and {number - most:,} more (--all)", "dim")
