"""The whole report of an experiment: its sections, in the order of how much they are asked for."""

from collections.abc import Iterator

from rich.text import Text

from react_agent.eval.report import sections
from react_agent.eval.report.compared import worth
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.report.table import filled, listed, shown
from react_agent.parsers.text.counted import counted


def report(told: Experiment, columns: int, most: int | None = sections.SHOWN) -> Iterator[Text]:
    """Raises where nothing was judged, after what can be said nevertheless."""
    yield from head(told, columns)
    if not told.records:
        raise EmptyScore(f"nothing of {told.name} is done: there is no score")
    try:
        yield from sections.by_arm(told, columns)
    except EmptyScore:
        yield from sections.left_out(told, columns, most)
        raise
    yield from sections.by_tries(told, columns)
    yield from worth(told, columns)
    yield from sections.per_attempt(told, columns)
    yield from sections.altogether(told, columns)
    yield from sections.by_repository(told, columns)
    yield from sections.verdicts(told, columns)
    yield from sections.kinds(told, columns)
    yield from sections.attempts(told, columns, most)
    yield from sections.left_out(told, columns, most)
    yield from sections.endings(told, columns)
    yield from sections.habits(told, columns)
    yield from sections.tools(told, columns)
    yield from sections.hidden(told, columns)
    yield from sections.wishes(told, columns)
    yield from sections.parts(told, columns)


def ablation(told: Experiment, columns: int) -> Iterator[Text]:
    """The table that was asked for, and what it rests on. Raises where nothing was judged."""
    yield from worth(told, columns)
    yield from sections.by_arm(told, columns)


def head(told: Experiment, columns: int) -> Iterator[Text]:
    instances = told.instances or len({record.key.instance for record in told.records})
    sizes = (counted(instances, "instance"), counted(len(told.ways or told.arms), "arm"))
    done = f"{listed(sizes)}, {counted(len(told.records), 'attempt')} done"
    left = f", {told.waiting:,} not yet" if told.waiting else ""
    yield from filled(f"{told.name}: {done}{left}", columns)
    for name, value in (*told.about.items(), *told.ways.items()):
        yield from filled(f"{name}: {value}", columns)
    if told.folder:
        yield Text(shown(f"in {told.folder}"), "dim")
