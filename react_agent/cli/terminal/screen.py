"""The terminal of a run: the growing transcript, a footer that is redrawn below it, the keyboard.

The cursor waits at the first row of the footer. However a terminal handles a change of its width,
only the footer follows the cursor, and it is erased before anything else is printed.
"""

import codecs
import contextlib
import errno
import os
import re
import secrets
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from react_agent.cli.terminal.paint import note, painted
from react_agent.cli.terminal.streams import give_lines
from react_agent.cli.terminal.table import wrapped
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import CLOSED
from react_agent.parsers.text.counted import counted, lasting, short
from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.quoting import escape, visible
from react_agent.parsers.turn.turn import Kind
from react_agent.prompt.plan_block import is_used
from react_agent.prompt.view import instructions_told, limit_told, next_prompt
from react_agent.state.state import State
from react_agent.state.steps import MAINTAINER, Spent
from react_agent.tools import clock, variables

_BETWEEN_KEYS = 0.1  # seconds
_KEY = re.compile(r"\x1b(?:\[[\d;?]*[ -/]*[@-~]|O.|.)?|.", re.DOTALL)
_ENTER, _BACK, _CLEAR, _WORD = "\r\n", "\x7f\b", "\x15", "\x17"  # Ctrl-U, Ctrl-W
_IDLE = "type a line to say something to the model; Ctrl-C pauses"
_PAUSED = "pausing after this step: Enter continues, Ctrl-C stops, or type a line"


@dataclass(slots=True)
class Keyboard:
    """What the user types during a run. A line is sent to the model with the next prompt.

    After Ctrl-C, the run finishes its step and waits for a line. A second Ctrl-C stops the run.
    """

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
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # else one more leaves it without an echo
            ended.set()
            thread.join()
            self.is_read = self.is_paused = False
            with contextlib.suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
            signal.signal(signal.SIGINT, before)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.is_paused or not self.is_heard():
            raise KeyboardInterrupt
        self.is_paused = True

    def _read(self, descriptor: int, ended: threading.Event) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with contextlib.suppress(OSError, termios.error):  # the terminal may be gone
            while not ended.is_set():
                is_waiting = select.select([descriptor], [], [], _BETWEEN_KEYS)[0]
                if not _is_ours(descriptor):  # it runs in the background now: to read would stop it
                    ended.wait(_BETWEEN_KEYS)
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


_OFTEN = 0.25  # seconds
_READ_LATER = "CI"  # the output of a CI job is a log, even on a terminal
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"  # the cursor
_CUT, _AS_IT_COMES = "\x1b[?7l", "\x1b[?7h"  # cut or wrap a row that is too wide
_ERASE = "\r\x1b[J"

Rows = Callable[[int], Sequence[Text]]  # takes the width of the terminal


def redraws(console: Console) -> bool:
    is_one = console.is_terminal and console.file.isatty() and not console.is_dumb_terminal
    return is_one and not variables.value(_READ_LATER)


@dataclass(slots=True)
class Footer:
    """The rows below the transcript. They are not shown if the console can't redraw them."""

    console: Console
    rows: Rows
    is_shown: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _drawn: str = ""  # the text on the screen

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        if not redraws(self.console):
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
        """Print lines above the footer."""
        if not self.is_shown:
            self._print(lines)
            return
        with self._lock:
            self._drawn = self._drawing()
            self._write(_ERASE + self._rendered(lines) + self._drawn)

    def _redraw(self, ended: threading.Event) -> None:
        with contextlib.suppress(OSError):  # the next print reports it
            while not ended.wait(_OFTEN):
                with self._lock:
                    if (now := self._drawing()) != self._drawn:
                        self._drawn = now
                        self._write(_ERASE + now)

    def _drawing(self) -> str:
        """Return the rows, cut to the width, and the code that moves back to the first row."""
        columns, height = self.console.size
        rows = [row.copy() for row in self.rows(columns)][: max(height - 1, 1)]
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
            self.console.print(*lines, sep="\n", soft_wrap=True)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()


_LEVELS = ((0.85, "red"), (0.6, "yellow"), (0.0, "green"))  # of the room for a prompt
_GAP = "  "
_LONGEST = 100  # characters of an input
_READY = "making ready"


