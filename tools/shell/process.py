"""Start processes with a deadline, each in its own group. No other module starts processes.

Third-party programs, such as a model's commands, run with resource limits under a supervisor, a
process forked by one server process for all commands (see supervisor.py).
"""

import atexit
import contextlib
import errno
import hashlib
import os
import selectors
import shutil
import signal
import socket
import subprocess  # noqa: TID251
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import IO, TypeAlias

from react_agent.tools.errors import OF_THE_MACHINE, ReactAgentError
from react_agent.tools.shell import supervisor

TICK_S = 0.05  # how soon the end of a child is seen while something else holds its pipe
DRAIN_S = 0.2  # for what is still in the pipe once the child has ended
TERM_S = 0.5  # between SIGTERM and SIGKILL
SUPERVISOR_S = 5.0  # for a supervisor to end everything; it takes less
START_S = 20.0  # for a supervisor to start on a busy machine
BEGIN_S = 2.0  # for the command, from there
CHUNK = 65_536
PIPE_CHUNKS = 16  # as much as a pipe can hold
# The server is imported as a module, so that its bytecode is cached for the next time.
SUPERVISOR = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "import supervisor; supervisor.main(*map(int, sys.argv[1:]))"
)

# What a sandbox puts before a command. A supervisor does the same itself, which is faster.
OPENING = ("/bin/sh", "-c", 'exec "$@" 9< "$0"')  # then the file of a filter
ENTERING = ("--preserve-credentials", "-U", "-n", "--target")  # of nsenter, then a process and --

_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-"
_SHORTEST, _LONGEST = 8, 2_000  # of what may be of a key

Sink: TypeAlias = Callable[[bytes], object]


class CannotStart(ReactAgentError):
    """The command does not exist here, or it is not executable."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The combined stdout and stderr output. If it is too long, only head and tail are kept."""

    head: bytes = b""
    tail: bytes = b""
    left_out: int = 0  # bytes between the two

    @property
    def whole(self) -> bytes:
        return self.head + self.tail

    def replaced(self, old: bytes, new: bytes) -> "Printed":
        return Printed(self.head.replace(old, new), self.tail.replace(old, new), self.left_out)


@dataclass(frozen=True, slots=True)
class CommandResult:
    code: int  # negative: the signal that ended it
    printed: Printed
    timed_out: bool
    seconds: float
    hit: str = ""  # the limit that ended it, see supervisor.py

    @property
    def output(self) -> bytes:
        return self.printed.whole


@dataclass(frozen=True, slots=True)
class Ending:
    code: int
    hit: str = ""


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """The resources that one command and its descendants may use."""

    cpu_seconds: int = 3_600  # of any one process
    memory: int = 4 * 1024**3  # bytes, of all processes together
    processes: int = 512  # at once
    file_bytes: int = 4 * 1024**3  # of any one file
    open_files: int = 65_536  # of any one process
    room: int = 2 * 1024**3  # bytes that stay free on the disk, for what else is written there
    temporary: int = 4 * 1024**3  # bytes, of all files in the folder of temporary files, their /tmp
    inodes: int = 100_000  # files that can still be made there


_ANY = 1 << 61
# For our own programs. The seconds are the most that the kernel can count in nanoseconds.
UNLIMITED = ResourceLimits(10**9, _ANY, _ANY, _ANY, room=0, temporary=_ANY, inodes=0)


class HeadAndTail:
    """A buffer that keeps the first and last bytes of any amount of data."""

    def __init__(self, keep: int) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.left_out = 0  # bytes between the two
        self._half = keep // 2

    def add(self, chunk: bytes) -> None:
        room = self._half - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        surplus = len(self.tail) - self._half
        if surplus > 0:
            del self.tail[:surplus]
            self.left_out += surplus

    def kept(self) -> Printed:
        """Return the kept bytes without a word that was cut in two, as it may be half a key."""
        if not self.left_out:
            return Printed(bytes(self.head), bytes(self.tail))
        before, after = half_at_end(self.head), half_at_end(self.tail[::-1])
        head = bytes(self.head[: len(self.head) - before])
        return Printed(head, bytes(self.tail[after:]), self.left_out + before + after)


def half_at_end(data: bytes | bytearray) -> int:
    """Return how many bytes at the end belong to a word, which may be half a key."""
    length = len(data) - len(data.rstrip(_SIGNS))
    return length if _SHORTEST <= length <= _LONGEST else 0


class Child(subprocess.Popen[bytes]):
    """The leader of a process group. Signals go to the whole group, even if the leader is gone."""

    def send_signal(self, sig: int) -> None:
        # macOS answers "not permitted" for a group of zombies
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, sig)


