"""Rows below all that is printed, drawn again in place as they change.

The cursor waits where they begin: whatever a terminal makes of them when its width changes, from
there to the end of the screen it is they, and gone before anything else is printed.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.text import Text

from react_agent.tools import variables

_OFTEN = 0.25  # seconds
_READ_LATER = "CI"  # what a job prints is a log, on whatever terminal
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"  # the cursor
_CUT, _AS_IT_COMES = "\x1b[?7l", "\x1b[?7h"  # a row that is too wide
_ERASE = "\r\x1b[J"
AS_IT_IS: dict[str, Any] = {"sep": "\n", "soft_wrap": True}  # lines, however wide

Rows = Callable[[int, int], Sequence[Text]]  # of a terminal so wide, so high


def _redraws(console: Console) -> bool:
    is_one = console.is_terminal and console.file.isatty() and not console.is_dumb_terminal
    return is_one and not variables.value(_READ_LATER)


@dataclass(slots=True)
class Footer:
    """Where nothing can be drawn again, there are no such rows."""

    console: Console
    rows: Rows
    is_shown: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _drawn: str = ""  # what stands there

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        if not _redraws(self.console):
            yield
            return
        ended = threading.Event()
        thread = threading.Thread(target=self._redraw, args=(ended,), daemon=True)
        thread.start()
        self.is_shown = True
        try:
            self._write(_HIDE)
            self.print()
            yield
        finally:
            ended.set()
            thread.join()
            self.is_shown = False
            with contextlib.suppress(OSError):  # nobody looks any more
                self._write(_ERASE + _SHOW)

    def print(self, *lines: Text) -> None:
        """Above it."""
        if not self.is_shown:
            self._print(lines)
            return
        with self._lock:
            self._drawn = self._drawing()
            self._write(_ERASE + self._rendered(lines) + self._drawn)

    def _redraw(self, ended: threading.Event) -> None:
        with contextlib.suppress(OSError):  # whoever prints the next line will find out
            while not ended.wait(_OFTEN):
                with self._lock:
                    if (now := self._drawing()) != self._drawn:
                        self._drawn = now
                        self._write(_ERASE + now)

    def _drawing(self) -> str:
        """Each row at the width there is, and up again to the first."""
        columns, height = self.console.size
        rows = [row.copy() for row in self.rows(columns, height)][: max(height - 1, 1)]
        for row in rows:
            row.truncate(columns, overflow="ellipsis")
        text = self._rendered(rows).removesuffix("\n").replace("\n", "\r\n")
        up = f"\x1b[{len(rows) - 1}A" if rows[1:] else ""
        return f"{_CUT}{text}{_AS_IT_COMES}{up}\r"

    def _rendered(self, lines: Sequence[Text]) -> str:
        with self.console.capture() as captured:
            self._print(lines)
        return captured.get()

    def _print(self, lines: Sequence[Text]) -> None:
        if lines:
            self.console.print(*lines, **AS_IT_IS)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()
