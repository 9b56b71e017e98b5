"""Compare two arms by issue: rates, cost, and the attempts that only one of them resolved."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from react_agent.eval.report.experiment import Both, Compared, Experiment, Side
from react_agent.eval.report.statistics import (
    Pair,
    by_chance,
    difference,
    difference_interval,
    holm,
)
from react_agent.eval.report.summary import (
    NONE,
    RESOLVED,
    TOOK,
    Line,
    chance,
    heading,
    points,
    points_between,
    ratio,
    sentence,
    shown,
    summary_of,
    table,
)
from react_agent.eval.task import PLAIN, Record
from react_agent.parsers.text.counted import counted
from react_agent.state.transcript import NAME

_DOUBT = 0.05


def comparison(compared: Compared, columns: int, most: int | None) -> Iterator[Line]:
    pairs = compared.pairs
    for letter, side in zip("AB", (compared.first, compared.second), strict=True):
        model = f"  {side.model}" if side.model else ""
        yield from sentence(f"{letter}  {side.label}{model}", columns, others="   ")
    tried = counted(len(compared.both), "attempt")
    yield heading(f"{counted(len(pairs), 'instance')}, {tried} judged in both")
    yield from table(("", "A", "B", "B against A"), list(_rows(compared, pairs)), columns)
    flips = sum(one.is_resolved != other.is_resolved for one, other in compared.both)
    yield from sentence(_verdict(pairs, flips), columns)
    yield from _alone(compared, columns)
    yield from _flips(compared, columns, most)


def _rows(compared: Compared, pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    first, second = (summary_of(side) for side in zip(*compared.both, strict=True))
    against = {
        "rate": points(difference(pairs)),
        "95 % interval": points_between(difference_interval(pairs)),
        "steps": ratio(first.steps, second.steps),
        "prompt": ratio(first.prompt_tokens, second.prompt_tokens),
        "reply": ratio(first.reply_tokens, second.reply_tokens),
        "time": ratio(first.seconds, second.seconds),
        "total cost": _cost_ratio(compared.both),
    }
    for name, cell in {**RESOLVED, **TOOK}.items():
        if name not in ("of all", "not counted", "cost"):
            yield (name, cell(first), cell(second), against.get(name, NONE))


def _cost_ratio(both: Sequence[Both]) -> str:
    """Return the cost ratio over the pairs for which both costs are known."""
    known = [
        (one.used.cost, other.used.cost)
        for one, other in both
        if one.used.cost is not None and other.used.cost is not None
    ]
    return ratio(sum(one for one, _ in known), sum(other for _, other in known))


def _verdict(pairs: Sequence[Pair], flips: int) -> str:
    if not flips:
        return "A and B resolve the same attempts: there are no flips."
    more, p = difference(pairs), by_chance(pairs)
    interval = f"(95 %: {points_between(difference_interval(pairs))})"
    if more == 0:
        return f"B resolves as much as A, but not the same {interval}."
    test = "McNemar's exact test"
    if any(one.tries > 1 for one in pairs):
        test = "the exact test that swaps A and B by instance (with one try, McNemar's)"
    doubt = "This may be chance" if p >= _DOUBT else "This is unlikely to be chance"
    direction = "more" if more > 0 else "less"
    size = f"{100 * abs(more):.1f} percentage points"
    equation = f"p = {chance(p)}".replace("= <", "<")
    return f"B resolves {direction} than A, by {size} {interval}. {doubt}: {equation}, {test}."


def _alone(compared: Compared, columns: int) -> Iterator[Line]:
    """Yield the number of attempts that are not compared, with the reasons."""
    first, second = (
        {(one.key.instance, one.key.number) for one in side.records}
        for side in (compared.first, compared.second)
    )
    different = {key for key in first & second if key[0] in compared.different}
    counts = {
        "only in A": len(first - second),
        "only in B": len(second - first),
        "at issues that differ in A and B": len(different),
        "not judged in A or in B": len(first & second) - len(different) - len(compared.both),
    }
    said = [f"{counted(number, 'attempt')} {why}" for why, number in counts.items() if number]
    if said:
        yield from sentence(f"Not compared: {', '.join(said)}.", columns)


def _flips(compared: Compared, columns: int, most: int | None) -> Iterator[Line]:
    for title, in_first in (("Resolved in A, not in B", True), ("Resolved in B, not in A", False)):
        found = [
            (one, other)
            for one, other in compared.both
            if one.is_resolved is in_first and other.is_resolved is not in_first
        ]
        if found:
            yield heading(f"{title}: {len(found):,}")
            yield from chain.from_iterable(_flip(compared, pair, columns) for pair in found[:most])
            yield from others_of(len(found), most)


def _flip(compared: Compared, pair: Both, columns: int) -> Iterator[Line]:
    one, other = pair
    failed = other if one.is_resolved else one
    attempt = f"{one.key.instance} {one.key.number}: {failed.why}"
    yield from explained(attempt, failed, columns)
    yield from link(one, "    A ")
    yield from link(other, "    B ")


_HEAD = ("arm", "won", "lost", "points", "95 % interval", "p", "tokens", "cost")
_NOTE = (
    f"Each arm against {PLAIN}, over attempts that were judged in both: attempts that only the arm"
    f" resolved (won), that only {PLAIN} did (lost), the difference of the rates in percentage"
    " points, and tokens and dollars of the arm as a multiple. What was taken out is worth"
    " something where points are below 0, and the interval with them."
)
_MANY = "p is corrected for asking {number} questions at once (Holm); the intervals are not."


def worth(told: Experiment, columns: int) -> Iterator[Line]:
    """Yield the difference of each arm to the plain arm. Yield nothing if there is no plain arm."""
    plain = told.arms.get(PLAIN, [])
    others = {name: found for name, found in told.arms.items() if plain and name != PLAIN}
    if not others:
        return
    compared = {
        name: Compared(Side(PLAIN, plain), Side(name, found)) for name, found in others.items()
    }
    judged = {name: one.pairs for name, one in compared.items() if one.both}
    chances = holm([by_chance(pairs) for pairs in judged.values()])
    adjusted = dict(zip(judged, chances, strict=True))
    rows = [
        (name, *_cells(one, judged[name], adjusted[name]))
        if name in judged
        else (name, *(NONE,) * (len(_HEAD) - 1))
        for name, one in compared.items()
    ]
    yield heading("What each is worth")
    yield from table(_HEAD, rows, columns)
    yield from sentence(_NOTE, columns)
    if len(judged) > 1:
        yield from sentence(_MANY.format(number=len(judged)), columns)


def _cells(compared: Compared, pairs: Sequence[Pair], p: float) -> tuple[str, ...]:
    both = compared.both
    tokens = (sum(one.used.tokens for one in side) for side in zip(*both, strict=True))
    return (
        f"{sum(other.is_resolved and not one.is_resolved for one, other in both)}",
        f"{sum(one.is_resolved and not other.is_resolved for one, other in both)}",
        points(difference(pairs)),
        points_between(difference_interval(pairs)),
        chance(p),
        ratio(*tokens),
        _cost_ratio(both),
    )


def explained(attempt: str, record: Record, columns: int) -> Iterator[Line]:
    """Yield the attempt with its reason, and the step that shows the reason."""
    step = f", step {record.step}" if record.step else ""
    reason = f": {record.reason}" if record.reason else ""
    yield from sentence(f"{attempt}{step}{reason}", columns, "  ", "    ")


def others_of(number: int, most: int | None) -> Iterator[Line]:
    if most is not None and number > most:
        yield Text(f"  ... and {number - most:,} more (--all)", "dim")


def link(record: Record, indent: str) -> Iterator[Line]:
    """Yield a link to the transcript. Yield nothing if there is no file."""
    if record.folder and (file := record.folder / NAME).is_file():
        address = f"link {file.absolute().as_uri()}"
        yield Text.assemble(indent, (shown(str(file)), address), no_wrap=True, overflow="ignore")
