"""What an instance stands on, on the machine that works on it."""

from dataclasses import dataclass
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.repository import Base
from react_agent.tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Ground:
    """A repository of ours that holds the base, and the environment made for it."""

    base: Base
    python: Path | None  # of the environment; None: the one of the machine


@dataclass(frozen=True, slots=True)
class Fresh:
    """A private clone at the base with nothing changed, and what commands in it are run with."""

    workspace: Workspace
    context: Context
