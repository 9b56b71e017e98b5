"""What a command plants in the work tree and its `.git`, and what our own git does then.

One run with one plant does all that touches git: steps of each tool, checkpoints, a fork, resume,
the end of the run with its branch, replay.
"""

import base64
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, save
from planted_vectors import PREPARE, VECTORS, Shows, Vector
from robbed import PATH, SANDBOXES, ran
from stranger import DONE, Stranger

from react_agent.models.contract import View
from react_agent.models.replay import open_replay
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import again
from react_agent.runs.solve import Fork, Otherwise, fork, resume, solve
from react_agent.state.state import Stop
from react_agent.tools.git import checkpoint, door, workspace
from react_agent.tools.git.checkout import check_out
from react_agent.tools.git.repository import find_base
from react_agent.tools.observation import Status
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process

MOST_S = 20.0  # of one action of ours
SECRET = "nobody is to read this"
CALL = " go on\nAction: {}\nAction Input: {}\n"
EDIT = "{}\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE"
# Its hunks name wrong lines: it is repaired, and the repaired one is proved.
PATCH = """\
--- a/one.py
+++ b/one.py
@@ -5 +5 @@
-one = 1
+one = 2
--- a/two.py
+++ b/two.py
@@ -7 +7 @@
-two = 1
+two = 2"""
STEPS = {
    "replace": CALL.format("replace", EDIT.format("one.py", "one = 1", "one = 2")),
    "undo": CALL.format("undo", ""),
    "list_files": CALL.format("list_files", "."),
    "grep": CALL.format("grep", "nobody|one"),
    "apply_patch": CALL.format("apply_patch", PATCH),
    "write_file": CALL.format("write_file", "new.py\nnew = 1\n"),
    "run": CALL.format("run", "echo more >> new.py"),
}


@dataclass
class Planted:
    """A run with something planted, and a folder that is none of its business."""

    stranger: Stranger
    sandbox: str
    vectors: tuple[Vector, ...]
    doing: str = ""
    since: float = 0.0
    trouble: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stranger.save("two.py", "two = 1\n")
        self.repository.mkdir(parents=True)
        plain_git(self.repository, "init", "--quiet")
        save(self.repository, {"secret.txt": f"{SECRET}\n"})

    @property
    def outside(self) -> Path:
        return Path(self.stranger.top) / "outside"

    @property
    def repository(self) -> Path:
        return self.outside / "repo"

    @property
    def fired(self) -> Path:
        return self.outside / "fired"

    @property
    def runs(self) -> Path:
        return Path(self.stranger.top) / "runs"

    def script(self, text: str) -> str:
        base = self.stranger.git("rev-parse", "HEAD")
        blob = plain_git(self.repository, "rev-parse", "HEAD:secret.txt")
        names = {"OUT": self.outside, "BLOB": blob, "BASE": base}
        given = "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in names.items())
        return f'{given}EVIL="$HOME/evil"\n{text}'

    @property
    def plants(self) -> str:
        return self.script("\n".join((PREPARE, *(vector.plant for vector in self.vectors))))

    def command(self) -> str:
        """The same as an action of the model's, in one line."""
        self.begin("run, which plants it")
        encoded = base64.b64encode(self.plants.encode()).decode()
        return CALL.format("run", f"echo {encoded} | base64 -d > ~/plant; bash ~/plant")

    def plant(self, folder: RunFolder) -> None:
        """As a command that goes on in the background would."""
        places = Places(folder.workspace, folder.home, Path(self.stranger.top) / "cuts")
        environment = {"PATH": PATH, "HOME": str(folder.home), "TMPDIR": str(places.tmp)}
        done = ran(choose(self.sandbox, places, environment, {}), places, self.plants, 60)
        assert done.code == 0, done.output.decode(errors="replace")

    def begin(self, what: str) -> None:
        """What has gone wrong up to here was done by what was begun last."""
        took, now = time.monotonic() - self.since, time.monotonic()
        if self.fired.exists():
            self.trouble.append(f"{self.doing}: it started the program")
            self.fired.unlink()
        if self.doing and took > MOST_S:
            self.trouble.append(f"{self.doing}: it took {took:.0f} s")
        self.doing, self.since = what, now

    def replies(self) -> Iterator[Callable[[View], str]]:
        """The first steps are planted before, as if by a command that still runs; then it ends."""
        again = any(vector.shows is Shows.WAITS for vector in self.vectors)

        def step(name: str, *, planted: bool) -> Callable[[View], str]:
            def reply(view: View) -> str:
                self.begin("between two steps")
                if planted:
                    self.plant(self.run)
                self.begin(name)
                return STEPS[name]

            return reply

        first, second, *others = STEPS
        yield from (step(first, planted=True), step(second, planted=again))
        yield lambda view: self.command()
        yield from (step(name, planted=again) for name in others)  # a checkpoint removes pipes
        yield self.interrupted

    def interrupted(self, view: View) -> str:
        self.begin("the end of a process")
        raise KeyboardInterrupt

    def done(self, view: View) -> str:
        self.begin("the end of the run")
        return DONE

    @property
    def run(self) -> RunFolder:
        return RunFolder(min(self.runs.iterdir()))

    def around(self, *replies: Any) -> Any:
        return self.stranger.around(*replies, sandbox=self.sandbox)

    def hunt(self) -> list[str]:
        """Everything that we do with a run; what went wrong."""
        broken = self.stranger.solve(*self.replies(), sandbox=self.sandbox)
        assert broken.stop is Stop.INTERRUPTED
        steps = broken.state.steps
        failed = [step.seen.text for step in steps if step.status is Status.FAILED]
        assert all("took more than" in text for text in failed), _said(broken)
        self.plant(broken.folder)
        self.begin("fork")
        forked = fork(
            Fork(broken.folder, len(steps)), self.around(self.interrupted), Otherwise(), keep=True
        )
        self.plant(forked.folder)
        self.begin("taking up the fork")
        ended = resume(forked.folder, self.around(self.done), Otherwise(), keep=True)
        self.check(ended)
        self.plant(broken.folder)
        self.begin("resume")
        ended = resume(broken.folder, self.around(self.done), Otherwise(), keep=True)
        self.check(ended)
        self.begin("replay")
        around = replace(
            self.around(),
            runs=Path(self.stranger.top) / "replays",
            open_model=lambda spec: open_replay(spec, lambda difference: None),
        )
        replayed = solve(again(ended.folder, None), around)
        self.begin("")
        assert replayed.stop is Stop.CONCLUDED, _said(replayed)
        return self.trouble

    def check(self, outcome: Outcome) -> None:
        """Of all that is there, the change is what edit tools wrote."""
        self.begin("looking at it")
        assert outcome.stop is Stop.CONCLUDED
        names = self.stranger.git("diff", "--name-only", f"{outcome.branch}~1", outcome.branch)
        assert {*names.split("\n")} - {"README"} == {"one.py", "two.py", "new.py"}
        held = ["git", "cat-file", "--batch", "--batch-all-objects"]
        told = subprocess.run(held, cwd=outcome.folder.git, check=True, capture_output=True).stdout
        files = (outcome.folder.transcript, outcome.folder.report, outcome.folder.changes)
        assert SECRET.encode() not in b"".join((told, *(path.read_bytes() for path in files)))


