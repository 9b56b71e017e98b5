"""Workers on this machine: how many, and what they begin with."""

import os
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.eval.engine.local import LocalExecutor
from react_agent.eval.engine.worker import Start
from react_agent.tools import variables

PRELOADED = ("react_agent.eval.work",)
_MOST = 1000

Workers = Annotated[
    str | None,
    typer.Option("--workers", metavar="N", help="so many at a time; else as many as processors"),
]


def count_of(workers: str | None) -> int:
    """0: nobody says how many."""
    return whole("--workers", workers, _MOST) if workers else 0


def local_workers(workers: str | None, tasks: int) -> LocalExecutor:
    count = min(count_of(workers) or _processors(), tasks)
    return LocalExecutor(count, Start(variables.all_of_them(), PRELOADED))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
