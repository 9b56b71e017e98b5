"""What a run of a test has around it, below one folder."""

import itertools
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Surroundings

_NUMBERS = itertools.count()
UNGATED = "[profile]\nbased on = {}\ngate = off\n"


def surroundings(folder: Path, model: Any, sandbox: str = "none", **changes: Any) -> Surroundings:
    """A clock that ticks, one model for all names, and nobody who is told."""
    ticks = itertools.count()
    made = Surroundings(
        runs=folder / "runs",
        cuts=folder / "cuts",
        environment=dict(os.environ),
        own_prefix=Path(sys.prefix),
        settings=Settings(sandbox=sandbox, profiles=folder / "profiles"),
        now=lambda: datetime(2026, 5, 1, 12, tzinfo=UTC),
        clock=lambda: float(next(ticks)),
        token=lambda: f"t{next(_NUMBERS)}",
        open_model=lambda spec: model,
        show=lambda text: None,
        tell=lambda line: None,
    )
    return replace(made, **changes)


def write_profile(folder: Path, name: str, text: str = UNGATED.format("issue")) -> None:
    place = folder / "profiles" / f"{name}.cfg"
    place.parent.mkdir(exist_ok=True, parents=True)
    place.write_text(text)
