"""The coordinator with real workers and a real store; only what the workers do is made up."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fakes
import pytest
from check_rows import each_of
from fakes import ARMS, CONDITIONS, Watcher, instances, notes, outline

from react_agent.errors import MachineError
from react_agent.eval.engine.runner import Runner, Work
from react_agent.eval.engine.worker import LocalExecutor
from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Store
from react_agent.eval.task import Conditions


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """For what ends its process; all else is quicker in threads."""
    with LocalExecutor(2, dict(os.environ)) as executor:
        yield executor


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def _made(folder: Path, *problems: str) -> Store:
    return stores.create(folder / "exp", {}, instances(*problems), ARMS, 1, CONDITIONS)


def _runner(store: Store, pool: Executor, slots: int = 2, usd: float | None = None) -> Runner:
    work = Work(fakes.solve, fakes.grade, store.folder.parent)
    return Runner(store, pool, work, slots, Watcher(), usd)


PROBLEMS = {  # each with what it comes to, and how often it is begun
    "fine": ("resolved", 1, 1),
    "wrong": ("unresolved", 1, 1),
    "nothing": ("no_patch", 1, 0),
    "environment": ("crashed, wrong environment", 1, 0),
    "endpoint 2": ("resolved", 3, 1),
    "endpoint 9": ("crashed, the endpoint failed", 3, 0),
    "die 1": ("resolved", 2, 1),
    "die": ("crashed, the worker died", 3, 0),
    "judge dies": ("resolved", 1, 2),
}


@pytest.mark.slow
def test_one_instance_harms_no_other(pool: Executor, tmp_path: Path) -> None:
    store = _made(tmp_path, *PROBLEMS)
    runner = _runner(store, pool)
    assert runner.run() == ""
    records = store.records()
    told = dict(zip(PROBLEMS, (line.split(": ")[1] for line in outline(records)), strict=True))
    begun = Counter(line.rsplit(" ", 2)[0] for line in notes(tmp_path))
    times = [(begun[f"solve o__r-{n}"], begun[f"grade o__r-{n}"]) for n in range(1, 10)]
    assert told == {name: verdict for name, (verdict, _, _) in PROBLEMS.items()}
    assert times == [(solves, grades) for _, solves, grades in PROBLEMS.values()]
    watcher = runner.watch
    assert isinstance(watcher, Watcher)
    assert sorted(outline(watcher.records)) == outline(records)
    assert (watcher.most, watcher.slots) == (2, set())


def test_what_failed_by_the_surroundings_is_done_again_by_the_next_run(
    threads: Executor, tmp_path: Path
) -> None:
    store = _made(tmp_path, "fine", "endpoint 4", "wrong")
    _runner(store, threads).run()
    assert outline(store.records())[1] == "o__r-2 plain 1: crashed, the endpoint failed"
    before = len(notes(tmp_path))
    _runner(store, threads).run()
    assert outline(store.records()) == [
        "o__r-1 plain 1: resolved",
        "o__r-2 plain 1: resolved",
        "o__r-3 plain 1: unresolved",
    ]
    assert notes(tmp_path)[before:] == ["solve o__r-2 plain 1"] * 2 + ["grade o__r-2 plain 1"]


@pytest.mark.slow
def test_a_worker_that_takes_too_long_is_ended(pool: Executor, tmp_path: Path) -> None:
    limits = Conditions(solve_s=5.0)
    store = stores.create(tmp_path / "exp", {}, instances("hang", "fine"), ARMS, 1, limits)
    _runner(store, pool).run()
    [hung, fine] = store.records()
    assert (hung.verdict, hung.kind, hung.is_infrastructure, hung.reason) == (
        *("timed_out", "the worker was ended after its deadline", True),
        "it was ended after 5 seconds",
    )
    assert fine.is_resolved


@each_of(
    ("model", "usd", "said", "done"),
    {
        "used": ("priced", 0.015, "the budget of 0.015 $ is used up (0.0200 $)", 2),
        "enough": ("priced", 1.0, "", 6),
        "no price": (
            *("fine", 1.0, "the price of the model is unknown, so a budget in $ can't be enforced"),
            *(1,),
        ),
    },
)
def test_stops_at_its_budget(tmp_path: Path, model: str, usd: float, said: str, done: int) -> None:
    store = _made(tmp_path, *[model] * 6)
    with ThreadPoolExecutor(1) as pool:
        assert _runner(store, pool, 1, usd).run() == said
        assert len(store.records()) == done
        assert _runner(store, pool, 1).run() == ""
    assert len(store.records()) == 6
    assert Counter(notes(tmp_path)).most_common(1)[0][1] == 1


def test_a_dead_endpoint_does_not_fail_everything(threads: Executor, tmp_path: Path) -> None:
    store = _made(tmp_path, *["endpoint 99"] * 40)
    assert _runner(store, threads).run() == "10 attempts failed in a row: it is overloaded"
    assert len(notes(tmp_path)) <= 12


def test_an_executor_that_takes_nothing_leaves_all_due(tmp_path: Path) -> None:
    store = _made(tmp_path, "fine")
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(RuntimeError):
        _runner(store, pool).run()
    assert store.due().to_solve == (fakes.Key("o__r-1", "plain", 1),)


class _TwoOfThree(Executor):
    """The first two tasks end at once, and the others never."""

    def __init__(self) -> None:
        self.futures = list[Future[Any]]()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(Future())
        if len(self.futures) < 3:
            self.futures[-1].set_result(fn(*args, **kwargs))
        return self.futures[-1]


def test_no_worker_goes_on_if_nothing_can_be_stored(tmp_path: Path) -> None:
    store, pool = _made(tmp_path, *["fine"] * 3), _TwoOfThree()
    (store.folder / "attempts").touch()
    with pytest.raises(MachineError, match="can't write "):
        _runner(store, pool, 3).run()
    assert [future.cancelled() for future in pool.futures] == [False, False, True]