class Supervised:
    """A command that a supervisor watches.

    The socket `control` reports how the command ended, and closes when none of its processes are
    left. Several threads may use this object.
    """

    def __init__(self, output: IO[bytes], control: socket.socket) -> None:
        self.output = output
        self.returncode: int | None = None  # 0 once nothing is left
        self._control = control
        self._words = bytearray()
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        with self._lock:
            while self.returncode is None:
                try:
                    said = self._control.recv(CHUNK, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    break
                except ConnectionError:
                    said = b""
                self._words += said
                if not said:
                    self.returncode = 0
                    self._control.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until all processes of the command have ended. Raises TimeoutExpired."""
        deadline = monotonic() + (float("inf") if timeout is None else timeout)
        while self.poll() is None:
            with self._lock:
                if self.returncode is not None:
                    break
                control = self._control.dup()
            with control, selectors.PollSelector() as waiting:
                waiting.register(control, selectors.EVENT_READ)
                left = deadline - monotonic()
                if left <= 0 or not waiting.select(None if timeout is None else left):
                    raise subprocess.TimeoutExpired("a command", timeout or 0.0)
        return 0

    def terminate(self) -> None:
        """Ask the command to end by sending SIGTERM."""
        self._ask(b"t")

    def _ask(self, what: bytes) -> None:
        with self._lock, contextlib.suppress(OSError):
            if self.returncode is None:
                self._control.sendall(what)
        SERVER.wake()

    def kill(self) -> None:
        """Kill the command and all its descendants, unless it has already ended."""
        if self.poll() is not None:
            return
        self._ask(b"i")
        try:
            self.wait(SUPERVISOR_S)
        except subprocess.TimeoutExpired:
            SERVER.close(0.0)  # it hangs: an error of ours
            self.wait(SUPERVISOR_S)

    def discard(self) -> None:
        self.kill()
        self.output.close()

    def ending(self) -> Ending:
        """Return how the command ended, if it has ended."""
        self.output.close()
        words = bytes(self._words).split(b"\n")[0].split()
        if len(words) != 3:  # ended CODE HIT
            return Ending(-signal.SIGKILL, "supervisor")
        return Ending(int(words[1]), words[2].decode().strip("-"))


class Server:
    """The process that forks a supervisor for each command. It is started on first use.

    It has an empty environment and none of our file descriptors, and it ends when we do.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._requests: socket.socket | None = None

    def ask(self, kind: bytes, *descriptors: int) -> None:
        """Send the descriptors of a new command to the server process. Raises OSError."""
        with self._lock:
            for is_last in (False, True):
                requests = self._begun()
                try:
                    socket.send_fds(requests, [kind], descriptors)
                    return
                except ConnectionError:  # a command has ended it
                    if is_last:
                        raise

    def wake(self) -> None:
        """Resume the process, because a command may have stopped it."""
        if (child := self._child) is not None:
            child.send_signal(signal.SIGCONT)

    def close(self, patience_s: float = SUPERVISOR_S) -> None:
        """End the process and all its commands."""
        with self._lock:
            self._end(patience_s)

    def _begun(self) -> socket.socket:
        if self._requests and self._child and self._child.poll() is None:
            return self._requests
        self._end(0.0)
        self._requests, theirs = socket.socketpair()
        with theirs:
            asked = (str(Path(__file__).parent), str(theirs.fileno()), str(os.getpid()))
            self._child = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", SUPERVISOR, *asked],
                cwd="/",
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )
        return self._requests

    def _end(self, patience_s: float) -> None:
        if self._requests is not None:
            self._requests.close()
        if self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(patience_s)
            self._child.kill()
            self._child.wait()
        self._child = self._requests = None


SERVER = Server()
atexit.register(SERVER.close)


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    keep_bytes: int = 200_000,
    limits: ResourceLimits | None = None,
) -> CommandResult:
    """Run a command with exactly this environment and an empty stdin; kill its group at the end.

    Without limits, a process that left the group, as with `setsid`, keeps running.
    """
    output = HeadAndTail(keep_bytes)
    if limits is None:
        _check(argv, cwd, env)
        began = monotonic()
        try:
            child = begin(argv, env, subprocess.DEVNULL, cwd=cwd, stderr=subprocess.STDOUT)
        except OSError as error:
            raise _cannot_start(argv[0], error.errno or 0) from None
        with child:
            assert child.stdout is not None
            timed_out = attend(child, {child.stdout: output.add}, timeout_s)
        ending = Ending(child.returncode)
    else:
        kept = start(argv, cwd=cwd, env=env, limits=limits)
        began = monotonic()
        timed_out = attend(kept, {kept.output: output.add}, timeout_s, SUPERVISOR_S)
        ending = kept.ending()
    took = monotonic() - began
    return CommandResult(ending.code, output.kept(), timed_out, took, ending.hit)


