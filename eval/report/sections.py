"""The sections of a report: what was resolved, what it took, what models did, and why not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from statistics import median

from rich.text import Text

from react_agent.eval.report.experiment import Experiment, groups, is_judged, judged, link
from react_agent.eval.report.statistics import EmptyScore, Group, clustered, pass_at, rate, wilson
from react_agent.eval.report.table import (
    NONE,
    between,
    dollars,
    filled,
    heading,
    percent,
    share_of,
    shown,
    table,
)
from react_agent.eval.task import Counts, Kind, Record, Used, Verdict
from react_agent.parsers.text.counted import counted


def short_names(named: Iterable[str]) -> Mapping[str, str]:
    """Only paths are long: OWNER/NAME and addresses say what they are."""
    all_ = dict.fromkeys(named)
    paths = {name: PurePath(name).parts for name in all_ if PurePath(name).is_absolute()}
    others = [PurePath(name).parts for name in all_ if name not in paths]
    return {name: _short(paths[name], [*paths.values(), *others]) for name in paths} | {
        name: name for name in all_ if name not in paths
    }


def _short(parts: tuple[str, ...], all_: Iterable[tuple[str, ...]]) -> str:
    for size in range(1, len(parts)):
        end = parts[-size:]
        if sum(other[-size:] == end for other in all_) == 1:
            return "/".join(end)
    return str(PurePath(*parts))


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


_TAKEN = ("arm", "steps", "prompt", "cached", "reply", "cost", "seconds")
_COLUMNS: tuple[Callable[[Used], float], ...] = (
    lambda used: used.steps,
    lambda used: used.prompt_tokens,
    lambda used: used.reply_tokens,
    lambda used: used.seconds,
)
_TAKEN_NOTE = "`prompt` and `reply` are tokens; `cached` is the share of the prompts'."


def per_attempt(told: Experiment, columns: int) -> Iterator[Text]:
    yield from heading("What an attempt took: the median of those that were not left out", columns)
    rows = [(arm, *_median(found)) for arm, found in told.arms.items()]
    yield from table(_TAKEN, rows, columns)


def altogether(told: Experiment, columns: int) -> Iterator[Text]:
    """All attempts: what was left out of the rate was paid for."""
    yield from heading("What all of them took together", columns)
    rows = [(arm, *_sum(found)) for arm, found in told.arms.items()]
    head = (*_TAKEN, "each resolved")
    yield from table(head, rows, columns)
    yield from filled(_TAKEN_NOTE, columns)
    yield from unpriced(told.records, columns)


def paid(records: Sequence[Record], among: int = 1) -> str:
    """For each of so many; with a + where it was more."""
    known = [record.used.cost for record in records if record.used.cost is not None]
    more = "+" if len(known) < len(records) else ""
    return dollars(sum(known) / among) + more if known else NONE


def unpriced(records: Sequence[Record], columns: int) -> Iterator[Text]:
    """What the + says."""
    unknown = [record.used.cost is None for record in records]
    if any(unknown) and not all(unknown):
        yield from filled("A + stands where no price is known for some attempts.", columns)


def _median(records: Sequence[Record]) -> tuple[str, ...]:
    counted = [record for record in records if not record.is_infrastructure]
    if not counted:
        return (NONE,) * (len(_TAKEN) - 1)
    steps, prompt, reply, seconds = (
        f"{median(column(record.used) for record in counted):,.0f}" for column in _COLUMNS
    )
    costs = [record.used.cost for record in counted if record.used.cost is not None]
    price = dollars(median(costs)) if costs else NONE
    return (steps, prompt, cached(counted), reply, price, seconds)


def _sum(records: Sequence[Record]) -> tuple[str, ...]:
    steps, prompt, reply, seconds = (
        f"{sum(column(record.used) for record in records):,.0f}" for column in _COLUMNS
    )
    resolved = sum(record.is_resolved for record in records)
    each = paid(records, resolved) if resolved else NONE
    return (steps, prompt, cached(records), reply, paid(records), seconds, each)


def cached(records: Sequence[Record]) -> str:
    """The share of the prompts'."""
    tokens = sum(record.used.cached for record in records)
    return share_of(tokens, sum(record.used.prompt_tokens for record in records))


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
