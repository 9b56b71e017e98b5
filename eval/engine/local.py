"""Workers on this machine, as an Executor: a process that is killed breaks one future."""

import contextlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from pickle import PicklingError, dumps, loads
from queue import SimpleQueue
from types import FrameType
from typing import Any, NoReturn

from react_agent.eval.engine.worker import Start, Worker
from react_agent.tools.shell.this_process import hide_memory

RENEW_AFTER = 250  # tasks: what they leak goes with their process


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    future: Future[Any]
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def do(self, worker: Worker) -> None:
        if self.future.cancelled():
            self.future.set_running_or_notify_cancel()
            return
        try:
            value = worker.call(self.function, *self.args, **self.kwargs)
        except BaseException as error:  # noqa: BLE001  it is the future's
            if self.future.set_running_or_notify_cancel():
                self.future.set_exception(error)
        else:
            if self.future.set_running_or_notify_cancel():
                self.future.set_result(value)


@dataclass(slots=True)
class _Desk:
    """What waits, and which worker is at what."""

    jobs: queue.SimpleQueue[_Job | None] = field(default_factory=queue.SimpleQueue)
    current: dict[Future[Any], Worker] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, worker: Worker, renew_after: int) -> None:
        """In a thread of the worker's own, until there is nothing more to come."""
        _prepare(worker)
        while (job := self.jobs.get()) is not None:
            with self.lock:
                self.current[job.future] = worker
            job.do(worker)
            with self.lock:
                del self.current[job.future]
                worker.revive()
            if worker.done >= renew_after:
                worker.close()
            _prepare(worker)
            del job  # and with it what came of it
        worker.close()

    def forget(self, future: Future[Any]) -> None:
        """One that was cancelled is ended, too."""
        with self.lock:
            worker = self.current.get(future) if future.cancelled() else None
            if worker is not None:
                worker.end()


def _prepare(worker: Worker) -> None:
    with contextlib.suppress(OSError):  # the next task tells
        worker.ready()


class LocalExecutor(Executor):
    """Thread workers, each with one process of its own, which is replaced when it dies.

    A future can be cancelled at any time: its process is then ended. `Timed` functions have a
    deadline. Arguments and results have to be picklable, functions be found by their names.
    """

    def __init__(self, workers: int, start: Start, renew_after: int = RENEW_AFTER) -> None:
        self._desk = _Desk()
        self._is_open = True
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(
                target=self._desk.work,
                args=(Worker(start), renew_after),
                name=f"worker {number}",
                daemon=True,
            )
            for number in range(1, workers + 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def workers(self) -> int:
        """How many tasks can be run at a time."""
        return len(self._threads)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            if not self._is_open:
                raise RuntimeError("the executor was shut down")
            future.add_done_callback(self._desk.forget)
            self._desk.jobs.put(_Job(future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Afterwards no process is left, if it is waited for."""
        with self._lock:
            was_open, self._is_open = self._is_open, False
        if cancel_futures:
            self._drop_waiting()
        if was_open:
            for _ in self._threads:
                self._desk.jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _drop_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while (job := self._desk.jobs.get_nowait()) is not None:
                job.future.cancel()
                job.future.set_running_or_notify_cancel()
            self._desk.jobs.put(None)  # of an earlier shutdown


PATIENCE_S = 5.0  # for what is being done to end, once its owner is gone
GONE = 1


class NoOwner(Exception):
    """Nobody is there to be answered."""


def main(channel: int, errors: int) -> None:
    """Both are descriptors: one to speak over, one for whatever is printed."""
    _print_to(errors)
    hide_memory()
    signal.signal(signal.SIGTERM, _interrupted)
    os.set_inheritable(channel, False)
    owner = Connection(channel)
    try:
        path, modules = loads(owner.recv_bytes())
        sys.path[:] = path
        for name in modules:
            import_module(name)
        owner.send_bytes(b"")  # from here on a deadline runs
        _serve(owner)
    except (KeyboardInterrupt, EOFError, OSError, NoOwner):
        _leave()


def _serve(owner: Connection) -> None:
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(owner, asked), daemon=True).start()
    while True:
        owner.send_bytes(_answer(asked.get()))


def _listen(owner: Connection, asked: SimpleQueue[bytes]) -> None:
    """A thread of its own, so that the owner's end is noticed in the middle of work, too."""
    try:
        while True:
            asked.put(owner.recv_bytes())
    except (EOFError, OSError):
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGTERM)  # unlike interrupt_main, it ends a system call
        threading.Event().wait(PATIENCE_S)
        _leave()


def _answer(request: bytes) -> bytes:
    try:
        function, args, kwargs = loads(request)
        return dumps((True, function(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001  it is raised where the answer is read
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        loads(told := dumps((False, error)))
    except Exception:  # noqa: BLE001  an exception can be anything
        return dumps((False, PicklingError(f"{type(error).__name__}: {error}")))
    return told


def _print_to(errors: int) -> None:
    for stream in (1, 2):
        os.dup2(errors, stream)
    os.close(errors)


def _interrupted(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave() -> NoReturn:
    """At once: threads of a model's client would be waited for."""
    os._exit(GONE)
