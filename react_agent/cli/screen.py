"""A run as it goes on: the transcript growing, and below it a line that counts."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from react_agent.cli.paint import note, painted
from react_agent.parsers.entries import HEADER, Entry, Event, Objective, Seen
from react_agent.parsers.quoting import escape, visible
from react_agent.room import instructions_told, limit_told
from react_agent.state import State
from react_agent.tools import clock

_THOUSAND = 1000
_NOBODY_READS = (errno.EPIPE, errno.EIO)  # a pipe, a terminal


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """rich would end the process here, whatever it is in the middle of."""
        raise

    def print(self, *objects: Any, **options: Any) -> None:
        """The last door: what one of many commands forgot to escape is shown, and not obeyed."""
        super().print(*map(_visible, objects), **options)


def _visible(shown: Any) -> Any:
    if isinstance(shown, str):
        return visible(shown)
    if isinstance(shown, Text) and visible(shown.plain) != shown.plain:
        return Text(visible(shown.plain), style=shown.style)
    return shown


def console(file: IO[str] | None = None) -> Console:
    """Prints text as it is: what a model or a repository wrote is no markup."""
    return _Console(file=file, highlight=False, markup=False, emoji=False)


@dataclass(slots=True)
class Screen:
    """On a terminal with a status line; anywhere else plain lines."""

    console: Console = field(default_factory=console)
    counted: State = field(default_factory=State)
    turn: State | None = None  # of a procedure, while it goes on
    began: float = field(default_factory=clock.monotonic)
    noted: set[str] = field(default_factory=set)

    def count(self, entry: Entry) -> None:
        if isinstance(entry, Event) and entry.name == HEADER:  # the next run
            self.counted = State()
        if isinstance(entry, Seen):  # a turn is counted with the step that it is
            self.turn = None
        self.counted.take(entry)

    def within(self, entry: Entry) -> None:
        """Of a turn of a procedure."""
        self.turn = self.turn or State()
        self.turn.take(entry)
        if isinstance(entry, Objective):  # that of the run stands above, once
            own = entry.text.removeprefix(self.counted.objective or "").lstrip("\n")
            entry = Objective(own or entry.text)
        self._show(entry)

    def entry(self, entry: Entry) -> None:
        self.count(entry)
        self._show(entry)

    def _show(self, entry: Entry) -> None:
        if isinstance(entry, Event) and entry.name == "note":
            self.noted.add(entry.text)
        self._print(*painted(entry), *([Text()] if isinstance(entry, Seen) else []))

    def tell(self, line: str) -> None:
        if line not in self.noted:  # it stands in the transcript, and above
            self._print(note(line, "yellow"))

    def say(self, line: str) -> None:
        self._print(Text(escape(line)))

    def _print(self, *lines: Text) -> None:
        try:
            for line in lines:
                self.console.print(line, soft_wrap=True)
        except OSError as error:
            if error.errno not in _NOBODY_READS:
                raise
            self.console.quiet = True
            if self.counted.stop is None:  # a run that nobody watches any more ends like by Ctrl-C
                raise KeyboardInterrupt from None

    @contextmanager
    def live(self) -> Iterator[None]:
        if not self.console.is_terminal:
            yield
            return
        with Live(console=self.console, get_renderable=self._status, transient=True):
            yield

    def _status(self) -> Text:
        now = self.turn or self.counted
        spent = self.counted.spent + self.turn.spent if self.turn else self.counted.spent
        tokens = spent.prompt_tokens + spent.reply_tokens
        cost = "" if spent.money is None else f"  {spent.money:.4f} $"
        seconds = clock.monotonic() - self.began
        turn = f"turn {len(self.counted.steps) + 1}  " if self.turn else ""
        step = f"{turn}step {len(now.steps) + (now.stop is None)}"
        counts = f"{step}  {tokens:,} tokens{cost}  {seconds:.0f} s{_fill(now)}"
        return Text(counts, style="reverse", no_wrap=True, overflow="ellipsis")


def _fill(state: State) -> str:
    """How much of its room the next prompt takes."""
    limit = limit_told(state)
    if not limit:
        return ""
    prompt = state.next_prompt(instructions_told(state))
    return f"  prompt {_short(prompt)} of {_short(limit)} ({100 * prompt / limit:.0f} %)"


def _short(tokens: int) -> str:
    """`950`, `5.1k`, `96k`"""
    if tokens < _THOUSAND:
        return str(tokens)
    return f"{tokens / _THOUSAND:.{1 if tokens < 10 * _THOUSAND else 0}f}".removesuffix(".0") + "k"
