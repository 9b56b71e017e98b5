"""Workers of a real Dask cluster on this machine: two processes that talk over loopback."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import doings
import pytest
from waiting import WITHIN_S, is_gone, see, written

from react_agent.errors import MachineError, UsageError
from react_agent.eval.engine.cluster import ClusterExecutor
from react_agent.eval.engine.worker import PastDeadline, Timed, WorkerDied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Iterator[ClusterExecutor]:
    with ClusterExecutor("local:2", ("doings",)) as executor:
        yield executor


def test_gives_what_functions_return(pool: ClusterExecutor) -> None:
    futures = [pool.submit(doings.add, 1, number) for number in range(20)]
    assert [one.result(WITHIN_S) for one in futures] == list(range(1, 21))
    assert pool.workers == 2


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


def test_a_cluster_that_is_not_there_is_one_line() -> None:
    with pytest.raises(UsageError, match="--cluster local:N wants a number of workers, not 'x'"):
        ClusterExecutor("local:x")
    with pytest.raises(UsageError, match="nowhere is no address of a cluster"):
        ClusterExecutor("ways://nowhere")
    with pytest.raises(MachineError, match=r"no cluster can be reached at tcp://127\.0\.0\.1:1: "):
        ClusterExecutor("tcp://127.0.0.1:1", within_s=1)
