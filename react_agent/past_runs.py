"""The runs that there are, for a program: found by name, and read back."""

from pathlib import Path
from typing import TypeAlias

from react_agent.cli.places import runs_folder
from react_agent.loop.transcript import read
from react_agent.runs.history import Story, story
from react_agent.runs.run_folder import every, find

Run: TypeAlias = str | Path  # its folder, its transcript, or the start of its name


def find_run(run: Run) -> Path:
    """Its folder. Raises UsageError."""
    return find(runs_folder(), str(run)).path


def all_runs() -> list[Path]:
    """Their folders, the oldest first."""
    return [folder.path for folder in every(runs_folder())]


def read_run(run: Run) -> Story:
    """What it says, step by step. Raises UsageError and TranscriptError."""
    return story(read(find(runs_folder(), str(run)).transcript))
