"""What attempts took: steps, tokens, money, time."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from rich.text import Text

from react_agent.eval.record import Record, Used
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.table import filled, heading, table
from react_agent.eval.report.words import NONE, dollars, share_of

_HEAD = ("arm", "steps", "prompt", "cached", "reply", "cost", "seconds")
_COLUMNS: tuple[Callable[[Used], float], ...] = (
    lambda used: used.steps,
    lambda used: used.prompt_tokens,
    lambda used: used.reply_tokens,
    lambda used: used.seconds,
)
_NOTE = "`prompt` and `reply` are tokens; `cached` is the share of the prompts'."


def per_attempt(told: Experiment, columns: int) -> Iterator[Text]:
    yield from heading("What an attempt took: the median of those that were not left out", columns)
    rows = [(arm, *_median(found)) for arm, found in told.arms.items()]
    yield from table(_HEAD, rows, columns)


def altogether(told: Experiment, columns: int) -> Iterator[Text]:
    """All attempts: what was left out of the rate was paid for."""
    yield from heading("What all of them took together", columns)
    rows = [(arm, *_sum(found)) for arm, found in told.arms.items()]
    head = (*_HEAD, "each resolved")
    yield from table(head, rows, columns)
    yield from filled(_NOTE, columns)
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
        return (NONE,) * (len(_HEAD) - 1)
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