@dataclass(frozen=True, slots=True)
class Status:
    """The data in the footer, except for the time, which changes on its own."""

    step: str
    doing: str
    spent: Spent
    prompt: int  # the next one
    limit: int | None  # of a prompt, where it is told

    def rows(self, columns: int, waited: float, seconds: float) -> Sequence[Text]:
        """Return the current activity with its time, and the costs with the prompt's size."""
        since = f"{_GAP}{lasting(waited)}"
        now = Text(f"{self.step}{_GAP}{self.doing}", "reverse", overflow="ellipsis")
        now.truncate(max(columns - len(since), 1))
        now.append(since).truncate(columns, pad=True)
        tokens = counted(self.spent.prompt_tokens + self.spent.reply_tokens, "token")
        money = None if self.spent.money is None else f"{self.spent.money:.4f} $"
        costs = Text(_GAP.join(filter(None, (tokens, money, lasting(seconds)))))
        if not self.limit:
            return now, costs
        share = self.prompt / self.limit
        style = next(style for least, style in _LEVELS if share >= least)
        size = f"prompt {short(self.prompt)} of {short(self.limit)} ({100 * share:.0f} %)"
        shown = Text.assemble(costs, _GAP, (size, style))
        return now, shown if shown.cell_len <= columns else costs


def status_of(run: State, turn: State | None = None, *, has_begun: bool = True) -> Status:
    """Return the status of a run, or of its current turn if a procedure controls the run."""
    now = turn or run
    of_turn = f"turn {len(run.steps) + 1}, " if turn else ""
    is_open = now.stop is None or now.pending is not None  # the conclusion is a step, too
    step = f"{of_turn}step {len(now.steps) + is_open}"
    spent = run.spent + turn.spent if turn else run.spent
    limit = None if now.stop else limit_told(now)
    prompt = next_prompt(now, instructions_told(now)) if limit else 0
    doing = _doing(now) if has_begun else _READY
    return Status(step, doing, spent, prompt, limit)


def _doing(state: State) -> str:
    if state.stop:
        return f"{state.stop}: finishing"
    if state.objective is None:
        return _READY
    if not state.pending:
        return "asking the model"
    turn = state.pending.turn
    if turn.kind is not Kind.ACTION:
        return "reading the reply"
    words = " ".join(f"{turn.action} {turn.input[:_LONGEST]}".split())
    return escape(words)


_MARKER, _NO_MARKER = "##[", "## ["  # how the log itself marks orders


def visible_in_log(line: str) -> str:
    """Make control characters visible, and break markers that would fold the log's page."""
    return visible(line).replace(_MARKER, _NO_MARKER)


_NOBODY_READS = (errno.EPIPE, errno.EIO)  # a pipe, a terminal
_COLUMNS = 80
_PLAIN = "REACT_AGENT_PLAIN"
_NO = ("", "0", "no")


class _Console(Console):
    def __init__(self, shows: Callable[[str], str], **options: Any) -> None:
        super().__init__(**options)
        self.shows = shows
        if not self.width:  # COLUMNS=0: rich would print nothing
            self.width = _COLUMNS

    def on_broken_pipe(self) -> None:
        """Raise the error again, because rich would end the process immediately."""
        raise

    def print(self, *objects: Any, soft_wrap: bool | None = True, **options: Any) -> None:
        """Print with control characters made visible, in case a command forgot to escape them."""
        shown = [_shown(one, self.shows) for one in objects]
        is_plain = not self.is_terminal and not self.quiet and self.color_system is None
        # Text without tabs needs no layout, which would take a tenth of a step.
        is_text = all(isinstance(one, Text) and "\t" not in one.plain for one in shown)
        if is_plain and is_text and soft_wrap and options.keys() <= {"sep"}:
            self.file.write(options.get("sep", " ").join(one.plain for one in shown) + "\n")
            self.file.flush()
        else:
            super().print(*shown, soft_wrap=soft_wrap, **options)


def _shown(one: Any, shows: Callable[[str], str]) -> Any:
    if isinstance(one, str):
        return shows(one)
    if isinstance(one, Text) and (plain := shows(one.plain)) != one.plain:
        return Text(plain, style=one.style)
    return one


def console(
    file: IO[str] | None = None, *, plain: bool = False, shows: Callable[[str], str] = visible
) -> Console:
    """Return a console that prints text unchanged, without interpreting markup in it.

    A plain console treats no output as a terminal: it has no colours, no pager and no wrapping.
    """
    plain = plain or variables.value(_PLAIN) not in _NO
    as_it_is = {"highlight": False, "markup": False, "emoji": False}
    return _Console(shows, file=file, force_terminal=False if plain else None, **as_it_is)


