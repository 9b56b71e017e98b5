"""Workers on this machine: what breaks one future breaks no other, and nothing is left behind."""

import os
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from pathlib import Path
from typing import Any

import doings
import pytest
from check_rows import table_of
from refusals import refusal
from waiting import WITHIN_S, is_gone, see, written

from react_agent.eval.engine.worker import (
    Ended,
    LocalExecutor,
    PastDeadline,
    Timed,
    Worker,
    WorkerDied,
)


@pytest.fixture(scope="module")
def pool() -> Iterator[LocalExecutor]:
    with LocalExecutor(2, dict(os.environ)) as executor:
        yield executor


def _result(future: Future[Any]) -> Any:
    return future.result(WITHIN_S)


def test_gives_what_functions_return_also_large_values(pool: LocalExecutor) -> None:
    sums = pool.map(doings.add, range(20), range(20), timeout=WITHIN_S)
    assert list(sums) == list(range(0, 40, 2))
    assert len(_result(pool.submit(doings.large, 3_000_000))) == 3_000_000
    assert _result(pool.submit(len, bytes(3_000_000))) == 3_000_000


@table_of(
    ("function", "args", "kind", "text"),
    {
        "raises": (doings.fail, ("no",), ValueError, "no"),
        "can't be read back": (doings.fail_oddly, (), Exception, "_Odd: 1 and 2"),
        "can't be sent": (doings.unpicklable, (), Exception, "<lambda>"),
        "nor can its argument": (len, (lambda: None,), Exception, "pickle"),
        "killed": (
            *(doings.die, ("first\nlast\n",), WorkerDied),
            "the process of its worker was ended by SIGKILL: last",
        ),
        "left": (doings.leave, (3,), WorkerDied, "ended with exit code 3"),
    },
)
def test_a_failure_is_one_futures(
    pool: LocalExecutor, function: Any, args: tuple[Any, ...], kind: type[Exception], text: str
) -> None:
    failing = pool.submit(function, *args)
    others = [pool.submit(doings.add, 1, number) for number in range(6)]
    assert text in refusal(kind, _result, failing)
    assert [_result(one) for one in others] == list(range(1, 7))


def test_one_that_takes_too_long_is_ended(pool: LocalExecutor, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    with pytest.raises(PastDeadline, match=r"it was ended after 0\.3 seconds"):
        _result(pool.submit(Timed(doings.hang, 0.3), begun))
    assert not begun.exists() or is_gone(written(begun))
    assert _result(pool.submit(Timed(doings.add, WITHIN_S), 1, 2)) == 3


@pytest.mark.parametrize(
    "endless",
    [doings.hang, pytest.param(doings.hang_on, marks=pytest.mark.slow)],  # it has to be killed
)
def test_what_is_cancelled_in_the_middle_ends(
    pool: LocalExecutor, tmp_path: Path, endless: Any
) -> None:
    begun = tmp_path / "begun"
    future = pool.submit(endless, begun)
    pid = written(begun)
    assert future.cancel()
    with pytest.raises(CancelledError):
        _result(future)
    sums = [pool.submit(doings.add, 1, number) for number in range(4)]
    assert [_result(one) for one in sums] == [1, 2, 3, 4]
    see(lambda: is_gone(pid))


def test_a_worker_that_was_ended_while_idle_can_be_used_again() -> None:
    worker = Worker(dict(os.environ))
    assert worker.call(doings.add, 1, 1) == 2
    worker.end()
    with pytest.raises(Ended, match="before it started"):
        worker.call(doings.add, 1, 1)
    worker.revive()
    assert worker.call(doings.add, 1, 1) == 2
    worker.close()


def test_what_is_cancelled_before_it_began_never_does(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    with LocalExecutor(1, dict(os.environ)) as pool:
        futures = [pool.submit(doings.note, path, str(number)) for number in range(30)]
        cancelled = [number for number, one in enumerate(futures) if one.cancel()]
        wait(futures, WITHIN_S)
    noted = path.read_text() if path.exists() else ""
    assert noted == "".join(str(n) for n in range(30) if n not in cancelled)


def test_nothing_is_left_when_it_is_shut_down(tmp_path: Path) -> None:
    pool = LocalExecutor(2, dict(os.environ))
    pids = {_result(pool.submit(doings.own_pid)) for _ in range(10)}
    waiting = [pool.submit(doings.note, tmp_path / "notes", "x") for _ in range(5)]
    pool.shutdown()
    assert all(map(is_gone, pids))
    assert [one.exception() for one in waiting] == [None] * 5
    pool.shutdown(cancel_futures=True)
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(doings.own_pid)


def test_a_process_is_renewed() -> None:
    with LocalExecutor(1, dict(os.environ), renew_after=2) as pool:
        pids = [_result(pool.submit(doings.own_pid)) for _ in range(4)]
    assert (len(set(pids)), pids[0], pids[2]) == (2, pids[1], pids[3])
