"""Local workers: processes that run one function at a time, as requested over a channel.

`LocalExecutor` assigns tasks to them. If a process is killed, only one future fails. `Worker` is
the owner's end of a channel. The process itself runs `main`.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from pickle import PicklingError, dumps, loads
from queue import SimpleQueue
from types import FrameType
from typing import IO, Any, NoReturn

from react_agent.errors import ReactAgentError
from react_agent.tools import disk
from react_agent.tools.shell import process
from react_agent.tools.shell.this_process import hide_memory

PATIENCE_S = 3.0  # for a process to end after it is asked to
LAST_S = 1.0  # for a process to end after its channel is closed
TAIL = 2000  # last bytes of the output in which the last line is looked for
WORDS = 300
_LET_GO_S = 5.0  # for the current call to end after the owner is gone
_PROGRAM = (
    "import sys; from react_agent.eval.engine.worker import main; main(*map(int, sys.argv[1:]))"
)


class WorkerDied(ReactAgentError):
    """The worker's process ended during a call. Other workers are not affected."""


class PastDeadline(ReactAgentError):
    """The function ran past its deadline, so its process was ended."""


class Ended(ReactAgentError):
    """The process was ended because its result is no longer needed."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A function with a time limit. A worker enforces the limit, and a direct call ignores it."""

    function: Callable[..., Any]
    seconds: float | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


@dataclass(slots=True)
class _Alive:
    """A running process, the channel to it, and the file that contains its output."""

    child: process.Child
    line: socket.socket
    channel: Connection
    printed: IO[bytes]

    def last_words(self) -> str:
        """Return the last line that the process printed, such as the last line of a traceback."""
        assert self.child.stderr is not None
        self.printed.seek(max(0, self.printed.seek(0, os.SEEK_END) - TAIL))
        # before it prints to the file, e.g. that it can't import react_agent
        said = self.printed.read() or os.read(self.child.stderr.fileno(), TAIL)
        return said.decode(errors="replace").strip().split("\n")[-1].strip()[:WORDS]

    def close(self, patience_s: float = 0.0) -> int:
        """End the process, release all its resources, and return its exit code."""
        self.line.close()
        self.channel.close()
        self.printed.close()
        with self.child as child:
            process.attend(child, {}, patience_s, PATIENCE_S)
        return child.returncode


