"""How far an experiment is, below what is printed of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from react_agent.cli.terminal.screen import Footer, console
from react_agent.eval.engine.runner import Job, Spent
from react_agent.eval.task import Record
from react_agent.parsers.text.counted import counted, lasting
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import clock

_LINES = 20  # of workers


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
        self._footer = Footer(self.console, lambda columns, height: self.shown())

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
                self.say(f"{self.done}/{self.total}  {_line(record)}")

    def say(self, line: str) -> None:
        self._footer.print(Text(escape(line)))

    def _count(self, record: Record) -> None:
        self.done += 1
        self.resolved += record.is_resolved
        if not record.is_resolved:
            self.failed[record.why] += 1

    def live(self) -> AbstractContextManager[None]:
        return self._footer.shown()

    def shown(self) -> Sequence[Text]:
        """A row for each worker."""
        now, busy = self.clock(), dict(self._busy)  # a terminal is drawn by a thread of its own
        done, left = self.done - self._before, self.total - self.done
        each = (now - self._began) / done if done and left else 0.0
        ending = f"  {lasting(each * left)} to go" if each else ""
        rows = [Text(f"{self.summary()}{ending}", "reverse"), *map(Text, self.kinds())]
        for slot, (job, since) in sorted(busy.items())[:_LINES]:
            doing = "judging" if job.is_solved else "solving"
            rows.append(
                Text(f"{slot:3}  {lasting(now - since):>7}  {doing}  {escape(str(job.key))}")
            )
        if (others := len(busy) - _LINES) > 0:
            rows.append(Text(f"     and {counted(others, 'worker')} more"))
        return rows

    def summary(self) -> str:
        cost = f"  {self.spent.usd:.2f} $" if self.spent.usd else ""
        spent = f"{self.spent.tokens:,} tokens{cost}"
        return f"{self.done}/{self.total} done  {self.resolved} resolved  {spent}"

    def kinds(self) -> Iterator[str]:
        if self.failed:
            counts = (f"{number} {kind}" for kind, number in self.failed.most_common())
            yield "not resolved: " + "; ".join(counts)


def _line(record: Record) -> str:
    used = record.used
    why = f", {record.kind}" + (f" (step {record.step})" if record.step else "")
    cost = "" if used.cost is None else f", {used.cost:.4f} $"
    took = f"{counted(used.steps, 'step')}, {counted(used.tokens, 'token')}{cost}"
    return f"{record.key}: {record.verdict.value}{why if record.kind else ''}, {took}"
