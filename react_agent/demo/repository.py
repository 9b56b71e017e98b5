"""The demo's repository, which contains real files and their git history.

The file `history.fast-import` contains that history in the format of `git fast-export --all`. To
change the demo, create the repository, change its commits, and export them again.
"""

from pathlib import Path

from react_agent.tools import disk, package_data
from react_agent.tools.errors import machine_error
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import new_repository


def make_repository(place: Path, history: bytes = b"") -> None:
    """Create a repository, by default that of the demo. Commit ids are the same every time."""
    history = history or package_data.data("react_agent.demo", "history.fast-import")
    with machine_error(f"can't make the folder {place}"):
        disk.mkdir(place, parents=True, exist_ok=True)
    git = Git(place)
    new_repository(place / ".git")
    git.run("fast-import", "--quiet", stdin=history)
    git.run("reset", "--quiet", "--hard")
