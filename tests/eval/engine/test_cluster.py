"""Workers of a real Dask cluster on this machine: two processes that talk over loopback."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import doings
import fakes
import pytest
from waiting import WITHIN_S, is_gone, see, written

from react_agent.errors import MachineError, UsageError
from react_agent.eval.engine.cluster import ClusterExecutor
from react_agent.eval.engine.runner import Runner, Work
from react_agent.eval.engine.worker import PastDeadline, Timed, WorkerDied
from react_agent.eval.store import store as stores

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Iterator[ClusterExecutor]:
    with ClusterExecutor("local:2") as executor:
        yield executor


def test_a_failure_is_one_futures(pool: ClusterExecutor, tmp_path: Path) -> None:
    failing = {
        pool.submit(doings.fail, "no"): (ValueError, "no"),
        pool.submit(doings.die, "last words"): (WorkerDied, "by SIGKILL: last words"),
        pool.submit(Timed(doings.hang, 0.5), tmp_path / "begun"): (PastDeadline, "after 0.5 s"),
    }
    others = [pool.submit(doings.add, 1, number) for number in range(6)]
    for future, (kind, text) in failing.items():
        with pytest.raises(kind, match=text):
            future.result(WITHIN_S)
    assert [one.result(WITHIN_S) for one in others] == list(range(1, 7))
    assert pool.workers == 2


def test_what_is_cancelled_in_the_middle_ends(pool: ClusterExecutor, tmp_path: Path) -> None:
    future = pool.submit(doings.hang, tmp_path / "begun")
    pid = written(tmp_path / "begun")
    assert future.cancel()
    see(lambda: is_gone(pid))
    assert pool.submit(doings.add, 1, 2).result(WITHIN_S) == 3


def test_what_a_lost_worker_was_at_is_done_by_another(
    pool: ClusterExecutor, tmp_path: Path
) -> None:
    begun, lock = tmp_path / "begun", tmp_path / "lock"
    lock.touch()
    future = pool.submit(doings.wait_for_end_of, lock, begun)
    first = written(begun)
    [lost] = [where for where, keys in pool.client.processing().items() if keys]
    begun.unlink()
    os.kill(pool.client.run(os.getpid)[lost], signal.SIGKILL)
    second = written(begun)
    lock.unlink()
    assert (future.result(WITHIN_S), second != first) == (second, True)
    see(lambda: is_gone(first))


def test_an_experiment_loses_nothing_with_a_worker(pool: ClusterExecutor, tmp_path: Path) -> None:
    made = fakes.instances(*["takes 0.05", "fine", "wrong", "die 1"] * 5)
    store = stores.create(tmp_path / "exp", {}, made, fakes.ARMS, 1, fakes.CONDITIONS)
    work = Work(fakes.solve, fakes.grade, tmp_path)

    def kill_one() -> None:
        see(lambda: len(fakes.notes(tmp_path)) > 8)
        os.kill(next(iter(pool.client.run(os.getpid).values())), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    at_once = 3
    assert Runner(store, pool, work, at_once, fakes.Watcher()).run() == ""
    killer.join()
    verdicts = ("resolved", "resolved", "unresolved", "resolved")
    assert fakes.outline(store.records()) == [
        f"o__r-{n} plain 1: {verdicts[(n - 1) % 4]}" for n in range(1, 21)
    ]
    # what was on its way: also what it had done, where nobody had fetched the result yet
    assert len(fakes.notes(tmp_path)) <= 20 + 20 + 5 + at_once


def test_two_coordinators_share_a_cluster(pool: ClusterExecutor, tmp_path: Path) -> None:
    lock, begun = tmp_path / "lock", tmp_path / "begun"
    lock.touch()
    first = pool.submit(doings.wait_for_end_of, lock, begun)
    pid = written(begun)
    with ClusterExecutor(pool.client.scheduler.address) as other:
        used = other.submit(doings.own_pid).result(WITHIN_S)
    see(lambda: is_gone(used))
    lock.unlink()
    assert first.result(WITHIN_S) == pid


def test_a_cluster_that_is_not_there_is_one_line() -> None:
    with pytest.raises(UsageError, match="--cluster local:N needs a number of workers, not 'x'"):
        ClusterExecutor("local:x")
    with pytest.raises(UsageError, match="nowhere is not the address of a cluster"):
        ClusterExecutor("ways://nowhere")
    with pytest.raises(MachineError, match=r"no cluster can be reached at tcp://127\.0\.0\.1:1: "):
        ClusterExecutor("tcp://127.0.0.1:1", within_s=1)
    web = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        with web.accept()[0] as client:
            client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    threading.Thread(target=refuse, daemon=True).start()
    with web, pytest.raises(MachineError, match="it is no Dask scheduler"):
        ClusterExecutor(f"tcp://127.0.0.1:{web.getsockname()[1]}", within_s=5)
