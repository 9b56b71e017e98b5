"""An Executor on workers of this machine. If a process is killed, only one future fails."""

import contextlib
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from react_agent.eval.engine.worker import Worker

RENEW_AFTER = 250  # tasks: a new process gets rid of leaks


class LocalExecutor(Executor):
    """An executor whose workers are processes; a worker that dies is replaced.

    A future can be cancelled at any time, which ends its process. `Timed` functions have a
    deadline. Arguments and results must be picklable, and functions importable by name.
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
        """Shut the executor down. With `wait`, no process is left when this returns."""
        if cancel_futures:
            for future in [one for one, worker in list(self._asked.items()) if worker is None]:
                future.cancel()
        if self._is_open:
            self._is_open = False
            for _ in range(self.workers):
                self._threads.submit(lambda: self._free.get().close())
        self._threads.shutdown(wait)
