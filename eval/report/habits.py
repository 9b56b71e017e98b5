"""What models did: tools they called, what answered unasked, what had to be mended."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.text import Text

from react_agent.eval.record import Counts, Record, Used
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.resolved import counted_by
from react_agent.eval.report.table import heading, table
from react_agent.eval.report.words import NONE, share_of

_MOST = 12  # names of a kind; the rest is one row
_REST = "(all others)"
_HABITS: Mapping[str, Callable[[Used], int]] = {
    "calls of tools": lambda used: sum(used.calls.values()),
    "of these, failed": lambda used: sum(used.failed.values()),
    "answers of hidden tools": lambda used: sum(used.hidden.values()),
    "wishes: no such tool": lambda used: sum(used.wishes.values()),
    "steps that were mended": lambda used: used.repairs,
    "unreadable replies": lambda used: used.unreadable,
    "compressions": lambda used: used.compressions,
    "backtracks": lambda used: used.backtracks,
    "steps taken back": lambda used: used.retracted,
    "told to be stuck": lambda used: used.stuck,
}


def habits(told: Experiment, columns: int) -> Iterator[Text]:
    rows = [
        (name, *(_count(found, of) for found in told.arms.values())) for name, of in _HABITS.items()
    ]
    yield from heading("What happened on the way, and in how many attempts", columns)
    yield from table(("", *told.arms), rows, columns)


def endings(told: Experiment, columns: int) -> Iterator[Text]:
    counts = {
        arm: Counter(record.stop or "(broke off)" for record in found)
        for arm, found in told.arms.items()
    }
    yield from heading("How runs ended", columns)
    yield from counted_by(("end", *told.arms), _names(counts), counts, columns)


def tools(told: Experiment, columns: int) -> Iterator[Text]:
    calls = _named(told, lambda used: used.calls)
    failed = _named(told, lambda used: used.failed)
    rows = [
        (name, *(_calls(calls[arm].get(name, 0), failed[arm].get(name, 0)) for arm in told.arms))
        for name in _names(calls)
    ]
    if rows:
        yield from heading("Calls of each tool (of these, failed)", columns)
        yield from table(("tool", *told.arms), rows, columns)


def hidden(told: Experiment, columns: int) -> Iterator[Text]:
    yield from _listed("Hidden tools that answered", told, lambda used: used.hidden, columns)


def wishes(told: Experiment, columns: int) -> Iterator[Text]:
    yield from _listed("Tools that were wished for", told, lambda used: used.wishes, columns)


def parts(told: Experiment, columns: int) -> Iterator[Text]:
    counts = _named(told, lambda used: used.parts)
    rows = [
        (name, *(share_of(one.get(name, 0), sum(one.values())) for one in counts.values()))
        for name in _together(counts)
    ]
    if rows:
        yield from heading("What the tokens of all prompts were for", columns)
        yield from table(("part", *told.arms), rows, columns)


def _count(records: Sequence[Record], of: Callable[[Used], int]) -> str:
    counts = [of(record.used) for record in records]
    return f"{sum(counts):,} in {sum(map(bool, counts)):,}" if any(counts) else NONE


def _calls(calls: int, failed: int) -> str:
    return (f"{calls:,} ({failed:,})" if failed else f"{calls:,}") if calls else NONE


def _listed(
    title: str, told: Experiment, of: Callable[[Used], Counts], columns: int
) -> Iterator[Text]:
    counts = _shortened(_named(told, of))
    if names := _names(counts):
        yield from heading(title, columns)
        yield from counted_by(("name", *told.arms), names, counts, columns)


def _named(told: Experiment, of: Callable[[Used], Counts]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for arm, records in told.arms.items():
        found[arm] = Counter()
        for record in records:
            found[arm].update(of(record.used))
    return found


def _shortened(counts: Mapping[str, Counter[str]]) -> dict[str, Counter[str]]:
    """What is rare in all arms together is one name."""
    rare = [name for name, _ in _together(counts).most_common()[_MOST:]]
    return {
        arm: one
        - Counter({name: one[name] for name in rare})
        + Counter({_REST: sum(one[name] for name in rare)})
        for arm, one in counts.items()
    }


def _names(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The most frequent first."""
    return [name for name, _ in _together(counts).most_common()]


def _together(counts: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    found = Counter[str]()
    for one in counts.values():
        found.update(one)
    return found
