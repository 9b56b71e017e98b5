"""Options that several eval commands share, and functions that create and run an experiment."""

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

from react_agent.cli.options import argument, option, whole
from react_agent.errors import MachineError, UsageError
from react_agent.eval.engine.runner import Progress, Runner, Work, spent_in
from react_agent.eval.engine.worker import LocalExecutor
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
from react_agent.tools.disk import locked
from react_agent.tools.sandbox.sandbox import AUTO
from react_agent.tools.shell.this_process import end_like_ctrl_c, hide_memory

_MOST_ISSUES, MOST_TRIES, _MOST_WORKERS = 1_000_000, 100, 1000
_USD = "budget_usd"  # its name in the experiment

Experiment = Annotated[str, argument("EXP", "its folder, or the start of its name")]
Set = Annotated[str, argument("SET", "a JSONL file, a folder of issues, or `bundled`")]
Repo = Annotated[
    Path | None, option("--repo", "DIR", "the repository for issues that do not name one")
]
Only = Annotated[list[str] | None, option("--only", "ID", "only this instance; can be repeated")]
Limit = Annotated[str | None, option("--limit", "N", "only the first N")]
Repositories = Annotated[
    Path | None,
    option(
        "--repositories",
        "DIR",
        "a folder of repositories named OWNER/NAME, OWNER__NAME or NAME, also with .git",
    ),
]
Workers = Annotated[
    str | None,
    option("--workers", "N", "the number of parallel attempts; default: one per processor"),
]
Cluster = Annotated[
    str | None, option("--cluster", "ADDRESS", "the address of a Dask scheduler, or local:N")
]
Usd = Annotated[
    str | None,
    option("--budget-usd", "N", "start no more attempts once the total cost reaches this"),
]
Tries = Annotated[str, option("--tries", "N", "how many times to try each issue")]
Out = Annotated[Path | None, option("--out", "DIR", "the folder of the experiment")]


