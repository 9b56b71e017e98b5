"""Which programs each kind of step starts, and how many a whole run: each costs milliseconds.

The tables are exact: what starts fewer makes them shorter.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, save

STARTED = Path(__file__).parents[2] / "doors" / "started.py"
BUBBLEWRAP = pytest.mark.needs("bwrap", "bubblewrap")
BLOCK = "src/two.py\n<<<<<<< SEARCH\ntwo = 2\n=======\ntwo = 22\n>>>>>>> REPLACE"
PATCH = "--- a/notes\n+++ b/notes\n@@ -1 +1 @@\n-a note\n+one note\n"
FILES = {
    "notes": "a note\n",
    "src/one.py": "one = 1\n",
    "src/two.py": "two = 2\n",
    ".react-agent.cfg": "[react_agent]\ntest = true\n",
}


@dataclass(frozen=True)
class Sandbox:
    name: str
    command: str  # the program that commands are forked from
    begin: int  # before the first prompt
    end: int  # after the last


SANDBOXES = [
    pytest.param(Sandbox("none", "python", 6, 13), id="none", marks=pytest.mark.slow),
    pytest.param(Sandbox("bubblewrap", "python", 7, 13), id="bubblewrap", marks=BUBBLEWRAP),
]


@dataclass(frozen=True)
class Step:
    what: str
    tool: str
    text: str
    git: str = ""  # its commands
    runs: bool = False  # what forks the commands begins with the first one

    def started(self, sandbox: Sandbox) -> list[str]:
        """The checkpoint included."""
        own = [sandbox.command] if self.runs else []
        return sorted([*own, *(f"git {command}" for command in self.git.split())])


STEPS = (
    Step("the first command", "run", "true", "status", True),
    Step("a command", "run", "true", "status"),
    Step("list the files", "list_files", "", "ls-files"),
    Step("list no file", "list_files", "tow.py"),
    Step("read a file", "read_file", "src/one.py"),
    Step("outline a file", "outline", "src/one.py"),
    Step("recall a step", "recall", "one"),
    Step("a search that finds", "grep", "one", "grep"),
    Step("a search that does not", "grep", "nowhere", "grep grep"),
    Step("replace", "replace", BLOCK),
    Step("apply a patch", "apply_patch", PATCH),
    Step("write a file", "write_file", "new.py\nn = 3\n", "status"),
    Step("undo", "undo", ""),
    Step("a command that writes", "run", "echo > m", "status"),
    Step("run the tests", "run_tests", "", "status"),
    Step("go on in the background", "run_background", "sleep 60", "status"),
    Step("list files that may change", "list_files", "", "ls-files ls-files"),
    Step("search files that may change", "grep", "one", "grep ls-files"),
    Step("end it", "kill", "1", "status"),
    Step("list the files again", "list_files", "", "ls-files"),
)


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_run(cli: Any, sandbox: Sandbox) -> None:
    plain_git(cli.folder, "init", "--quiet", "repository")
    save(cli.folder / "repository", FILES)
    recorded = cli.record(*((step.tool, step.text) for step in STEPS))
    options = f"--repo repository --model replay/{recorded} --sandbox {sandbox.name}"
    begin, *steps, end = _started(cli, "solve", "do it", *options.split())
    found = {step.what: started for step, started in zip(STEPS, steps, strict=True)}
    assert found == {step.what: step.started(sandbox) for step in STEPS}
    assert (len(begin), len(end)) == (sandbox.begin, sandbox.end)


@pytest.mark.slow
@BUBBLEWRAP
def test_a_demo(cli: Any) -> None:
    assert sum(map(len, _started(cli, "demo", "--dir", "demo"))) <= 30


def _started(cli: Any, *arguments: str) -> list[list[str]]:
    """The programs that were started before each prompt and after the last, sorted."""
    place = cli.folder / "started"
    argv = [sys.executable, "-P", str(STARTED), str(place), *arguments, "--plain"]
    done = subprocess.run(argv, cwd=cli.folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    parts: list[list[str]] = [[]]
    for line in place.read_text().splitlines():
        if line:
            parts[-1].append(line)
        else:
            parts.append([])
    return [sorted(part) for part in parts]
