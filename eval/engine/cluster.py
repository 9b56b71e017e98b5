"""An executor on the workers of a Dask cluster: on this machine, or on many without a shared disk.

Each cluster worker runs tasks in separate processes, just as the workers on this machine do. So a
deadline or a cancelled future ends the task, and a crash does not end the cluster worker.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from contextlib import ExitStack, suppress
from typing import Any

from distributed import Client, LocalCluster, Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from react_agent.errors import MachineError, UsageError
from react_agent.eval.engine import worker as ours
from react_agent.tools import variables

LOCAL = "local:"
REACHED_S = 30.0
_UNWANTED = ("released", "cancelled")  # task states in which nobody wants the result


class _Processes(WorkerPlugin):
    """A Dask plugin that owns the processes of a cluster worker, one process per thread."""

    def __init__(self, name: str) -> None:
        self.name = name  # of our coordinator: a cluster may have several

    def setup(self, worker: Worker) -> None:
        # the environment of this worker, which may be on another machine with its own keys
        environment = variables.all_of_them()
        self.free = [ours.Worker(environment) for _ in range(worker.state.nthreads)]
        self.busy: dict[Hashable, ours.Worker] = {}
        self.lock = threading.Lock()

    def run(self, key: Hashable, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        with self.lock:
            one = self.busy[key] = self.free.pop()
        try:
            return one.call(function, *args, **kwargs)
        finally:
            with self.lock:
                del self.busy[key]
                one.revive()
                self.free.append(one)

    def transition(self, key: Hashable, start: object, finish: str, **more: Any) -> None:
        if finish in _UNWANTED:
            with self.lock:
                if key in self.busy:
                    self.busy[key].end()

    def teardown(self, worker: Worker) -> None:
        with self.lock:
            for one in self.busy.values():
                one.end()
            for one in self.free:
                one.close()


def _on_worker(name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    worker = get_worker()
    processes = worker.plugins[name]
    assert isinstance(processes, _Processes)
    return processes.run(worker.get_current_task(), function, args, kwargs)


class ClusterExecutor(Executor):
    """An executor that reassigns the tasks of a lost worker. Any future can be cancelled."""

    def __init__(self, address: str, within_s: float = REACHED_S) -> None:
        """Connect to `local:N` or a scheduler's address. Raises UsageError or MachineError."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report what matters
        with ExitStack() as opened:
            self.client = opened.enter_context(_client(address, within_s, opened))
            self._name = f"react-agent-{uuid.uuid4()}"
            self.client.register_plugin(_Processes(self._name))
            opened.callback(self._leave)
            self._executor = self.client.get_executor(pure=False)
            self._opened = opened.pop_all()

    @property
    def workers(self) -> int:
        """Return the number of tasks that the cluster can run at the same time right now."""
        return sum(self.client.nthreads().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(_on_worker, self._name, fn, args, kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster. The cluster is stopped only if we started it."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._opened.close()

    def _leave(self) -> None:
        with suppress(Exception):  # the scheduler may be gone, and with it the plugin
            self.client.unregister_worker_plugin(self._name)


def _client(address: str, within_s: float, opened: ExitStack) -> Client:
    if address.startswith(LOCAL):
        cluster = LocalCluster(
            n_workers=local_workers(address),
            threads_per_worker=1,
            memory_limit=None,  # tasks run in our own processes
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # it always listens
            silence_logs=logging.CRITICAL,
        )
        return Client(opened.enter_context(cluster))
    try:
        return Client(address, timeout=within_s)
    except (OSError, TimeoutError, MemoryError) as error:  # it reads another protocol as a size
        what = "it is no Dask scheduler" if isinstance(error, MemoryError) else str(error)
        raise MachineError(f"no cluster can be reached at {address}: {what}") from error
    except ValueError as error:
        raise UsageError(f"{address} is not the address of a cluster: {error}") from error


def local_workers(address: str) -> int:
    """Return N for an address `local:N`, or 0 for any other address. Raises UsageError."""
    if not address.startswith(LOCAL):
        return 0
    count = address.removeprefix(LOCAL)
    if not count.isascii() or not count.isdecimal() or int(count) < 1:
        raise UsageError(f"--cluster {LOCAL}N needs a number of workers, not {count!r}")
    return int(count)
