"""A new experiment: how often each issue is tried, and where it lies."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Store
from react_agent.eval.task import Arm, Conditions, Instance
from react_agent.parsers.issue.title import slug_of
from react_agent.places import experiments_folder
from react_agent.tools import clock

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
