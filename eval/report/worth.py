"""What each arm that something was taken out of says about what was taken out."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from react_agent.eval.report.compared import Compared, Side, cost_ratio, tokens_ratio
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.intervals import EmptyScore
from react_agent.eval.report.paired import (
    Pair,
    by_chance,
    difference,
    difference_interval,
    holm,
)
from react_agent.eval.report.table import filled, heading, table
from react_agent.eval.report.words import NONE, chance, points, points_between, times
from react_agent.eval.task import PLAIN

_HEAD = ("arm", "won", "lost", "points", "95 % interval", "p", "tokens", "cost")
_NOTE = (
    f"Each arm against {PLAIN}, over attempts that were judged in both: attempts that only the arm"
    f" resolved (won), that only {PLAIN} did (lost), the difference of the rates in percentage"
    " points, and tokens and dollars of the arm as a multiple. What was taken out is worth"
    " something where points are below 0, and the interval with them."
)
_MANY = "p is corrected for asking {number} questions at once (Holm); the intervals are not."


@dataclass(frozen=True, slots=True)
class _Arm:
    name: str
    compared: Compared
    pairs: list[Pair]


def worth(told: Experiment, columns: int) -> Iterator[Text]:
    """Nothing where there is no plain arm to compare with."""
    plain = told.arms.get(PLAIN)
    others = [name for name in told.arms if name != PLAIN]
    if not plain or not others:
        return
    compared = {name: Compared(Side(PLAIN, plain), Side(name, told.arms[name])) for name in others}
    arms = [found for name, one in compared.items() if (found := _arm(name, one))]
    adjusted = dict(
        zip((arm.name for arm in arms), holm([by_chance(arm.pairs) for arm in arms]), strict=True)
    )
    rows = {arm.name: _row(arm, adjusted[arm.name]) for arm in arms}
    nothing = (NONE,) * (len(_HEAD) - 1)
    yield from heading("What each is worth", columns)
    yield from table(_HEAD, [rows.get(name, (name, *nothing)) for name in others], columns)
    yield from filled(_NOTE, columns)
    if len(arms) > 1:
        yield from filled(_MANY.format(number=len(arms)), columns)


def _arm(name: str, compared: Compared) -> _Arm | None:
    try:
        return _Arm(name, compared, compared.pairs)
    except EmptyScore:
        return None


def _row(arm: _Arm, p: float) -> tuple[str, ...]:
    both = arm.compared.both
    won = sum(other.is_resolved and not one.is_resolved for one, other in both)
    lost = sum(one.is_resolved and not other.is_resolved for one, other in both)
    return (
        arm.name,
        f"{won}",
        f"{lost}",
        points(difference(arm.pairs)),
        points_between(difference_interval(arm.pairs)),
        chance(p),
        times(tokens_ratio(both)),
        times(cost_ratio(both)),
    )
