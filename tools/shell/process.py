"""The one door to processes: each in its own group, read with a deadline, ended with it.

What others wrote, as a model's commands are, gets an Allowance and a keeper (see keeper.py).
"""

import contextlib
import errno
import os
import selectors
import signal
import subprocess  # noqa: TID251
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, TypeAlias

from react_agent.tools.errors import OF_THE_MACHINE, ReactAgentError
from react_agent.tools.shell.allowance import Allowance, written
from react_agent.tools.shell.head_and_tail import HeadAndTail

TICK_S = 0.05  # how soon the end of a child is seen while something else holds its pipe
DRAIN_S = 0.2  # for what is still in the pipe once the child has ended
TERM_S = 0.5  # between SIGTERM and SIGKILL
KEEPER_S = 5.0  # for a keeper to end everything; it takes less
START_S = 20.0  # for a keeper to start on a busy machine
CHUNK = 65_536
PIPE_CHUNKS = 16  # as much as a pipe can hold
# A name to import, so that its bytecode is there the next time.
KEEPER = "import sys; sys.path.append(sys.argv.pop(1)); import keeper; keeper.main(sys.argv[1:])"

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
    hit: str = ""  # the limit that ended it, see allowance.py


@dataclass(frozen=True, slots=True)
class Ending:
    code: int
    hit: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """How a child and what it started are ended."""

    ask: Callable[[Child], object]
    patience_s: float
    make: Callable[[Child], object]


@dataclass(frozen=True, slots=True)
class Kept:
    """A command that a keeper watches over; the child is the keeper's guard."""

    child: Child
    words: IO[bytes]

    @property
    def output(self) -> IO[bytes]:
        assert self.child.stdout is not None
        return self.child.stdout

    def end(self) -> None:
        """End everything, unless it has ended."""
        _make_keeper_end(self.child)
        self.child.wait()

    def discard(self) -> None:
        self.end()
        self.output.close()
        self.words.close()

    def ending(self) -> Ending:
        """How it ended, once it has; to be called once."""
        self.output.close()
        with self.words:
            words = _said(self.words, KEEPER_S).split(b"\n")[0].split()
        if self.child.returncode or len(words) != len(("ended", "code", "hit")):
            return Ending(-signal.SIGKILL, "keeper")
        return Ending(int(words[1]), words[2].decode().strip("-"))


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    keep_bytes: int = 200_000,
    limits: Allowance | None = None,
) -> Done:
    """Run a command with exactly this environment and nothing on stdin, and end its group.

    Without limits, what has left the group, as `setsid` does, lives on, but can't hold us.
    """
    began = monotonic()
    output = HeadAndTail(keep_bytes)
    if limits is None:
        with _start(argv, cwd, env) as child:
            assert child.stdout is not None
            timed_out = attend(child, {child.stdout: output.add}, timeout_s)
        ending = Ending(child.returncode)
    else:
        kept = start(argv, cwd=cwd, env=env, limits=limits)
        began = monotonic()
        with kept.child:
            timed_out = attend(kept.child, {kept.output: output.add}, timeout_s, KEEPERS)
        ending = kept.ending()
    return Done(
        argv=tuple(argv),
        code=ending.code,
        output=output.whole_words(),
        left_out=output.left_out,
        cut_at=len(output.head),
        timed_out=timed_out,
        seconds=monotonic() - began,
        hit=ending.hit,
    )


def start(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], limits: Allowance) -> Kept:
    """Start a command and leave it running; its output has to be read, or it waits."""
    words, its_words = _pipe()
    started, its_started = _pipe()
    keeper = (sys.executable, "-I", "-S", "-c", KEEPER, str(Path(__file__).parent))
    passed = (its_words, its_started)
    asked = (*map(str, passed), str(os.getpid()), written(limits, env))
    with contextlib.ExitStack() as undone:
        undone.callback(words.close)
        with started:
            try:
                child = _start(argv, cwd, env, (*keeper, *asked), passed)
            finally:
                for descriptor in passed:
                    os.close(descriptor)
            kept = Kept(child, words)
            undone.callback(kept.discard)
            said = _said(started, START_S)
        if said == b"+":
            undone.pop_all()
            return kept
    raise _cannot_start(argv[0], int(said[1:] or 0))


def _pipe() -> tuple[IO[bytes], int]:
    reader, writer = os.pipe()
    return os.fdopen(reader, "rb", buffering=0), writer


def _said(pipe: IO[bytes], seconds: float) -> bytes:
    """All that comes until the other end is closed."""
    said = bytearray()
    with selectors.DefaultSelector() as pipes:
        pipes.register(pipe, selectors.EVENT_READ, said.extend)
        _read(pipes, monotonic() + seconds, while_=lambda: True)
    return bytes(said)


def begin(argv: Sequence[str], env: Mapping[str, str], given: IO[bytes], *kept: int) -> Child:
    """Something of ours, in a group of its own, its output and its complaints told apart."""
    return subprocess.Popen(
        argv,
        env=dict(env),
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        pass_fds=kept,
    )


def attend(
    child: Child, sinks: Mapping[IO[bytes], Sink], timeout_s: float, ends: Ends | None = None
) -> bool:
    """Read a group leader's pipes until it ends, or end it: True if it ran out of time."""
    deadline = monotonic() + timeout_s
    ends = ends or GROUPS
    try:
        with selectors.DefaultSelector() as pipes:
            for pipe, sink in sinks.items():
                pipes.register(pipe, selectors.EVENT_READ, sink)
            if _ended_by(deadline, child, pipes):
                return False
            ends.ask(child)
            if not _ended_by(monotonic() + ends.patience_s, child, pipes):
                ends.make(child)
                _drain(pipes)
            return True
    finally:  # after a good end and an interrupt too: what it left goes
        ends.make(child)
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
    for _ in range(PIPE_CHUNKS if pipes.get_map() else 0):  # a busy machine may have let us sleep
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


def _make_keeper_end(child: Child) -> None:
    if child.poll() is not None:
        return
    for which in (signal.SIGCONT, signal.SIGINT):
        child.send_signal(which)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(KEEPER_S)
        return
    _signal_group(child, signal.SIGKILL)  # a keeper that hangs: an error of ours


GROUPS = Ends(
    ask=lambda child: _signal_group(child, signal.SIGTERM),
    patience_s=TERM_S,
    make=lambda child: _signal_group(child, signal.SIGKILL),
)
KEEPERS = Ends(
    ask=lambda child: child.send_signal(signal.SIGTERM),
    patience_s=KEEPER_S,
    make=_make_keeper_end,
)


def _start(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    keeper: Sequence[str] = (),
    passed: tuple[int, ...] = (),
) -> Child:
    if not cwd.is_dir():
        raise CannotStart(f"cannot start {argv[0]}: there is no folder {cwd}")
    try:
        return subprocess.Popen(
            [*keeper, *argv],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,
            pass_fds=passed,
        )
    except OSError as error:
        raise _cannot_start(argv[0], error.errno or 0) from None
    except ValueError as error:  # a NUL in an argument
        raise CannotStart(f"cannot start {argv[0]!r}: {error}") from None


def _cannot_start(program: str, number: int) -> Exception:
    why = {0: "its keeper did not start", errno.ENOENT: "no such command"}.get(number)
    line = f"cannot start {program}: {why or os.strerror(number)}"
    return OSError(number, line) if number in OF_THE_MACHINE else CannotStart(line)
