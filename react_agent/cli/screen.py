"""A run as it goes on: the transcript growing, and below it a line that counts."""

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.text import Text

from react_agent.cli.paint import note, painted
from react_agent.parsers.entries import Entry, Seen
from react_agent.parsers.quoting import escape
from react_agent.state import State

_NOBODY_READS = (errno.EPIPE, errno.EIO)  # a pipe, a terminal


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """rich would end the process here, whatever it is in the middle of."""
        raise


def console() -> Console:
    """Prints text as it is: what a model or a repository wrote is no markup."""
    return _Console(highlight=False, markup=False, emoji=False)


@dataclass(slots=True)
class Screen:
    """On a terminal with a status line; anywhere else plain lines."""

    console: Console = field(default_factory=console)
    counted: State = field(default_factory=State)
    began: float = field(default_factory=time.monotonic)

    def count(self, entry: Entry) -> None:
        self.counted.take(entry)

    def entry(self, entry: Entry) -> None:
        self.count(entry)
        self._print(*painted(entry), *([Text()] if isinstance(entry, Seen) else []))

    def tell(self, line: str) -> None:
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
        spent = self.counted.spent
        tokens = spent.prompt_tokens + spent.reply_tokens
        cost = "" if spent.money is None else f"  {spent.money:.4f} $"
        seconds = time.monotonic() - self.began
        step = len(self.counted.steps) + (self.counted.stop is None)
        counts = f"step {step}  {tokens:,} tokens{cost}  {seconds:.0f} s"
        return Text(counts, style="reverse", no_wrap=True, overflow="ellipsis")
