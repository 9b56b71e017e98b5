"""A run as it goes on: the transcript growing, and below it a line that counts."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.text import Text

from react_agent.cli.paint import painted
from react_agent.parsers.entries import Entry, Seen
from react_agent.state import State


@dataclass(slots=True)
class Screen:
    """On a terminal with a status line; anywhere else plain lines."""

    console: Console
    counted: State = field(default_factory=State)
    began: float = field(default_factory=time.monotonic)

    def entry(self, entry: Entry) -> None:
        self.counted.take(entry)
        for text in painted(entry):
            self.console.print(text, soft_wrap=True)
        if isinstance(entry, Seen):
            self.console.print()

    def tell(self, line: str) -> None:
        self.console.print(Text(f"%% {line}", style="yellow"), soft_wrap=True)

    @contextmanager
    def live(self) -> Iterator[None]:
        if not self.console.is_terminal:
            yield
            return
        with Live(console=self.console, get_renderable=self._status, transient=True):
            yield

    def _status(self) -> Text:
        spent = self.counted.spent
        tokens = spent.prompt_tokens + spent.reply_tokens
        cost = "" if spent.money is None else f"  {spent.money:.4f} $"
        seconds = time.monotonic() - self.began
        step = len(self.counted.steps) + 1
        return Text(f"step {step}  {tokens:,} tokens{cost}  {seconds:.0f} s", style="reverse")
