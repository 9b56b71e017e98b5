"""Read lines that the user types during a run in a terminal, and handle Ctrl-C.

A typed line is sent to the model with the next prompt. After Ctrl-C, the run finishes its step and
waits for a line. A second Ctrl-C stops the run.
"""

import codecs
import os
import re
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from rich.text import Text

from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.quoting import escape
from react_agent.state.state import State
from react_agent.state.steps import MAINTAINER

_OFTEN = 0.1  # seconds
_KEY = re.compile(r"\x1b(?:\[[\d;?]*[ -/]*[@-~]|O.|.)?|.", re.DOTALL)
_ENTER, _BACK, _CLEAR, _WORD = "\r\n", "\x7f\b", "\x15", "\x17"  # Ctrl-U, Ctrl-W
_IDLE = "type a line to say something to the model; Ctrl-C pauses"
_PAUSED = "pausing after this step: Enter continues, Ctrl-C stops, or type a line"


@dataclass(slots=True)
class Keyboard:
    is_heard: Callable[[], bool]  # whether the run would take a line now
    changed: Callable[[], None]  # what is typed is to be shown
    typed: str = ""
    lines: list[str] = field(default_factory=list)  # that the model does not know yet
    is_paused: bool = False
    is_read: bool = False
    _news: threading.Condition = field(default_factory=threading.Condition)

    def said(self, state: State) -> Sequence[Event]:
        """Return the lines typed since the last step as one event. Waits while paused."""
        with self._news:
            while self.is_paused:
                self._news.wait()
            lines, self.lines = self.lines, []
        return [Event(MAINTAINER, "\n".join(lines))] if lines else []

    def row(self, columns: int) -> Text:
        """Return the end of the typed text that fits, or else a hint on what can be typed."""
        if self.typed:
            row = Text(f"> {escape(self.typed)}")
            while row.cell_len >= columns > len("> "):
                row = Text.assemble("> ", row[len("> ") + 1 :])
            return row
        if self.is_paused:
            return Text(_PAUSED, "bold yellow")
        if self.lines:
            return Text(f"with the next prompt: {escape(' / '.join(self.lines))}", "dim")
        return Text(_IDLE if self.is_read and self.is_heard() else "", "dim")

    @contextmanager
    def read(self, *, is_shown: bool) -> Iterator[None]:
        """Read the keyboard in the meantime, if this is the main thread and in the foreground."""
        is_main = threading.current_thread() is threading.main_thread()
        has_keys = is_shown and is_main and sys.stdin and sys.stdin.isatty()
        if not (has_keys and _is_ours(sys.stdin.fileno())):
            yield
            return
        descriptor, ended = sys.stdin.fileno(), threading.Event()
        mode, before = termios.tcgetattr(descriptor), signal.getsignal(signal.SIGINT)
        thread = threading.Thread(target=self._read, args=(descriptor, ended), daemon=True)
        signal.signal(signal.SIGINT, self._interrupted)
        self.is_read = True
        try:
            tty.setcbreak(descriptor)
            thread.start()
            yield
        finally:
            ended.set()
            thread.join()
            self.is_read = self.is_paused = False
            termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
            signal.signal(signal.SIGINT, before)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.is_paused or not self.is_heard():
            raise KeyboardInterrupt
        self.is_paused = True

    def _read(self, descriptor: int, ended: threading.Event) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while not ended.is_set():
            is_waiting = select.select([descriptor], [], [], _OFTEN)[0]
            if not _is_ours(descriptor):  # it runs in the background now: to read would stop it
                ended.wait(_OFTEN)
                continue
            if termios.tcgetattr(descriptor)[3] & termios.ECHO:  # back from there
                tty.setcbreak(descriptor)
            if is_waiting:
                if not (data := os.read(descriptor, 4096)):
                    return
                for key in _KEY.findall(decoder.decode(data)):
                    self._take(key)
                self.changed()

    def _take(self, key: str) -> None:
        if key in _ENTER:
            with self._news:
                self.lines += filter(None, [self.typed.strip()])
                self.typed, self.is_paused = "", False
                self._news.notify()
        elif key in _BACK:
            self.typed = self.typed[:-1]
        elif key == _CLEAR:
            self.typed = ""
        elif key == _WORD:
            self.typed = self.typed.rstrip().rpartition(" ")[0]
        elif key.isprintable():
            self.typed += key


def is_typed(seconds: float) -> bool:
    """Return whether standard input has something to read. Wait for it if it is a terminal."""
    if not (sys.stdin and sys.stdin.isatty()):
        return True
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def _is_ours(descriptor: int) -> bool:
    """Whether this process is in the foreground of the terminal."""
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return False