@dataclass(slots=True)
class Screen:
    """The screen of a run, with a footer on a terminal and line by line elsewhere."""

    console: Console = field(default_factory=console)
    counted: State = field(default_factory=State)
    turn: State | None = None  # of a procedure, while it goes on
    began: float = field(default_factory=clock.monotonic)
    noted: set[str] = field(default_factory=set)
    _footer: Footer = field(init=False)
    status: Status = field(default_factory=lambda: status_of(State()))
    since: float = field(default_factory=clock.monotonic)  # when the current work began
    _has_begun: bool = False  # an entry came; earlier counts are of a run that is resumed

    keyboard: Keyboard = field(init=False)

    def __post_init__(self) -> None:
        self._footer = Footer(self.console, partial(_rows, self))
        # A line is accepted while the run goes on, unless it follows a procedure.
        self.keyboard = Keyboard(
            lambda: self._has_begun and not (self.counted.stop or self.counted.procedure),
            self._footer.print,
        )

    def count(self, entry: Entry) -> None:
        if isinstance(entry, Event) and entry.name == HEADER:  # the next run
            self.counted, self.turn = State(), None
        if isinstance(entry, Seen):  # the turn ends as a step of the run
            self.turn = None
        self.counted.take(entry)
        self._has_begun = True
        self._changed()

    def within(self, entry: Entry) -> None:
        """Add an entry from a turn of a procedure."""
        self.turn = self.turn or State()
        self.turn.take(entry)
        self._changed()
        if isinstance(entry, Objective):  # the run's own objective is printed above already
            own = entry.text.removeprefix(self.counted.objective or "").lstrip("\n")
            entry = Objective(own or entry.text)
        self._show(entry)

    def entry(self, entry: Entry) -> None:
        self.count(entry)
        self._show(entry)

    def tell(self, line: str) -> None:
        if line not in self.noted:  # noted lines are printed with the transcript
            self._print(note(line, "yellow"))

    def say(self, line: str) -> None:
        self._print(Text(escape(line)), whole=True)  # a command is copied in one piece

    @contextmanager
    def live(self) -> Iterator[None]:
        self._changed()
        with self._footer.shown(), self.keyboard.read(is_shown=self._footer.is_shown):
            yield

    @contextmanager
    def in_log(self) -> Iterator[None]:
        """Print to the log of a GitHub job. Text in it that looks like an order is not followed."""
        self.console = console(plain=not self.console.is_terminal, shows=visible_in_log)
        self._footer.console = self.console
        word = secrets.token_hex(16)
        give_lines([f"::stop-commands::{word}"])
        try:
            yield
        finally:
            give_lines([f"::{word}::"])

    def _changed(self) -> None:
        """Update the status in this thread, because the footer is drawn in another one."""
        self.since = clock.monotonic()
        self.status = status_of(self.counted, self.turn, has_begun=self._has_begun)

    def _show(self, entry: Entry) -> None:
        if isinstance(entry, Event) and entry.name == "note":
            self.noted.add(entry.text)
        heading = [note(self.status.step)] if isinstance(entry, Said) else []
        below = [Text()] if isinstance(entry, (Objective, Seen)) else []
        self._print(*heading, *painted(entry), *below)

    def _print(self, *lines: Text, whole: bool = False) -> None:
        if not whole:
            lines = tuple(row for line in lines for row in wrapped(line, self.console))
        try:
            self._footer.print(*lines)
        except OSError as error:
            if error.errno not in _NOBODY_READS:
                raise
            self.console.quiet = True
            if self.counted.stop is None:  # without a reader, the run ends as by Ctrl-C
                raise KeyboardInterrupt from None


def _rows(screen: Screen, columns: int) -> Sequence[Text]:
    """Return the rows of the footer, beginning with the row that shows the typed text."""
    now, plan = clock.monotonic(), (screen.turn or screen.counted).plan
    progress = []
    if plan and is_used(plan):
        closed = sum(task.state in CLOSED for task in plan.tasks[1:])
        task = f"; now: {title_of(plan.current.goal)}" if plan.current else ""
        progress = [Text(f"plan: {closed} of {len(plan.tasks) - 1} done{task}", "bold")]
    typed = screen.keyboard.row(columns)
    return typed, *progress, *screen.status.rows(columns, now - screen.since, now - screen.began)