def start(
    argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], limits: ResourceLimits
) -> Supervised:
    """Start a command and leave it running. The caller has to read its output, or it blocks."""
    _check(argv, cwd, env)
    calls, holder, argv = parted(argv)
    program = argv[0] if "/" in argv[0] else find_program(argv[0], env.get("PATH", os.defpath))
    if program is None:
        raise _cannot_start(argv[0], errno.ENOENT)
    control, its_control = socket.socketpair()
    request, its_request = socket.socketpair()
    reader, writer = os.pipe()
    output = os.fdopen(reader, "rb", buffering=0)
    kept = Supervised(output, control)
    most = ",".join(f"{name}={number}" for name, number in asdict(limits).items())
    kind = hashlib.sha256(f"{most} {holder}".encode()).digest()[: supervisor.KIND]
    with contextlib.ExitStack() as undone, request:
        undone.callback(kept.discard)
        with its_control, its_request, os.fdopen(writer, "wb", buffering=0):
            try:
                ends = (its_control.fileno(), its_request.fileno(), writer)
                SERVER.ask(kind, *ends)
            except OSError as error:
                raise _cannot_start(argv[0], error.errno or 0) from None
        said = bytearray()
        with contextlib.suppress(ConnectionError):  # somebody ended the server
            variables = (f"{name}={value}" for name, value in env.items())
            words = (most, calls, holder, str(cwd.absolute()), program, str(len(argv)), *argv)
            asked = os.fsencode("\0".join((*words, *variables)))  # as a supervisor reads it
            request.sendall(b"%d\0" % len(asked) + asked)
            request.shutdown(socket.SHUT_WR)
            # `+` and any error number; a supervisor that the command stopped sends no end
            with selectors.PollSelector() as pipes:
                pipes.register(request, selectors.EVENT_READ, said.extend)
                _read(pipes, monotonic() + START_S, while_=lambda: not said)
                _read(pipes, monotonic() + BEGIN_S, while_=lambda: True)
        if said == b"+":
            undone.pop_all()
            return kept
    raise _cannot_start(argv[0], int(said[1:] or 0))


def parted(argv: Sequence[str]) -> tuple[str, str, Sequence[str]]:
    """Return the filter and the process whose namespaces to enter, if any, and the command."""
    calls = holder = ""
    if tuple(argv[:3]) == OPENING:
        calls, argv = argv[3], argv[4:]
    if tuple(argv[1:5]) == ENTERING:
        holder, argv = argv[5], argv[7:]
    return calls, holder, argv


def _check(argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
    if not cwd.is_dir():
        raise CannotStart(f"cannot start {argv[0]}: there is no folder {cwd}")
    if any("\0" in word for word in (*argv, *env, *env.values())):
        raise CannotStart(f"cannot start {argv[0]!r}: embedded null byte")


def begin(
    argv: Sequence[str],
    env: Mapping[str, str],
    given: IO[bytes] | int,
    *kept: int,
    cwd: Path | None = None,
    stderr: int = subprocess.PIPE,
) -> Child:
    """Start a program in its own process group. Raises OSError or ValueError."""
    return Child(
        argv,
        cwd=cwd,
        env=dict(env),
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=stderr,
        bufsize=0,
        start_new_session=True,
        pass_fds=kept,
    )


def attend(
    child: Child | Supervised,
    sinks: Mapping[IO[bytes], Sink],
    timeout_s: float,
    patience_s: float = TERM_S,
) -> bool:
    """Read the child's pipes until it ends, or end it at the deadline. Return True in that case."""
    deadline = monotonic() + timeout_s
    try:
        with selectors.PollSelector() as pipes:
            for pipe, sink in sinks.items():
                pipes.register(pipe, selectors.EVENT_READ, sink)
            if _ended_by(deadline, child, pipes):
                return False
            child.terminate()
            if not _ended_by(monotonic() + patience_s, child, pipes):
                child.kill()
                _drain(pipes)
            return True
    finally:  # after a good end and an interrupt too: what it left goes
        child.kill()
        child.wait()


def _ended_by(deadline: float, child: Child | Supervised, pipes: selectors.BaseSelector) -> bool:
    _read(pipes, deadline, while_=lambda: child.poll() is None)
    with contextlib.suppress(subprocess.TimeoutExpired):  # it may close its output and live on
        child.wait(max(0.0, deadline - monotonic()))
    if child.returncode is None:
        return False
    _drain(pipes)
    return True


def _drain(pipes: selectors.BaseSelector) -> None:
    # don't wait for the end of file: a descendant that left the group can hold the pipe for hours
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


def find_program(name: str | Path, path: str | None = None) -> str | None:
    """Return the path of a program. It is searched in `path`, or in our own PATH by default."""
    return shutil.which(name, path=path)


def _cannot_start(program: str, number: int) -> Exception:
    why = {0: "its supervisor did not start", errno.ENOENT: "no such command"}.get(number)
    line = f"cannot start {program}: {why or os.strerror(number)}"
    return OSError(number, line) if number in OF_THE_MACHINE else CannotStart(line)
