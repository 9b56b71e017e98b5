"""The report of an experiment: resolve rates, cost, reasons for failures, and use of the tools."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.text import Text

from react_agent.eval.report.comparison import explained, link, others_of, worth
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.report.summary import (
    NONE,
    RESOLVED,
    TOOK,
    Line,
    Outcome,
    Summary,
    groups,
    heading,
    is_judged,
    listed,
    outcome,
    sentence,
    shown,
    summary_of,
    table,
)
from react_agent.eval.task import Counts, Kind, Record
from react_agent.parsers.text.counted import counted

SHOWN = 5  # attempts of a kind, unless all are asked for
_NAMES = 12  # tools of a table; the rest is one row
_NOTE = (
    "The rate leaves out what was not counted: failures of the endpoint, the machine or"
    " react-agent, and issues without tests. `of all` counts them as not resolved."
)
_TRIES = "Tries of one instance are correlated, so the interval counts them as fewer."
_TOOK = (
    "The median of an attempt that was counted: steps, tokens of prompts and replies, the share of"
    " prompts that was cached, time and cost. The total cost is that of all attempts;"
    " `per resolved` divides it by those that were resolved."
)
_PLUS = "A + means that the price of some attempts is unknown."
_LEFT_OUT = (
    "Failures of the endpoint, the machine or react-agent itself. They are not counted for or"
    " against the model; `eval resume` tries them again."
)


def report(told: Experiment, columns: int, most: int | None = SHOWN) -> Iterator[Line]:
    """Yield the report. At its end, EmptyScore is raised if nothing was judged."""
    yield from _head(told, columns)
    if not told.records:
        raise EmptyScore(f"nothing of {told.name} is finished: there is no score")
    if not any(map(is_judged, told.records)):
        yield from _left_out(told, columns, most)
    yield from resolved(told, columns)
    yield from worth(told, columns)
    yield from _took(told, columns)
    yield from _why_not(told, columns, most)
    yield from _left_out(told, columns, most)
    yield from _on_the_way(told, columns)


def ablation(told: Experiment, columns: int) -> Iterator[Line]:
    """Yield the effect of each part of the agent, and the rates that it is computed from."""
    yield from worth(told, columns)
    yield from resolved(told, columns)


def _head(told: Experiment, columns: int) -> Iterator[Line]:
    instances = len(told.instances or {record.key.instance for record in told.records})
    sizes = (counted(instances, "instance"), counted(len(told.ways or told.arms), "arm"))
    done = f"{listed(sizes)}, {counted(len(told.records), 'attempt')} done"
    left = f", {told.waiting:,} not yet" if told.waiting else ""
    yield from sentence(f"{told.name}: {done}{left}", columns)
    for name, value in (*told.about.items(), *told.ways.items()):
        yield from sentence(f"{name}: {value}", columns)
    if told.folder:
        yield Text(shown(f"in {told.folder}"), "dim", no_wrap=True, overflow="ignore")


def resolved(told: Experiment, columns: int) -> Iterator[Line]:
    """Yield the resolve rates. Raises EmptyScore if nothing was judged."""
    if not any(map(is_judged, told.records)):
        raise EmptyScore(f"no attempt of {told.name} was judged: there is no score")
    yield heading("Resolved")
    yield from _summed_up(told, RESOLVED, columns)
    if not all(map(is_judged, told.records)):
        yield from sentence(_NOTE, columns)
    if any(one.tries > 1 for found in told.arms.values() for one in groups(found)):
        yield from sentence(_TRIES, columns)


def _summed_up(
    told: Experiment, cells: Mapping[str, Callable[[Summary], str]], columns: int
) -> Iterator[Line]:
    arms = {arm: summary_of(found) for arm, found in told.arms.items()}
    rows = [(arm, *(cell(one) for cell in cells.values())) for arm, one in arms.items()]
    yield from table(("arm", *cells), rows, columns)


def _took(told: Experiment, columns: int) -> Iterator[Line]:
    yield heading("What an attempt took")
    yield from _summed_up(told, TOOK, columns)
    yield from sentence(_TOOK, columns)
    used = [record.used for record in told.records]
    if any(one.is_unpriced for one in used) and any(one.cost is not None for one in used):
        yield from sentence(_PLUS, columns)


def _why_not(told: Experiment, columns: int, most: int | None) -> Iterator[Line]:
    failed = [record for record in told.records if outcome(record) is Outcome.FAILED]
    if failed:
        counts = {
            arm: Counter(one.why for one in found if outcome(one) is Outcome.FAILED)
            for arm, found in told.arms.items()
        }
        yield from _listed("Why not", "why", counts, _ordered(failed), columns)
        yield heading("Not resolved, with the step that shows why")
        yield from _by_kind(told, failed, columns, most)


def _left_out(told: Experiment, columns: int, most: int | None) -> Iterator[Line]:
    found = [record for record in told.records if record.is_infrastructure]
    if found:
        yield heading(f"Not counted: {counted(len(found), 'attempt')}")
        yield from sentence(_LEFT_OUT, columns)
        yield from _by_kind(told, found, columns, most)
    ungraded = sum(outcome(record) is Outcome.UNGRADED for record in told.records)
    if ungraded:
        yield heading(f"Not judged: {counted(ungraded, 'attempt')}")
        yield from sentence("Their issues name no tests that a fix has to pass.", columns)


def _ordered(records: Sequence[Record]) -> list[str]:
    """Return the reasons by frequency. Reasons of equal frequency are in the order of Kind."""
    counts = Counter(record.why for record in records)
    known = [kind.value for kind in Kind if kind in counts]
    names = [*known, *sorted(counts.keys() - {*known})]
    return sorted(names, key=lambda name: -counts[name])


def _by_kind(
    told: Experiment, records: Sequence[Record], columns: int, most: int | None
) -> Iterator[Line]:
    for name in _ordered(records):
        found = [record for record in records if record.why == name]
        yield Text(f"{shown(name)}: {len(found):,}")
        for record in found[:most]:
            yield from explained(str(record.key), record, columns)
            yield from link(record, "    ")
        yield from others_of(len(found), most)


_COUNTED: Mapping[str, Callable[[Record], Counts]] = {
    "How runs ended": lambda one: {one.stop or "(broke off)": 1},
    "What happened during the attempts": lambda one: {
        "repaired steps": one.used.repairs,
        "unreadable replies": one.used.unreadable,
        "compressions": one.used.compressions,
        "backtracks": one.used.backtracks,
        "steps taken back": one.used.retracted,
        "warned as stuck": one.used.stuck,
    },
    "Calls of each tool": lambda one: one.used.calls,
    "Calls that failed": lambda one: one.used.failed,
    "Hidden tools that answered": lambda one: one.used.hidden,
    "Calls to tools that do not exist": lambda one: one.used.wishes,
    "Tokens of all prompts, by what they were for": lambda one: one.used.parts,
}


def _on_the_way(told: Experiment, columns: int) -> Iterator[Line]:
    for title, of in _COUNTED.items():
        counts = {arm: Counter[str]() for arm in told.arms}
        for record in told.records:
            counts[record.key.arm].update(of(record))
        names = [name for name, _ in sum(counts.values(), Counter[str]()).most_common()]
        yield from _listed(title, "", counts, names, columns)


def _listed(
    title: str, what: str, counts: Mapping[str, Counter[str]], names: Sequence[str], columns: int
) -> Iterator[Line]:
    """Yield a table with one row per name and one column per arm."""
    if not names:
        return
    rows = [(name, *(f"{one[name] or NONE}" for one in counts.values())) for name in names[:_NAMES]]
    if rest := names[_NAMES:]:
        sums = (sum(one[name] for name in rest) for one in counts.values())
        rows.append(("(all others)", *(f"{one or NONE}" for one in sums)))
    yield heading(title)
    yield from table((what, *counts), rows, columns)