def _said(outcome: Outcome) -> str:
    return "\n".join(str(step.seen.text) for step in outcome.state.steps)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FIRST_S", 0.3)
    monkeypatch.setattr(door, "SECOND_S", 1.0)


def test_all_programs_at_once_do_nothing_of_ours(stranger: Stranger) -> None:
    starting = tuple(one for one in VECTORS.values() if one.shows is Shows.STARTS)
    assert Planted(stranger, "none", starting).hunt() == []


@pytest.mark.slow
@pytest.mark.attack("plant {id}", by="command", wall="private clone")
@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("name", VECTORS)
def test_what_is_planted_does_nothing_of_ours(stranger: Stranger, sandbox: str, name: str) -> None:
    assert Planted(stranger, sandbox, (VECTORS[name],)).hunt() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", VECTORS)
def test_to_plain_git_it_does_what_it_is_for(stranger: Stranger, name: str) -> None:
    """Else being safe from it would say nothing."""
    vector, planted = VECTORS[name], Planted(stranger, "none", (VECTORS[name],))
    who = {
        f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    environment = {"PATH": PATH, "HOME": str(stranger.top), "TERM": "dumb", **who}

    def done(script: str, seconds: float) -> process.CommandResult:
        argv = ["bash", "-c", script]
        return process.run(argv, cwd=stranger.project, env=environment, timeout_s=seconds)

    trigger = planted.script(vector.trigger)
    assert done(planted.plants, 60).code == 0
    assert not planted.fired.exists()
    told = done(trigger, 1 if vector.shows is Shows.WAITS else 60)
    shows = {
        Shows.STARTS: planted.fired.exists(),
        Shows.WAITS: told.timed_out,
        Shows.TELLS: vector.told in told.output.decode(),
    }
    assert shows[vector.shows]


@pytest.mark.attack("a check of the repository's leaves a pipe", by="repository", wall="git")
def test_a_pipe_among_checked_files_keeps_nobody_waiting(stranger: Stranger) -> None:
    run = stranger.top / "run"
    made = workspace.make(
        find_base(stranger.project), root=run / "workspace", branch="x", cuts=stranger.top / "cuts"
    )
    place = run / "checkout"
    files = check_out(made, made.base.commit, place)
    (files.place / "README").write_text("changed\n")
    for name in (".gitattributes", "pipe"):
        os.mkfifo(files.place / name)
    assert files.changes() == {"README": True}
    assert (files.place / "pipe").is_fifo()  # git opens none but its own


@pytest.mark.attack(
    "patterns without end in .gitattributes of a checkpoint", by="command", wall="private clone"
)
@pytest.mark.parametrize("then", ["is as it was", "is the base's"])
def test_to_restore_files_no_attributes_are_read(stranger: Stranger, then: str) -> None:
    run, deep = stranger.top / "run", Path("deep", *["aaaa"] * 30)
    made = workspace.make(
        find_base(stranger.project), root=run / "workspace", branch="x", cuts=stranger.top / "cuts"
    )
    file = made.root / deep / "file"
    file.parent.mkdir(parents=True)
    file.write_text("one\n")
    (made.root / ".gitattributes").write_text("**/a*/" * 12 + "b text\n")
    tree = checkpoint.take(made).tree
    file.write_text("another\n")
    begun = time.monotonic()
    checkpoint.restore(made, tree if then == "is as it was" else made.base.commit)
    assert time.monotonic() - begun < 2
    if then == "is as it was":
        assert (file.read_text(), checkpoint.take(made).tree) == ("one\n", tree)
    else:
        assert not (made.root / "deep").exists()


def test_without_the_wall_a_filter_is_started(stranger: Stranger) -> None:
    """Our git directory where it was once, in the work tree: the rows above would be red."""
    planted = Planted(stranger, "landlock", (VECTORS["filter.x.clean"],))

    def moved(view: View) -> str:
        theirs, ours = planted.run.workspace / ".git", planted.run.git
        shutil.rmtree(theirs)
        ours.rename(theirs)
        ours.symlink_to(theirs)
        return planted.command()

    stranger.solve(moved, planted.done, sandbox="landlock")
    planted.begin("")
    assert planted.trouble[0] == "run, which plants it: it started the program"
