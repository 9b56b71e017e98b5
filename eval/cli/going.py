"""An experiment carried out: workers, their number, what it may cost, and what is told of it."""

import platform
import shlex
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.errors import MachineError, UsageError
from react_agent.eval.cli.workers import PRELOADED, Workers, count_of, local_workers
from react_agent.eval.engine.runner import Allowed, Progress, Runner, Work, spent_in
from react_agent.eval.store.store import Due, Store
from react_agent.eval.work import grade_task, solve_task
from react_agent.parsers.text.counted import counted
from react_agent.places import experiments_folder
from react_agent.tools import package_data
from react_agent.tools.disk import unless_taken
from react_agent.tools.shell.this_process import end_like_ctrl_c, hide_memory

_MOST_TOKENS = 999_999_999
_USD, _TOKENS = "budget_usd", "budget_tokens"  # as the experiment remembers them

Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="of a Dask scheduler, or local:N"),
]
Usd = Annotated[
    str | None,
    typer.Option("--budget-usd", metavar="N", help="begin nothing more once all has cost so much"),
]
TokenBudget = Annotated[
    str | None,
    typer.Option("--budget-tokens", metavar="N", help="the same in tokens, of prompts and replies"),
]


@dataclass(frozen=True, slots=True)
class _Workers:
    executor: Executor
    count: int


@dataclass(frozen=True, slots=True)
class Going:
    """How it is gone about; a resume may go about it in another way."""

    workers: Workers = None
    cluster: Cluster = None
    budget_usd: Usd = None
    budget_tokens: TokenBudget = None

    @property
    def about(self) -> dict[str, str]:
        """What a resume goes by that says nothing else; and what it was made with."""
        given = {_USD: self.budget_usd or "", _TOKENS: self.budget_tokens or ""}
        return {
            "version": package_data.version(),
            "python": platform.python_version(),
            "system": platform.platform(),
            **{name: value for name, value in given.items() if value},
        }

    @property
    def is_here(self) -> bool:
        """On this machine, in processes of our own."""
        return self.cluster is None

    def check(self) -> None:
        """Before anything is made."""
        self.allowed({})
        count_of(self.workers)
        if self.cluster is not None:
            _clusters().local_workers(self.cluster)

    def allowed(self, about: dict[str, str]) -> Allowed:
        usd = self.budget_usd or about.get(_USD)
        tokens = self.budget_tokens or about.get(_TOKENS)
        return Allowed(
            _money(usd) if usd else None,
            whole("--budget-tokens", tokens, _MOST_TOKENS) if tokens else None,
        )

    def opened(self, tasks: int, stack: ExitStack) -> _Workers:
        if self.cluster is None:
            local = stack.enter_context(local_workers(self.workers, tasks))
            return _Workers(local, local.workers)
        executor = stack.enter_context(_clusters().ClusterExecutor(self.cluster, PRELOADED))
        count = count_of(self.workers) or executor.workers
        if not count:
            raise UsageError(f"{self.cluster} has no workers yet: say how many with --workers")
        return _Workers(executor, count)


def carried_out(store: Store, going: Going, wanted: Due | None = None) -> int:
    """Solve and judge what is due, or only what is wanted, and tell of it; the exit code."""
    hide_memory()
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    with ExitStack() as stack:
        if not stack.enter_context(unless_taken(store.folder / "lock")):
            raise UsageError(f"another process is working on the experiment {store.folder}")
        return _carried_out(store, going, wanted or store.due(), stack)


def _carried_out(store: Store, going: Going, due: Due, stack: ExitStack) -> int:
    records, again = store.records(), {*due.to_grade, *due.to_solve}
    tasks, progress = len(again), Progress(len(records) + len(store.waiting()))
    progress.start((one for one in records if one.key not in again), spent_in(store))
    progress.say(f"experiment: {store.folder}")
    progress.say(f"{counted(progress.total, 'attempt')}, {tasks} to do")
    if not tasks:
        return _told(store, progress, "")
    allowed = going.allowed(dict(store.about))
    workers, work = going.opened(tasks, stack), Work(solve_task, grade_task)
    runner = Runner(store, workers.executor, work, workers.count, progress, allowed, due=due)
    try:
        with progress.live():
            stopped = runner.run()
    except KeyboardInterrupt:
        progress.say(progress.summary())
        progress.say(f"go on: {_resume(store)}")
        raise
    return _told(store, progress, stopped)


def _told(store: Store, progress: Progress, stopped: str) -> int:
    progress.say(progress.summary())
    for line in progress.kinds():
        progress.say(line)
    left = sum(one.is_infrastructure for one in store.records())
    if stopped:
        progress.say(f"stopped: {stopped}; go on: {_resume(store)}")
    elif left:
        failed = f"{counted(left, 'attempt')} failed by what surrounds the model"
        progress.say(f"{failed}, which counts for nothing; again: {_resume(store)}")
    progress.say(f"read it: react-agent eval report {_named(store.folder)}")
    return int(bool(stopped or left))


def _resume(store: Store) -> str:
    return f"react-agent eval resume {_named(store.folder)}"


def _named(folder: Path) -> str:
    """The shortest that a command takes, as a shell does."""
    return shlex.quote(folder.name if folder.parent == experiments_folder() else str(folder))


def _clusters() -> ModuleType:
    """An extra, and half a second."""
    try:
        return import_module("react_agent.eval.engine.cluster")
    except ModuleNotFoundError as error:
        text = f"--cluster needs {error.name}: pip install 'react-agent[cluster]'"
        raise MachineError(text) from None


def _money(given: str) -> float:
    try:
        usd = float(given)
    except ValueError:
        usd = -1.0
    if not 0 < usd < float("inf"):
        raise UsageError(f"--budget-usd is an amount above 0, not {given!r}")
    return usd
