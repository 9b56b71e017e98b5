"""Two arms, issue by issue: rates, flips with both transcripts, what it cost."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from rich.text import Text

from react_agent.eval.report.experiment import Experiment, is_judged, link
from react_agent.eval.report.sections import cached, explained, others_of, paid, unpriced
from react_agent.eval.report.statistics import (
    EmptyScore,
    Pair,
    by_chance,
    clustered,
    difference,
    difference_interval,
    holm,
    rate,
    sides_of,
)
from react_agent.eval.report.table import (
    NONE,
    between,
    chance,
    equation,
    filled,
    heading,
    percent,
    points,
    points_between,
    shown,
    table,
    times,
)
from react_agent.eval.task import PLAIN, Record
from react_agent.parsers.text.counted import counted

Both = tuple[Record, Record]
_PERCENT_POINTS = "percentage points"
_DOUBT = 0.05


@dataclass(frozen=True, slots=True)
class Side:
    label: str  # EXP:ARM
    records: Sequence[Record]
    model: str = ""
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """Attempts of the same number at the same instance, that were judged on both sides."""

    first: Side
    second: Side
    different: Collection[str] = ()  # instances that do not ask the same in both

    @property
    def both(self) -> list[Both]:
        others = {(one.key.instance, one.key.number): one for one in self.second.records}
        found = (
            (one, others.get((one.key.instance, one.key.number))) for one in self.first.records
        )
        return [(one, other) for one, other in found if other and self._count(one, other)]

    @property
    def pairs(self) -> list[Pair]:
        tries: dict[str, list[Both]] = {}
        for one, other in self.both:
            tries.setdefault(one.key.instance, []).append((one, other))
        if not tries:
            first, second = self.first.label, self.second.label
            raise EmptyScore(f"no attempt was judged in both {first} and {second}")
        return [
            Pair(
                sum(one.is_resolved for one, _ in found),
                sum(other.is_resolved for _, other in found),
                len(found),
            )
            for found in tries.values()
        ]

    def _count(self, one: Record, other: Record) -> bool:
        return is_judged(one) and is_judged(other) and one.key.instance not in self.different


def comparison(compared: Compared, columns: int, most: int | None) -> Iterator[Text]:
    pairs = compared.pairs
    for letter, side in zip("AB", (compared.first, compared.second), strict=True):
        model = f"  {side.model}" if side.model else ""
        yield from filled(f"{letter}  {side.label}{model}", columns, others="   ")
        if side.folder:
            yield Text(shown(f"   {side.folder}"), "dim")
    tried = counted(len(compared.both), "attempt")
    yield from heading(f"{counted(len(pairs), 'instance')}, {tried} judged in both", columns)
    yield from table(("", "A", "B", "B against A"), list(_rows(compared, pairs)), columns)
    yield from unpriced([record for pair in compared.both for record in pair], columns)
    yield from _table_of_four(compared, columns)
    yield from filled(_verdict(pairs), columns)
    yield from _alone(compared, columns)
    yield from _flips(compared, columns, most)


def _rows(compared: Compared, pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    sides = sides_of(pairs)
    yield ("resolved", *(f"{sum(one.resolved for one in side)}" for side in sides), "")
    yield ("rate", *(percent(rate(side)) for side in sides), points(difference(pairs)))
    interval = points_between(difference_interval(pairs))
    yield ("95 % interval", *(between(clustered(side)) for side in sides), interval)
    first, second = ([pair[number] for pair in compared.both] for number in (0, 1))
    yield ("cost", paid(first), paid(second), times(cost_ratio(compared.both)))
    for name, of in _MEASURES.items():
        one, other = (sum(map(of, side)) for side in (first, second))
        yield (name, f"{one:,.0f}", f"{other:,.0f}", times(other / one if one else None))
    yield ("cached", cached(first), cached(second), "")


_MEASURES: dict[str, Callable[[Record], float]] = {
    "prompt tokens": lambda record: record.used.prompt_tokens,
    "reply tokens": lambda record: record.used.reply_tokens,
    "steps": lambda record: record.used.steps,
    "seconds": lambda record: record.used.seconds,
}


def cost_ratio(both: Sequence[Both]) -> float | None:
    """Of pairs where the price of both is known."""
    known = [
        (one.used.cost, other.used.cost)
        for one, other in both
        if one.used.cost is not None and other.used.cost is not None
    ]
    first, second = sum(one for one, _ in known), sum(other for _, other in known)
    return second / first if first else None


def tokens_ratio(both: Sequence[Both]) -> float | None:
    first, second = (sum(pair[number].used.tokens for pair in both) for number in (0, 1))
    return second / first if first else None


def _table_of_four(compared: Compared, columns: int) -> Iterator[Text]:
    outcomes = [(one.is_resolved, other.is_resolved) for one, other in compared.both]
    yield from heading("Attempts", columns)
    told = ((True, True, "both"), (True, False, "only A"), (False, True, "only B"))
    rows = [(name, f"{outcomes.count((one, other))}") for one, other, name in told]
    rows.append(("neither", f"{outcomes.count((False, False))}"))
    yield from table(("resolved in", "attempts"), rows, columns)
    yield Text()


def _verdict(pairs: Sequence[Pair]) -> str:
    if all(one.first == one.second for one in pairs):
        return "B resolves what A resolves: nothing was flipped."
    more, p = difference(pairs), by_chance(pairs)
    interval = f"(95 %: {points_between(difference_interval(pairs))})"
    if more == 0:
        return f"B resolves as much as A, but not the same {interval}."
    test = "McNemar's exact test"
    if any(one.tries > 1 for one in pairs):
        test = "the exact test that swaps A and B by instance (with one try, McNemar's)"
    size = f"{100 * abs(more):.1f} {_PERCENT_POINTS}"
    doubt = "That may be chance" if p >= _DOUBT else "That is hard to put down to chance"
    direction = "more" if more > 0 else "less"
    return f"B resolves {direction} than A, by {size} {interval}. {doubt}: {equation(p)}, {test}."


def _alone(compared: Compared, columns: int) -> Iterator[Text]:
    """What has no counterpart is not compared, and said."""
    first, second = (
        {(one.key.instance, one.key.number) for one in side.records}
        for side in (compared.first, compared.second)
    )
    only = [
        f"{counted(len(alone), 'attempt')} only in {letter}"
        for letter, alone in (("A", first - second), ("B", second - first))
        if alone
    ]
    different = {key for key in first & second if key[0] in compared.different}
    unjudged = len(first & second) - len(different) - len(compared.both)
    if different:
        only.append(f"{counted(len(different), 'attempt')} at issues that differ in A and B")
    if unjudged:
        only.append(f"{counted(unjudged, 'attempt')} not judged in A or in B")
    if only:
        yield from filled(f"Not compared: {', '.join(only)}.", columns)


def _flips(compared: Compared, columns: int, most: int | None) -> Iterator[Text]:
    for title, in_first in (("Resolved in A, not in B", True), ("Resolved in B, not in A", False)):
        found = [
            (one, other)
            for one, other in compared.both
            if one.is_resolved is in_first and other.is_resolved is not in_first
        ]
        if not found:
            continue
        yield from heading(f"{title}: {len(found):,}", columns)
        yield from chain.from_iterable(_flip(compared, pair, columns) for pair in found[:most])
        yield from others_of(len(found), most)


def _flip(compared: Compared, pair: Both, columns: int) -> Iterator[Text]:
    one, other = pair
    failed = other if one.is_resolved else one
    attempt = f"{one.key.instance} {one.key.number}: {failed.why}"
    yield from explained(attempt, failed, columns)
    sides = (("A", compared.first, one), ("B", compared.second, other))
    for letter, side, record in sides:
        yield from link(record, side.folder, f"    {letter} ")


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
