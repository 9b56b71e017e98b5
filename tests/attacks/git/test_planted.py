"""What a command plants in the work tree and its `.git`, and what our own git does then."""

import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from planted_vectors import PREPARE, VECTORS, Shows, Vector

from react_agent.stop import Stop
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git import changes, checkpoint, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process
from react_agent.tools.shell.process import ResourceLimits

MOST_S = 20.0
PATH = "/usr/local/bin:/usr/bin:/bin"
SECRET = "nobody is to read this"
SANDBOXES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bwrap", "bubblewrap")),
    "landlock",
    "none",
]


@dataclass
class Machine:
    """A workspace, the sandbox of its commands, and a folder that is none of their business."""

    made: Workspace
    places: Places
    sandbox: str
    outside: Path
    start: str  # a checkpoint, taken before anything was planted
    edited: str  # another, after an edit of one.py
    blob: str  # of the repository outside

    @property
    def root(self) -> Path:
        return self.made.root

    @property
    def fired(self) -> Path:
        return self.outside / "fired"

    def script(self, text: str) -> list[str]:
        names = {"OUT": self.outside, "BLOB": self.blob, "BASE": self.made.base.commit}
        given = "".join(f"{name}='{value}'\n" for name, value in names.items())
        return ["bash", "-c", f"{given}EVIL='{self.places.home}/evil'\n{text}"]

    def plant(self, vector: Vector) -> None:
        """As the model would: by a command in the sandbox. What it set off itself is forgotten."""
        self.command(PREPARE + vector.plant)
        self.fired.unlink(missing_ok=True)

    def command(self, text: str) -> None:
        chosen = choose(self.sandbox, self.places, self.environment, {})
        argv = chosen.sandbox(self.script(text), self.root)
        done = process.run(
            argv, cwd=self.root, env=self.environment, timeout_s=60, limits=ResourceLimits()
        )
        assert done.code == 0, done.output.decode(errors="replace")

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.places.home)
        return {"PATH": PATH, "HOME": home, "TMPDIR": str(self.places.tmp), "GIT_EDITOR": ""}

    def plainly(self, vector: Vector) -> bool:
        """Whether git, as a person calls it in the work tree, does what the vector is for."""
        environment = {"PATH": PATH, "HOME": str(self.places.home), "TERM": "dumb"}
        try:
            done = subprocess.run(
                self.script(vector.trigger),
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=2 if vector.shows is Shows.WAITS else 60,
            )
        except subprocess.TimeoutExpired:
            return vector.shows is Shows.WAITS
        if vector.shows is Shows.STARTS:
            return self.fired.exists()
        return vector.shows is Shows.TELLS and vector.told in done.stdout.decode()


@pytest.fixture
def machine(tmp_path: Path, stranger: Any, request: pytest.FixtureRequest) -> Machine:
    outside = tmp_path / "outside"
    repository = outside / "repo"
    repository.mkdir(parents=True)
    _git(repository, "init", "--quiet")
    (repository / "secret.txt").write_text(f"{SECRET}\n")
    _git(repository, "add", "--all")
    _git(repository, "commit", "--quiet", "-m", SECRET)
    made = workspace.make(
        find_base(stranger.project),
        root=tmp_path / "run" / "workspace",
        branch="agent/it",
        cuts=tmp_path / "cuts",
    )
    home = tmp_path / "run" / "home"
    (home / "tmp").mkdir(parents=True)
    start = checkpoint.take(made)
    (made.root / "one.py").write_text("one = 2\n")
    edited = checkpoint.take(made)
    (made.root / "one.py").write_text("one = 1\n")
    return Machine(
        made,
        Places(made.root, home, tmp_path / "cuts"),
        request.param,
        outside,
        start,
        edited,
        _git(repository, "rev-parse", "HEAD:secret.txt"),
    )


