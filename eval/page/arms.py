"""What the arms of an experiment came to, side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from react_agent.eval.record import Record
from react_agent.eval.report.experiment import groups, judged
from react_agent.eval.report.intervals import clustered, rate
from react_agent.page.markup import Markup, join, tag
from react_agent.page.numbers import NONE, dollars, percent, short, time


@dataclass(frozen=True, slots=True)
class Arm:
    """Attempts that are counted together: those of an arm, or of a repository."""

    name: str
    records: Sequence[Record]

    @property
    def judged(self) -> Sequence[Record]:
        return judged(self.records)

    @property
    def left_out(self) -> int:
        return sum(record.is_infrastructure for record in self.records)

    @property
    def resolved(self) -> int:
        return sum(record.is_resolved for record in self.records)

    @property
    def rate(self) -> float | None:
        """Of the judged ones; None where there is none."""
        return rate(groups(self.records)) if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        return clustered(groups(self.records))

    @property
    def counted(self) -> Sequence[Record]:
        """Those whose cost and length say something: what surrounds the model let them run."""
        return [record for record in self.records if not record.is_infrastructure]

    @property
    def cost(self) -> float | None:
        """The median of an attempt, of those whose price is known."""
        costs = [one.used.cost for one in self.counted if one.used.cost is not None]
        return median(costs) if costs else None

    @property
    def tokens(self) -> float:
        """The median of an attempt."""
        return self.median(lambda record: record.used.tokens)

    def median(self, of: Callable[[Record], float]) -> float:
        return median(map(of, self.counted)) if self.counted else 0


def arms_of(records: Sequence[Record], name: Callable[[Record], str]) -> list[Arm]:
    """In the order in which they come."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(name(record), []).append(record)
    return [Arm(*both) for both in found.items()]


def table(arms: Sequence[Arm]) -> Markup:
    """A row for each."""
    head = (tag("th", name, scope="col") for name in ("Arm", *_COLUMNS))
    rows = (
        tag(
            "tr",
            tag("th", arm.name, scope="row"),
            *(
                tag("td", tag("span", told(arm)), data_label=name)
                for name, told in _COLUMNS.items()
            ),
        )
        for arm in arms
    )
    body = tag("tbody", *rows)
    words = "Cost, tokens, steps and time: the median of an attempt, without those left out"
    caption = tag("caption", words)
    return tag("table", caption, tag("thead", tag("tr", *head)), body, class_="arms")


def _resolved(arm: Arm) -> str:
    if arm.rate is None:
        return NONE
    whole = percent(arm.resolved / len(arm.records))
    of_all = tag("small", f"{whole} of all")
    return join(f"{arm.resolved} of {len(arm.judged)}", of_all, between=" ")


def _cached(arm: Arm) -> str:
    prompts = sum(record.used.prompt_tokens for record in arm.counted)
    cached = sum(record.used.cached for record in arm.counted)
    return percent(cached / prompts) if prompts else NONE


def _per_resolved(arm: Arm) -> str:
    """All that was paid, for each; with a + where it was more."""
    known = [record.used.cost for record in arm.records if record.used.cost is not None]
    if not known or not arm.resolved:
        return NONE
    return dollars(sum(known) / arm.resolved) + ("+" if len(known) < len(arm.records) else "")


def _steps(arm: Arm) -> str:
    return f"{arm.median(lambda record: record.used.steps):g}"


def _time(arm: Arm) -> str:
    return time(arm.median(lambda record: record.used.seconds))


_COLUMNS: dict[str, Callable[[Arm], str]] = {
    "Resolved": _resolved,
    "Left out": lambda arm: str(arm.left_out),
    "Cost": lambda arm: dollars(arm.cost),
    "Cost per resolved": _per_resolved,
    "Tokens": lambda arm: short(arm.tokens),
    "Cached": _cached,
    "Steps": _steps,
    "Time": _time,
}