@dataclass(slots=True)
class Worker:
    """The owner's end of a channel. One thread may use it at a time, but any may call `end`."""

    environment: Mapping[str, str]
    done: int = 0  # calls, by the current process
    _alive: _Alive | None = None
    _is_wanted: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ready(self) -> None:
        """Ensure that a process is running."""
        if self._alive is None or self._alive.child.poll() is not None:
            self.close()
            self._alive = _started(self.environment)
            self.done = 0

    def call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function in the worker. Raises WorkerDied, PastDeadline or Ended."""
        timed = function if isinstance(function, Timed) else Timed(function, None)
        request = dumps((timed.function, args, kwargs))
        with self._lock:
            if not self._is_wanted:
                raise Ended("it was stopped before it started")
            self.ready()
        is_good, value = loads(self._answer(request, timed.seconds))
        self.done += 1
        if is_good:
            return value
        raise value

    def _answer(self, request: bytes, seconds: float | None) -> bytes:
        assert self._alive is not None
        try:
            self._alive.printed.truncate(self._alive.printed.seek(0))  # a shared file position
            self._alive.channel.send_bytes(request)
            if self._alive.channel.poll(seconds):
                return self._alive.channel.recv_bytes()
        except (EOFError, OSError):
            raise self._death() from None
        self.close()
        raise PastDeadline(f"it was ended after {seconds:g} seconds")

    def _death(self) -> ReactAgentError:
        assert self._alive is not None
        if not self._is_wanted:
            self.close()
            return Ended("it was stopped while it was working")
        words = self._alive.last_words()
        code, self._alive = self._alive.close(LAST_S), None
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return WorkerDied(f"the process of its worker was ended {how}{words and f': {words}'}")

    def end(self) -> None:
        """End the current call, and reject new calls until `revive` is called."""
        with self._lock:
            self._is_wanted = False
            alive = self._alive  # the thread of the call may close it meanwhile
            if alive is not None:
                with contextlib.suppress(OSError):  # both ends see that, at once
                    alive.line.shutdown(socket.SHUT_RDWR)

    def revive(self) -> None:
        with self._lock:
            if not self._is_wanted:  # the process may not have noticed yet
                self.close()
            self._is_wanted = True

    def close(self) -> None:
        """End the process, if it is running."""
        if self._alive is not None:
            self._alive.close()
            self._alive = None


def _started(environment: Mapping[str, str]) -> _Alive:
    line, theirs = socket.socketpair()
    printed = disk.temporary_file()  # closed with the process
    kept = theirs.fileno(), printed.fileno()
    argv = [sys.executable, "-P", "-c", _PROGRAM, *map(str, kept)]
    with theirs, disk.opened(Path(os.devnull)) as nothing:
        child = process.begin(argv, environment, nothing, *kept)
    alive = _Alive(child, line, Connection(os.dup(line.fileno())), printed)
    with contextlib.suppress(OSError):  # it has ended: the first call reports it
        alive.channel.send_bytes(dumps(sys.path))
    return alive


def main(channel: int, errors: int) -> None:
    """Run the worker. The descriptors are for the channel and for all printed output."""
    for stream in (1, 2):
        os.dup2(errors, stream)
    os.close(errors)
    hide_memory()
    signal.signal(signal.SIGTERM, _interrupted)
    os.set_inheritable(channel, False)
    owner = Connection(channel)
    try:
        sys.path[:] = loads(owner.recv_bytes())
        asked: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_listen, args=(owner, asked), daemon=True).start()
        while True:
            owner.send_bytes(_answer(asked.get()))
    except (KeyboardInterrupt, EOFError, OSError):
        _leave()


def _listen(owner: Connection, asked: SimpleQueue[bytes]) -> None:
    """Read requests in a separate thread, which notices during a call that the owner has ended."""
    try:
        while True:
            asked.put(owner.recv_bytes())
    except (EOFError, OSError):
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGTERM)  # unlike interrupt_main, it ends a system call
        threading.Event().wait(_LET_GO_S)
        _leave()


def _answer(request: bytes) -> bytes:
    try:
        function, args, kwargs = loads(request)
        return dumps((True, function(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001  it is raised where the answer is read
        raised: Exception = error
    try:
        loads(answer := dumps((False, raised)))
    except Exception:  # noqa: BLE001  an exception can be anything
        return dumps((False, PicklingError(f"{type(raised).__name__}: {raised}")))
    return answer


def _interrupted(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave() -> NoReturn:
    """Exit immediately, without waiting for the threads of a model's client."""
    os._exit(1)


RENEW_AFTER = 250  # tasks: a new process gets rid of leaks


class LocalExecutor(Executor):
    """An executor whose workers are local processes. A worker that dies is replaced.

    A future can be cancelled at any time, which ends its process. `Timed` functions have a
    deadline. Arguments and results must be picklable, and functions must be importable by name.
    """

    def __init__(
        self, workers: int, environment: Mapping[str, str], renew_after: int = RENEW_AFTER
    ) -> None:
        self.workers = workers  # how many tasks can be run at a time
        self._renew_after = renew_after
        self._threads = ThreadPoolExecutor(workers)
        self._lock = threading.Lock()
        self._asked: dict[Future[Any], Worker | None] = {}  # None: it is waiting
        self._free: SimpleQueue[Worker] = SimpleQueue()
        self._is_open = True
        for _ in range(workers):
            self._give_back(Worker(environment))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._asked[future] = None
        future.add_done_callback(self._end_if_cancelled)
        self._threads.submit(self._do, future, fn, args, kwargs)
        return future

    def _do(
        self, future: Future[Any], fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> None:
        worker = self._free.get()
        with self._lock:
            self._asked[future] = worker
        error, value = None, None
        if not future.cancelled():
            try:
                value = worker.call(fn, *args, **kwargs)
            except BaseException as raised:  # noqa: BLE001  it is the future's
                error = raised
        with self._lock:
            del self._asked[future]
            worker.revive()
        self._give_back(worker)
        if not future.set_running_or_notify_cancel():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)

    def _give_back(self, worker: Worker) -> None:
        if worker.done >= self._renew_after:
            worker.close()
        with contextlib.suppress(OSError):  # the next task reports it
            worker.ready()
        self._free.put(worker)

    def _end_if_cancelled(self, future: Future[Any]) -> None:
        with self._lock:
            worker = self._asked.get(future) if future.cancelled() else None
            if worker is not None:
                worker.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the executor down. If `wait` is true, all processes have ended when this returns."""
        if cancel_futures:
            for future in [one for one, worker in list(self._asked.items()) if worker is None]:
                future.cancel()
        if self._is_open:
            self._is_open = False
            for _ in range(self.workers):
                self._threads.submit(lambda: self._free.get().close())
        self._threads.shutdown(wait)
