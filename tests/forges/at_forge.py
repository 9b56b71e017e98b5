"""A person's repository with its forge: runs on an issue there, and what then is to be seen there.

desk = at_forge("github", cli, repository, tmp_path)
desk.solve("--pr")
desk.request.title
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from by_hand import plain_git
from demo_recording import BUNDLED
from hosting import Request, Site, hosting

ISSUE = resources.files("react_agent.demo").joinpath("issue.md").read_text()
TITLE, _, BODY = ISSUE.removeprefix("# ").partition("\n")
BRANCH = "react-agent/12-90-min-is-read-as-90-seconds"
ADDS = (
    ("write_file", "NOTES.md\nA blank may stand before a unit.\n"),
    ("run", "python3 -m unittest -q tests.test_printing"),
)


@dataclass(frozen=True)
class AtForge:
    cli: Any
    site: Site

    def solve(self, *options: str, issue: str = "#12", model: Path = BUNDLED) -> Any:
        asked = ("solve", issue, "--repo", "repository", "--model", f"replay/{model}")
        return self.cli(*asked, *options)

    def adds(self, *more: tuple[str, str]) -> Path:
        """A model that adds a file of words, in no time."""
        return Path(self.cli.record(*ADDS, *more))

    def refused(self, *words: str) -> str:
        """The one line, of a command that ends as it should if it can't do what it is asked."""
        answer = self.cli(*words)
        assert answer.err.startswith("react-agent: ")
        assert (answer.err.count("\n"), "Traceback" in answer.out) == (1, False)
        return str(answer.err.removeprefix("react-agent: ").rstrip("\n"))

    @property
    def runs(self) -> list[str]:
        """The oldest first."""
        runs = sorted(self.cli.runs, key=lambda run: (run / "transcript.txt").stat().st_ctime_ns)
        return [run.name for run in runs]

    @property
    def run(self) -> str:
        return self.runs[-1]

    @property
    def request(self) -> Request:
        [request] = self.site.requests()
        return request

    @property
    def writes(self) -> list[str]:
        """What was asked of the server that may have changed it."""
        reads = ("GET ", "HEAD ")
        lines = (asked.line for asked in self.site.server.asked)
        return [it for it in lines if not it.startswith(reads) and "upload-pack" not in it]

    def settings(self, text: str) -> None:
        self.cli.settings(f"{self.site.settings}\n{text}")

    @contextlib.contextmanager
    def checkout(self, branch: str, path: str = "") -> Iterator[Path]:
        """A fresh clone of a branch, as it is at the forge."""
        served = self.site.repositories.place(path or self.site.path)
        place = served.parent / f"{branch.replace('/', '-')}-{len(list(served.parent.iterdir()))}"
        plain_git(served, "clone", "--quiet", "--branch", branch, f"file://{served}", str(place))
        yield place

    def tests_there(self, branch: str, path: str = "") -> int:
        """The exit code of the repository's tests, on the branch as it is at the forge."""
        with self.checkout(branch, path) as place:
            command = [sys.executable, "-m", "unittest", "-q"]
            return subprocess.run(command, cwd=place, capture_output=True, check=False).returncode


@contextlib.contextmanager
def at_forge(kind: str, cli: Any, repository: Path, tmp_path: Path) -> Iterator[AtForge]:
    with hosting(kind, tmp_path / "served", repository) as site:
        cli.git("remote", "add", "origin", site.url)
        cli.environment.update(site.environment)
        desk = AtForge(cli, site)
        desk.settings("")
        site.issue(12, TITLE, BODY)
        yield desk
