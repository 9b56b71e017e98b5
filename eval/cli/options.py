"""Options of several commands: experiment, set, workers, budget, and how a run is carried out."""

import os
import platform
import secrets
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from react_agent.cli.options import Network, Sandbox, whole
from react_agent.errors import MachineError, UsageError
from react_agent.eval.engine.local import LocalExecutor
from react_agent.eval.engine.runner import Allowed, Progress, Runner, Work, spent_in
from react_agent.eval.engine.worker import Start
from react_agent.eval.sets.issue_set import read_set
from react_agent.eval.station import station_at
from react_agent.eval.store import store as stores
from react_agent.eval.store.files import find_experiment
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import Arm, Conditions, Instance
from react_agent.eval.work import grade_task, solve_task
from react_agent.parsers.issue.title import slug_of
from react_agent.parsers.text.counted import counted
from react_agent.places import experiments_folder
from react_agent.runs.commands import chosen_here
from react_agent.tools import clock, package_data, variables
from react_agent.tools.disk import unless_taken
from react_agent.tools.sandbox.sandbox import AUTO
from react_agent.tools.shell.this_process import end_like_ctrl_c, hide_memory

Experiment = Annotated[
    str, typer.Argument(metavar="EXP", help="its folder, or the start of its name")
]


def opened(named: str) -> Store:
    """Raises UsageError, MachineError."""
    return stores.open(find_experiment(named, experiments_folder()))


_MOST = 1_000_000

Set = Annotated[
    str, typer.Argument(metavar="SET", help="a JSONL file, a folder of issues, or `bundled`")
]
Repo = Annotated[
    Path | None, typer.Option("--repo", metavar="DIR", help="where issues are from that say none")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="ID", help="this one; may be given again")
]
Limit = Annotated[str | None, typer.Option("--limit", metavar="N", help="the first so many")]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Of a set."""

    repo: Repo = None
    only: Only = None
    limit: Limit = None

    def of(self, named: str) -> Sequence[Instance]:
        instances = read_set(named, self.repo)
        if self.only:
            missing = sorted({*self.only} - {one.id for one in instances})
            if missing:
                raise UsageError(f"there is no {missing[0]} in {named}")
            instances = tuple(one for one in instances if one.id in self.only)
        return instances[: whole("--limit", self.limit, _MOST)] if self.limit else instances


Repositories = Annotated[
    Path | None,
    typer.Option(
        "--repositories",
        metavar="DIR",
        help="a folder of repositories: OWNER/NAME, OWNER__NAME or NAME, also with .git",
    ),
]


@dataclass(frozen=True, slots=True)
class Working:
    repositories: Repositories = None
    sandbox: Sandbox = None
    network: Network = False

    @property
    def conditions(self) -> Conditions:
        folder = self.repositories.absolute() if self.repositories else None
        return Conditions(folder, self.sandbox or AUTO, self.network)

    def checked(self, is_here: bool = True) -> Conditions:
        """Raises UsageError, MachineError where all that is to be done could only fail."""
        conditions = self.conditions
        if is_here:
            check_machine(conditions)
        return conditions


def check_machine(conditions: Conditions) -> None:
    """On this machine."""
    folder = conditions.repositories
    if folder and not folder.is_dir():
        raise UsageError(f"there is no folder {folder} of repositories")
    chosen_here(station_at(None).outer(conditions, None))


PRELOADED = ("react_agent.eval.work",)
_MOST_WORKERS = 1000

Workers = Annotated[
    str | None,
    typer.Option("--workers", metavar="N", help="so many at a time; else as many as processors"),
]


def count_of(workers: str | None) -> int:
    """0: nobody says how many."""
    return whole("--workers", workers, _MOST_WORKERS) if workers else 0


def local_workers(workers: str | None, tasks: int) -> LocalExecutor:
    count = min(count_of(workers) or _processors(), tasks)
    return LocalExecutor(count, Start(variables.all_of_them(), PRELOADED))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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


MOST_TRIES = 100
_UNIQUE = 2  # bytes of a name

Tries = Annotated[str, typer.Option("--tries", metavar="N", help="so often each issue, for pass@k")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="the folder of the experiment")
]


@dataclass(frozen=True, slots=True)
class Made:
    tries: Tries = "1"
    out: Out = None

    def of(
        self,
        instances: Sequence[Instance],
        arms: Sequence[Arm],
        conditions: Conditions,
        about: Mapping[str, str],
    ) -> Store:
        """`about` names the set. Raises UsageError: there is one already."""
        often = whole("--tries", self.tries, MOST_TRIES)
        folder = folder_for(about["set"], self.out)
        return stores.create(folder, about, instances, arms, often, conditions)


def folder_for(named: str, out: Path | None) -> Path:
    """Of an experiment on this set: the one that is asked for, else a new name."""
    stem = slug_of(Path(named).stem) or "set"
    name = f"{clock.now():%Y-%m-%d}-{stem}-{secrets.token_hex(_UNIQUE)}"
    return (out or experiments_folder() / name).absolute()
