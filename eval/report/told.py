"""The whole report of an experiment: its sections, in the order of how much they are asked for."""

from collections.abc import Iterator

from rich.text import Text

from react_agent.eval.report import resolved
from react_agent.eval.report import resolved as failures
from react_agent.eval.report import resolved as habits
from react_agent.eval.report import resolved as took
from react_agent.eval.report.compared import worth
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.report.table import filled, listed, shown
from react_agent.parsers.text.counted import counted


def report(told: Experiment, columns: int, most: int | None = failures.SHOWN) -> Iterator[Text]:
    """Raises where nothing was judged, after what can be said nevertheless."""
    yield from head(told, columns)
    if not told.records:
        raise EmptyScore(f"nothing of {told.name} is done: there is no score")
    try:
        yield from resolved.by_arm(told, columns)
    except EmptyScore:
        yield from failures.left_out(told, columns, most)
        raise
    yield from resolved.by_tries(told, columns)
    yield from worth(told, columns)
    yield from took.per_attempt(told, columns)
    yield from took.altogether(told, columns)
    yield from resolved.by_repository(told, columns)
    yield from resolved.verdicts(told, columns)
    yield from failures.kinds(told, columns)
    yield from failures.attempts(told, columns, most)
    yield from failures.left_out(told, columns, most)
    for section in (habits.endings, habits.habits, habits.tools, habits.hidden, habits.wishes):
        yield from section(told, columns)
    yield from habits.parts(told, columns)


def ablation(told: Experiment, columns: int) -> Iterator[Text]:
    """The table that was asked for, and what it rests on. Raises where nothing was judged."""
    yield from worth(told, columns)
    yield from resolved.by_arm(told, columns)


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
