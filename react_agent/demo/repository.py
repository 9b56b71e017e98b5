"""The demo's repository: real files with a history of their own.

`history.fast-import` is that history as `git fast-export --all` writes it. To change the demo,
make the repository, change its commits, and export them again.
"""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.tools.git import Git


def make_repository(place: Path, history: Traversable | None = None) -> None:
    """The same commits every time, down to their names; without a history, the demo's."""
    history = history or resources.files("react_agent.demo") / "history.fast-import"
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"can't make the folder {place}: {error.strerror}") from error
    git = Git(place)
    git.run("init", "--quiet", "--template=", "--initial-branch=main")
    git.run("fast-import", "--quiet", stdin=history.read_bytes())
    git.run("reset", "--quiet", "--hard")
