"""The one door to processes: each in its own group, read with a deadline, ended with it."""

import contextlib
import os
import selectors
import signal
import subprocess  # noqa: TID251
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, TypeAlias

from react_agent.tools.errors import ReactAgentError

TICK_S = 0.05  # how soon the end of a child is seen while something else holds its pipe
DRAIN_S = 0.2  # for what is still in the pipe once the child has ended
TERM_S = 0.5  # between SIGTERM and SIGKILL
CHUNK = 65_536
PIPE_CHUNKS = 16  # as much as a pipe can hold

Child: TypeAlias = subprocess.Popen[bytes]
Sink: TypeAlias = Callable[[bytes], object]


class CannotStart(ReactAgentError):
    """The command does not exist here, or may not be executed."""


@dataclass(frozen=True, slots=True)
class Done:
    argv: tuple[str, ...]
    code: int  # negative: the signal that ended it
    output: bytes  # stdout and stderr as they came; of too much, the head and the tail
    left_out: int  # bytes dropped from the middle
    cut_at: int  # where in `output` they are missing; its length if nothing is
    timed_out: bool
    seconds: float


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    keep_bytes: int = 200_000,
) -> Done:
    """Run a command with exactly this environment and nothing on stdin, and end its group.

    What has left the group, as `setsid` does, lives on, but can't hold us.
    """
    began = monotonic()
    kept = _HeadAndTail(keep_bytes)
    with _start(argv, cwd, env) as child:
        assert child.stdout is not None
        timed_out = attend(child, {child.stdout: kept.add}, timeout_s)
    return Done(
        argv=tuple(argv),
        code=child.returncode,
        output=bytes(kept.head + kept.tail),
        left_out=kept.left_out,
        cut_at=len(kept.head),
        timed_out=timed_out,
        seconds=monotonic() - began,
    )


def attend(child: Child, sinks: Mapping[IO[bytes], Sink], timeout_s: float) -> bool:
    """Read a group leader's pipes until it ends, or end it: True if it ran out of time."""
    deadline = monotonic() + timeout_s
    try:
        with selectors.DefaultSelector() as pipes:
            for pipe, sink in sinks.items():
                pipes.register(pipe, selectors.EVENT_READ, sink)
            if _ended_by(deadline, child, pipes):
                return False
            _signal_group(child, signal.SIGTERM)
            if not _ended_by(monotonic() + TERM_S, child, pipes):
                _signal_group(child, signal.SIGKILL)
                _drain(pipes)
            return True
    finally:  # after a good end and an interrupt too: what it left in its group goes
        _signal_group(child, signal.SIGKILL)
        child.wait()


def _ended_by(deadline: float, child: Child, pipes: selectors.BaseSelector) -> bool:
    _read(pipes, deadline, while_=lambda: child.poll() is None)
    with contextlib.suppress(subprocess.TimeoutExpired):  # it may close its output and live on
        child.wait(max(0.0, deadline - monotonic()))
    if child.returncode is None:
        return False
    _drain(pipes)
    return True


def _drain(pipes: selectors.BaseSelector) -> None:
    # never to the end of file: a descendant that left the group can hold the pipe for hours
    _read(pipes, monotonic() + DRAIN_S, while_=lambda: True)
    for _ in range(PIPE_CHUNKS):  # a busy machine may have let us sleep through all that time
        _take(pipes, 0)


def _read(pipes: selectors.BaseSelector, deadline: float, *, while_: Callable[[], bool]) -> None:
    while pipes.get_map() and while_() and (left := deadline - monotonic()) > 0:
        _take(pipes, min(TICK_S, left))


def _take(pipes: selectors.BaseSelector, wait_s: float) -> None:
    for key, _ in pipes.select(wait_s):
        if chunk := os.read(key.fd, CHUNK):
            key.data(chunk)
        else:
            pipes.unregister(key.fileobj)


def _signal_group(child: Child, which: signal.Signals) -> None:
    # macOS answers "not permitted" for a group of zombies
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, which)


def _start(argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Child:
    if not cwd.is_dir():
        raise CannotStart(f"cannot start {argv[0]}: there is no folder {cwd}")
    try:
        return subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise CannotStart(f"cannot start {argv[0]}: no such command") from None
    except OSError as error:
        raise CannotStart(f"cannot start {argv[0]}: {error.strerror}") from None
    except ValueError as error:  # a NUL in an argument
        raise CannotStart(f"cannot start {argv[0]!r}: {error}") from None


class _HeadAndTail:
    """Bytes of any length, of which the first and the last are kept."""

    def __init__(self, keep: int) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.left_out = 0
        self._half = keep // 2

    def add(self, chunk: bytes) -> None:
        room = self._half - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        surplus = len(self.tail) - self._half
        if surplus > 0:
            del self.tail[:surplus]
            self.left_out += surplus
