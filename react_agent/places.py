"""The folders of the user's files: settings, runs, experiments and caches."""

from pathlib import Path

from react_agent.errors import MachineError
from react_agent.tools import disk, variables


def runs_folder() -> Path:
    return place("XDG_STATE_HOME", ".local/state") / "runs"


def experiments_folder() -> Path:
    return place("XDG_STATE_HOME", ".local/state") / "experiments"


def settings_file() -> Path:
    return place("XDG_CONFIG_HOME", ".config") / "config.cfg"


def cache_folder() -> Path:
    return place("XDG_CACHE_HOME", ".cache")


def place(variable: str, below_home: str) -> Path:
    """Return react-agent's own folder. As XDG requires, relative paths in variables are ignored."""
    named = Path(variables.value(variable))
    if named.is_absolute():
        return named / "react-agent"
    home = disk.home()
    if home is None or not home.is_absolute():
        raise MachineError(f"no home folder is known: set HOME or {variable}")
    return home / below_home / "react-agent"
