"""How much was resolved, arm by arm: rates, pass@k, repositories, verdicts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from react_agent.eval.record import Record
from react_agent.eval.report.experiment import Experiment, groups, judged
from react_agent.eval.report.intervals import EmptyScore, Group, clustered, pass_at, rate, wilson
from react_agent.eval.report.table import filled, heading, table
from react_agent.eval.report.words import NONE, between, percent
from react_agent.eval.verdict import Verdict

_HEAD = ("arm", "resolved", "rate", "95 % interval", "of all", "not counted")
_NOTE = (
    "The rate leaves out what was not counted: failures of the endpoint, the machine or ourselves,"
    " and issues without tests. `of all` counts them as not resolved."
)
_TRIES = "Tries of one instance are alike: the interval counts them for less."
_PASS = (
    "How likely at least one of k tries resolves an instance (unbiased), with a 95 % interval over"
    " instances."
)


def by_arm(told: Experiment, columns: int) -> Iterator[Text]:
    if not judged(told.records):
        raise EmptyScore(f"no attempt of {told.name} was judged: there is no score")
    yield from heading("Resolved", columns)
    yield from table(_HEAD, [_row(arm, found) for arm, found in told.arms.items()], columns)
    if len(judged(told.records)) < len(told.records):
        yield from filled(_NOTE, columns)
    if any(one.tries > 1 for found in told.arms.values() for one in groups(found)):
        yield from filled(_TRIES, columns)


def by_tries(told: Experiment, columns: int) -> Iterator[Text]:
    """pass@k, where there was more than one try."""
    tried = {arm: groups(found) for arm, found in told.arms.items()}
    most = max((one.tries for found in tried.values() for one in found), default=0)
    if most < 2:
        return
    shown = [k for k in range(1, most + 1) if k <= 5 or k in (10, 20, 50, 100, most)]
    rows = [
        (arm, f"{k}", *_pass(k, [one for one in found if one.tries >= k]))
        for arm, found in tried.items()
        for k in shown
    ]
    yield from heading("Resolved by one of k tries (pass@k)", columns)
    yield from table(("arm", "k", "pass@k", "95 % interval", "instances"), rows, columns)
    yield from filled(_PASS, columns)


def by_repository(told: Experiment, columns: int) -> Iterator[Text]:
    names = sorted({record.repo for record in told.records})
    if len(names) < 2:
        return
    rows = [
        (name, *(_of([one for one in found if one.repo == name]) for found in told.arms.values()))
        for name in names
    ]
    yield from heading("Resolved, by repository", columns)
    yield from table(("repository", *told.arms), rows, columns)


def verdicts(told: Experiment, columns: int) -> Iterator[Text]:
    counts = {
        arm: Counter(record.verdict.value for record in found) for arm, found in told.arms.items()
    }
    yield from heading("Verdicts", columns)
    yield from counted_by(("verdict", *told.arms), [one.value for one in Verdict], counts, columns)


def counted_by(
    head: Sequence[str],
    names: Sequence[str],
    counts: Mapping[str, Mapping[str, int]],
    columns: int,
) -> Iterator[Text]:
    """A row for each of the names that was counted anywhere."""
    found = [name for name in names if any(one.get(name) for one in counts.values())]
    rows = [(name, *(f"{one.get(name, 0) or NONE}" for one in counts.values())) for name in found]
    yield from table(head, rows, columns)


def _row(arm: str, records: Sequence[Record]) -> tuple[str, ...]:
    found, resolved = groups(records), sum(record.is_resolved for record in records)
    left_out = f"{len(records) - len(judged(records))}"
    of_all = percent(resolved / len(records))
    if not found:
        return (arm, NONE, NONE, NONE, of_all, left_out)
    share, interval = percent(rate(found)), between(clustered(found))
    return (arm, _of(records), share, interval, of_all, left_out)


def _of(records: Sequence[Record]) -> str:
    """The words do not say 0 of what was never judged."""
    found = judged(records)
    return f"{sum(one.is_resolved for one in found)} of {len(found)}" if found else NONE


def _pass(k: int, found: Sequence[Group]) -> tuple[str, ...]:
    if not found:
        return (NONE, NONE, "0")
    shares = [pass_at(k, one) for one in found]
    # of shares, and not of yes or no: no interval of theirs is wider
    interval = wilson(sum(shares), len(shares))
    return (percent(sum(shares) / len(shares)), between(interval), f"{len(shares)}")
