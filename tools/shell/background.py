"""Run commands in the background while the model does other things, and collect their output."""

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.tools.clock import monotonic
from react_agent.tools.shell import process
from react_agent.tools.shell.process import HeadAndTail, Printed, ResourceLimits, half_at_end

KEPT = 32_000  # bytes printed since they were last asked for, of each


@dataclass(frozen=True, slots=True)
class News:
    """The new output of a command since the last report, and its exit status if it has ended."""

    number: int
    command: str
    printed: Printed
    ending: process.Ending | None


@dataclass(slots=True)
class _Job:
    number: int
    command: str
    kept: process.Supervised
    lock: threading.Lock = field(default_factory=threading.Lock)
    output: HeadAndTail = field(default_factory=lambda: HeadAndTail(KEPT))
    ended: threading.Event = field(default_factory=threading.Event)
    ending: process.Ending | None = None
    held: bytes = b""  # of the output, the last time
    is_told: bool = False  # that it has ended

    def drain(self) -> None:
        """Read all output in a separate thread, because a full pipe would block the command."""
        while chunk := self.kept.output.read(process.CHUNK):
            with self.lock:
                self.output.add(chunk)
        self.kept.wait()
        self.ending = self.kept.ending()
        self.ended.set()

    def news(self) -> News:
        ending = self.ending  # first: nothing is printed after it
        with self.lock:
            output, self.output = self.output, HeadAndTail(KEPT)
            if ending is None:
                self._hold_back(output)
        self.is_told = ending is not None
        return News(self.number, self.command, output.kept(), ending)

    def _hold_back(self, output: HeadAndTail) -> None:
        """Hold back the last word once. It may be half a key, which redaction would miss."""
        whole = output.head + output.tail
        start = len(whole) - half_at_end(whole)
        held = bytes(whole[start:])
        if held and held != self.held:
            del output.tail[-len(held) :]
            del output.head[start:]  # what of the word is not in the tail
            self.output.add(held)
        self.held = held


class Background:
    """All background commands. The code that creates this object has to close it."""

    def __init__(
        self, *, most: int = 8, patience_s: float = 0.7, prepare: Callable[[], None] = lambda: None
    ) -> None:
        self.most = most
        self.prepare = prepare  # called before the argv of a command is made
        self.patience_s = patience_s  # for the first output
        self._jobs: dict[int, _Job] = {}
        self._lock = threading.Lock()

    def start(
        self,
        command: str,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        limits: ResourceLimits,
    ) -> News:
        """Start a command and return its first output. Raises CannotStart."""
        with self._lock:
            kept = process.start(argv, cwd=cwd, env=env, limits=limits)
            job = _Job(len(self._jobs) + 1, command, kept)
            self._jobs[job.number] = job
        threading.Thread(target=job.drain, daemon=True).start()
        job.ended.wait(self.patience_s)
        return job.news()

    def news(self) -> list[News]:
        """Return the new output and the exit of all background commands, without waiting."""
        found = (job.news() for job in self._jobs.values() if not job.is_told)
        return [news for news in found if news.printed.head or news.ending]

    def running(self) -> list[tuple[int, str]]:
        """Return the number and the text of each running command."""
        return [(job.number, job.command) for job in self._jobs.values() if not job.ended.is_set()]

    def kill(self, number: int) -> News | None:
        """End a command and its descendants. Return None if this number was never used."""
        job = self._jobs.get(number)
        if job is None:
            return None
        self._end(job)
        return job.news()

    def close(self) -> None:
        """End all commands and discard their output."""
        for job in self._jobs.values():
            self._end(job)
        self._jobs.clear()

    def _end(self, job: _Job) -> None:
        deadline = monotonic() + process.SUPERVISOR_S
        with contextlib.suppress(OSError):
            job.kept.kill()
        job.ended.wait(max(0.0, deadline - monotonic()))
