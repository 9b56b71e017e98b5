"""How far an experiment is: on a terminal a few lines that change, elsewhere a line an attempt."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from react_agent.cli.footer import Footer
from react_agent.cli.screen import console
from react_agent.eval.engine.runner import Job
from react_agent.eval.engine.spending import Spent
from react_agent.eval.record import Record
from react_agent.parsers.text.counted import counted, lasting
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import clock

_LINES = 20  # of workers
_NAME, _SHORTEST = 48, 8  # columns of a name
_BESIDE = 23  # beside it


@dataclass(slots=True)
class Progress:
    total: int
    console: Console = field(default_factory=console)
    clock: Callable[[], float] = clock.monotonic
    spent: Spent = field(default_factory=Spent)
    done: int = 0
    resolved: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    _before: int = 0  # done, when it began
    _began: float = 0.0
    _busy: dict[int, tuple[Job, float]] = field(default_factory=dict)
    _footer: Footer = field(init=False)

    def __post_init__(self) -> None:
        self._footer = Footer(self.console, lambda columns, height: self.shown(columns))

    def start(self, records: Iterable[Record], spent: Spent) -> None:
        """With what was done before."""
        for record in records:
            if not record.is_infrastructure:  # that is done again
                self._count(record)
        self.spent, self._before, self._began = spent, self.done, self.clock()

    def began(self, slot: int, job: Job) -> None:
        self._busy[slot] = job, self.clock()

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        self._busy.pop(slot, None)
        self.spent = spent
        if record is not None:
            self._count(record)
            if not self.console.is_terminal:
                self.say(f"{self.done}/{self.total}  {told(record)}")

    def say(self, line: str) -> None:
        self._footer.print(Text(escape(line)))

    def _count(self, record: Record) -> None:
        self.done += 1
        self.resolved += record.is_resolved
        if not record.is_resolved:
            self.failed[record.why] += 1

    def live(self) -> AbstractContextManager[None]:
        return self._footer.shown()

    def shown(self, columns: int) -> Sequence[Text]:
        left = self.seconds_left()
        ending = "" if left is None else f"  {lasting(left)} to go"
        first = Text(f"{self.summary()}{ending}", style="reverse")
        return [first, *map(Text, self.kinds()), *map(Text, self._workers(columns))]

    def summary(self) -> str:
        cost = f"  {self.spent.usd:.2f} $" if self.spent.usd else ""
        spent = f"{self.spent.tokens:,} tokens{cost}"
        return f"{self.done}/{self.total} done  {self.resolved} resolved  {spent}"

    def kinds(self) -> Iterator[str]:
        if self.failed:
            counts = (f"{number} {kind}" for kind, number in self.failed.most_common())
            yield "not resolved: " + "; ".join(counts)

    def _workers(self, columns: int) -> Iterator[str]:
        room = max(min(_NAME, columns - _BESIDE), _SHORTEST)
        now, busy = self.clock(), dict(self._busy)  # a terminal is drawn by a thread of its own
        for slot in sorted(busy)[:_LINES]:
            job, since = busy[slot]
            name = escape(str(job.key))
            name = name if len(name) <= room else f"...{name[3 - room :]}"
            doing = "judging" if job.is_solved else "solving"
            yield f"{slot:3}  {doing}  {name:{room}}  {lasting(now - since):>7}"
        if (others := len(busy) - _LINES) > 0:
            yield f"     and {counted(others, 'worker')} more"

    def seconds_left(self) -> float | None:
        """By what was done since it began; None where nothing was, or all is."""
        done = self.done - self._before
        if not done or self.done == self.total:
            return None
        return (self.clock() - self._began) / done * (self.total - self.done)


def told(record: Record) -> str:
    """One line."""
    shown = f"{record.key}: {record.verdict.value}"
    if record.kind:
        shown += f", {record.kind}" + (f" (step {record.step})" if record.step else "")
    used = record.used
    cost = "" if used.cost is None else f", {used.cost:.4f} $"
    return f"{shown}, {counted(used.steps, 'step')}, {counted(used.tokens, 'token')}{cost}"
