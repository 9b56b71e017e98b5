"""Which instances of a set are meant."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.errors import UsageError
from react_agent.eval.sets.issue_set import read_set
from react_agent.eval.task import Instance

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