def opened(named: str) -> Store:
    """Open the experiment with this name. Raises UsageError or MachineError."""
    return stores.open(find_experiment(named, experiments_folder()))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that select instances from a set."""

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
        return instances[: whole("--limit", self.limit, _MOST_ISSUES) if self.limit else None]


@dataclass(frozen=True, slots=True)
class Working:
    repositories: Repositories = None
    sandbox: str | None = None
    network: bool = False

    def conditions(self, is_here: bool = True) -> Conditions:
        """Return the conditions, checked if work runs here. Raises UsageError or MachineError."""
        folder = self.repositories.absolute() if self.repositories else None
        made = Conditions(folder, self.sandbox or AUTO, self.network)
        if is_here:
            check_machine(made)
        return made


def check_machine(conditions: Conditions) -> None:
    """Check that this machine can run the tasks. Raises UsageError or MachineError."""
    folder = conditions.repositories
    if folder and not folder.is_dir():
        raise UsageError(f"there is no folder {folder} of repositories")
    around = station_at(None).surroundings(conditions)
    chosen_here(around.environment, around.own_prefix, around.settings)


def count_of(workers: str | None) -> int:
    """Return the number given with --workers, or 0 if no number is given."""
    return whole("--workers", workers, _MOST_WORKERS) if workers else 0


def local_workers(workers: str | None, tasks: int) -> LocalExecutor:
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = min(count_of(workers) or here or 1, tasks)
    return LocalExecutor(count, variables.all_of_them())


@dataclass(frozen=True, slots=True)
class Going:
    """The options of one pass over an experiment. A resumed experiment may use other values."""

    workers: Workers = None
    cluster: Cluster = None
    budget_usd: Usd = None

    @property
    def is_here(self) -> bool:
        """Return whether the workers are processes on this machine."""
        return self.cluster is None

    def check(self) -> None:
        """Check the options before any file is written."""
        self.budget({})
        count_of(self.workers)
        if self.cluster is not None:
            _clusters().local_workers(self.cluster)

    def budget(self, about: Mapping[str, str]) -> float | None:
        """Return the given budget, or else the budget that the experiment was created with."""
        given = self.budget_usd or about.get(_USD)
        if given is None:
            return None
        try:
            usd = float(given)
        except ValueError:
            usd = -1.0
        if not 0 < usd < float("inf"):
            raise UsageError(f"--budget-usd is an amount above 0, not {given!r}")
        return usd

    def opened(self, tasks: int, stack: ExitStack) -> tuple[Executor, int]:
        """Return an executor, and the number of tasks that it should run at a time."""
        if self.cluster is None:
            local = stack.enter_context(local_workers(self.workers, tasks))
            return local, local.workers
        executor = stack.enter_context(_clusters().ClusterExecutor(self.cluster))
        count = count_of(self.workers) or executor.workers
        if not count:
            raise UsageError(f"{self.cluster} has no workers yet: give their number with --workers")
        return executor, count


def _clusters() -> ModuleType:
    """Import the cluster module, which is slow and needs an optional extra."""
    try:
        return import_module("react_agent.eval.engine.cluster")
    except ModuleNotFoundError as error:
        text = f"--cluster needs {error.name}: {package_data.install_command('cluster')}"
        raise MachineError(text) from None


@dataclass(frozen=True, slots=True)
class Made:
    tries: Tries = "1"
    out: Out = None

    def of(
        self,
        named: str,
        instances: Sequence[Instance],
        arms: Sequence[Arm],
        conditions: Conditions,
        going: Going,
    ) -> Store:
        """Create an experiment for this set. Raises UsageError if the folder already has one."""
        about = {
            "set": named,
            "version": package_data.version(),
            "python": platform.python_version(),
            "system": platform.platform(),
            **({_USD: going.budget_usd} if going.budget_usd else {}),
        }
        often = whole("--tries", self.tries, MOST_TRIES)
        stem = slug_of(Path(named).stem) or "set"
        name = f"{clock.now():%Y-%m-%d}-{stem}-{secrets.token_hex(2)}"
        folder = (self.out or experiments_folder() / name).absolute()
        return stores.create(folder, about, instances, arms, often, conditions)


def carry_out(store: Store, going: Going, wanted: Due | None = None) -> int:
    """Solve and grade the attempts that are due or selected, and return the exit code."""
    hide_memory()
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    with ExitStack() as stack:
        if not stack.enter_context(locked(store.folder / "lock", wait=False)):
            raise UsageError(f"another process is working on the experiment {store.folder}")
        due = wanted or store.due()
        again, records = {*due.to_grade, *due.to_solve}, store.records()
        progress = Progress(len(records) + len(store.waiting()))
        progress.start((one for one in records if one.key not in again), spent_in(store))
        progress.say(f"experiment: {store.folder}")
        progress.say(f"{counted(progress.total, 'attempt')}, {len(again)} to do")
        stopped = _run(store, going, due, progress, stack) if again else ""
    return _sum_up(store, progress, stopped)


def _run(store: Store, going: Going, due: Due, progress: Progress, stack: ExitStack) -> str:
    """Run the attempts and return the reason for stopping early, or an empty string."""
    allowed = going.budget(store.about)
    executor, slots = going.opened(len(due.to_grade) + len(due.to_solve), stack)
    work = Work(solve_task, grade_task)
    runner = Runner(store, executor, work, slots, progress, allowed, due=due)
    try:
        with progress.footer.shown():
            return runner.run()
    except KeyboardInterrupt:
        progress.say(progress.summary())
        progress.say(f"continue: react-agent eval resume {_named(store.folder)}")
        raise


def _sum_up(store: Store, progress: Progress, stopped: str) -> int:
    progress.say(progress.summary())
    for line in progress.kinds():
        progress.say(line)
    left = sum(one.is_infrastructure for one in store.records())
    again = f"react-agent eval resume {_named(store.folder)}"
    if stopped:
        progress.say(f"stopped: {stopped}; continue: {again}")
    elif left:
        why = "not counted: the endpoint, the machine or react-agent failed"
        progress.say(f"{counted(left, 'attempt')} {why}; again: {again}")
    progress.say(f"to read it: react-agent eval report {_named(store.folder)}")
    return int(bool(stopped or left))


def _named(folder: Path) -> str:
    """Return the shortest name of the experiment that commands accept, quoted for a shell."""
    return shlex.quote(folder.name if folder.parent == experiments_folder() else str(folder))