def _git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _finished(it: Machine) -> None:
    """Of all that is there, the change is what an edit tool wrote."""
    (it.root / "one.py").write_text("one = 2\n")
    proposal = changes.propose(it.made, ["one.py"])
    patch = changes.diff(it.made, proposal.tree).decode()
    named = [line for line in patch.splitlines() if line.startswith("diff --git")]
    assert set(named) - {"diff --git a/README b/README"} == {"diff --git a/one.py b/one.py"}
    assert SECRET not in patch
    assert changes.diff_stat(it.made, proposal.tree)
    assert changes.commit(it.made, "A change", proposal.tree)
    changes.check_out(it.made, proposal.tree, it.root.parent / "checked")
    workspace.publish(it.made)
    shutil.rmtree(it.root.parent / "checked")


def _written_down(it: Machine) -> None:
    tree = checkpoint.take(it.made)
    held = it.made.objects.run("diff-tree", "-r", "-p", it.made.base.commit, tree)
    assert SECRET.encode() not in held


ACTIONS: dict[str, Callable[[Machine], None]] = {
    "a checkpoint": _written_down,
    "the end of the run": _finished,
}


def _trouble(it: Machine, action: Callable[[Machine], None]) -> str:
    """What a host's action did that it may not; empty if nothing."""
    began = time.monotonic()
    try:
        action(it)
    except (ReactAgentError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
    took = time.monotonic() - began
    if took > MOST_S:
        return f"it took {took:.0f} s"
    return "the program was started" if it.fired.exists() else ""


def _cells() -> list[Any]:
    """Each vector once, in one of the sandboxes by turns: cheap enough for every day."""
    return [
        pytest.param(SANDBOXES[1 + at % 2], vector, id=name)
        for at, (name, vector) in enumerate(VECTORS.items())
    ]


@pytest.mark.attack("a command plants {id} in the work tree", by="command", wall="private clone")
@pytest.mark.parametrize(("machine", "vector"), _cells(), indirect=["machine"])
def test_what_is_planted_does_nothing_of_ours(machine: Machine, vector: Vector) -> None:
    machine.plant(vector)
    for name in ("a checkpoint", "the end of the run"):
        assert _trouble(machine, ACTIONS[name]) == "", name
    if not machine.plainly(vector):
        machine.plant(vector)  # we remove pipes of the work tree that git would wait at
        assert machine.plainly(vector), "the attack does nothing: being safe from it says nothing"


@pytest.mark.parametrize("machine", ["landlock"], indirect=True)
def test_without_the_wall_a_filter_is_started(machine: Machine) -> None:
    """Our git directory where it was once, in the work tree: the rows above would be red."""
    shutil.rmtree(machine.root / ".git")
    machine.made.git_dir.rename(machine.root / ".git")
    machine.made.git_dir.symlink_to(machine.root / ".git")
    machine.plant(VECTORS["filter.x.clean"])
    assert _trouble(machine, ACTIONS["a checkpoint"])
    assert machine.fired.exists()


# A filter of the work tree's own configuration, as it once passed Landlock by way of our git.
ESCAPE = (
    "echo '* filter=x' > .gitattributes; git config filter.x.clean 'sh -c \"id > {0.fired}; cat\"'"
)
RUN = " go on\nAction: run\nAction Input: {}\n"


@pytest.mark.attack("a filter that a command names in the work tree", by="command", wall="git")
def test_a_command_does_not_leave_landlock_through_a_filter(
    stranger: Any, replies: Callable[[str], str]
) -> None:
    copy = stranger.top / "copy"

    def copied(view: object) -> str:
        (workspace,) = (stranger.top / "runs").glob("*/workspace")
        shutil.copytree(workspace, copy, symlinks=True)
        return replies("edit")

    outcome = stranger.solve(
        RUN.format(ESCAPE.format(stranger)), copied, replies("done"), sandbox="landlock"
    )
    assert outcome.stop is Stop.CONCLUDED
    assert not stranger.fired.exists()
    (copy / "README").write_text("changed\n")
    _git(copy, "add", "README")
    assert stranger.fired.exists(), "the attack does nothing: being safe from it says nothing"
