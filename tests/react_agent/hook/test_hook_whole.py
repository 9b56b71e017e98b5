"""Real commits and pushes, the real command, in the background where it is meant to be."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from by_hand import save, write
from killer import KILLER

from react_agent.demo.repository import make_repository
from react_agent.state import transcript as transcripts

pytestmark = pytest.mark.slow

DEMO = Path(transcripts.__file__).parents[1] / "demo"
# Says when it has ended, to whoever waits for it.
WATCHED = (
    '#!/bin/sh\n"{python}" "$@"\ncode=$?\n[ "$5" = settings ] || echo "$5" >"{pipe}"\nexit $code\n'
)


class Whole:
    def __init__(self, hooked: Any) -> None:
        self.hooked = hooked
        hooked.repository = hooked.folder / "demo"
        make_repository(hooked.repository)
        write(hooked.repository, {"issues/1.md": (DEMO / "issue.md").read_text()})
        hooked.git("add", "issues")
        self.pipe = hooked.folder / "pipe"
        os.mkfifo(self.pipe)
        self.model(f"model = replay/{DEMO / 'transcript.txt'}")

    def model(self, *lines: str) -> None:
        text = "\n".join(("[react_agent]", "sandbox = none", *lines, ""))
        write(Path(os.environ["XDG_CONFIG_HOME"], "react-agent"), {"config.cfg": text})

    def watch(self) -> None:
        """From now on a hook starts us in a way that can be waited for."""
        self.hooked.python.write_text(WATCHED.format(python=sys.executable, pipe=self.pipe))

    def cli(
        self, *arguments: str, kill_at: int | None = None
    ) -> "subprocess.CompletedProcess[str]":
        start = ["-m", "react_agent"] if kill_at is None else ["-c", KILLER, str(kill_at), "before"]
        done = self.hooked.ask(sys.executable, "-P", *start, "hook", *arguments)
        assert isinstance(done, subprocess.CompletedProcess)
        return done

    @property
    def branches(self) -> list[str]:
        refs = ["for-each-ref", "--format=%(refname:short)", "refs/heads/react-agent/"]
        return list(self.hooked.git(*refs).split())

    @property
    def runs(self) -> list[Path]:
        return sorted(Path(os.environ["XDG_STATE_HOME"], "react-agent", "runs").glob("*"))


@pytest.fixture
def whole(hooked: Any) -> Whole:
    return Whole(hooked)


PRE_COMMIT = """\
default_install_hook_types: [post-commit]
repos:
- repo: local
  hooks:
  - id: react-agent
    name: react-agent
    entry: {entry}
    language: system
    stages: [post-commit]
    always_run: true
    pass_filenames: false
    verbose: true
"""


def test_pre_commit_queues_a_run_and_shows_a_mistake_in_the_settings(whole: Whole) -> None:
    entry = f"{sys.executable} -P -m react_agent hook run post-commit"
    write(whole.hooked.repository, {".pre-commit-config.yaml": PRE_COMMIT.format(entry=entry)})
    whole.hooked.environment["PRE_COMMIT_HOME"] = str(whole.hooked.folder / "store")
    whole.hooked.environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    whole.hooked.git("add", ".")
    installed = whole.hooked.ask(sys.executable, "-P", "-m", "pre_commit", "install")
    assert installed.returncode == 0, installed.stdout
    whole.model("model = openai/none", "[react_agent:hook]", "runs = 0")
    said = whole.hooked.commit("Agent: fix issues/1.md").split("\n")
    assert said[0].endswith("Passed")
    assert whole.hooked.queued in said
    whole.model("model = openai/none", "no such setting = 1")
    said = whole.hooked.commit("Again\n\nAgent: fix issues/1.md").split("\n")
    assert said[0].endswith("Failed")
    mistake, waits = said[-2:]  # above them, what the first commit's worker may have told of it
    assert mistake.startswith("react-agent: ")
    assert "no such setting" in mistake
    assert waits.endswith("waits: correct this, then react-agent hook run")


@pytest.mark.parametrize("lines", [("modle = x",), ()], ids=["a mistake", "no model"])
def test_broken_settings_are_told_at_the_commit(whole: Whole, lines: tuple[str, ...]) -> None:
    whole.hooked.python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    whole.hooked.install("post-commit")
    whole.model(*lines)
    first, second = whole.hooked.commit("Agent: fix issues/1.md").split("\n")
    assert ("modle" if lines else "no model") in first
    commit = whole.hooked.git("rev-parse", "HEAD")[:7]
    assert second == (
        f"react-agent: the run for commit {commit} waits: correct this, then react-agent hook run"
    )
    assert len(whole.hooked.spool.requests()) == 1


def test_a_commit_becomes_a_branch_behind_ones_back(whole: Whole) -> None:
    whole.watch()
    whole.hooked.install("post-commit")
    assert whole.hooked.commit("Report it\n\nAgent: fix issues/1.md") == whole.hooked.queued
    assert whole.pipe.read_text() == "run\n"
    [branch] = whole.branches
    told = whole.hooked.commit("Go on")
    commit = whole.hooked.git("rev-parse", "--short=7", "HEAD^")
    assert told == f"react-agent: issues/1.md ({commit}): branch {branch}"
    assert whole.hooked.git("status", "--porcelain") == ""
    status = whole.cli("status").stdout
    assert status.startswith("post-commit: installed\npre-push: not installed\n")


@pytest.mark.parametrize("at", [1, 2, 3, 12, 21, 22, 23])
def test_a_worker_that_is_killed_leaves_its_job_to_the_next(whole: Whole, at: int) -> None:
    whole.hooked.install("post-commit")
    whole.hooked.commit("Agent: fix issues/1.md")
    assert whole.cli("run", kill_at=at).returncode == -signal.SIGKILL
    assert whole.cli("run").returncode == 0
    assert [job.ended for job in whole.hooked.spool.jobs("done")] == ["done"]
    # At its first write a run is no run yet: the next worker makes another one.
    assert (len(whole.branches), len(whole.runs)) == (1, 2 if at == 1 else 1)


CUT_OFF = ("bwrap", "--dev-bind", "/", "/", "--unshare-net")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(CUT_OFF, id="no network", marks=pytest.mark.needs("bwrap", "bubblewrap")),
        pytest.param((), id="API down"),
    ],
)
def test_a_model_that_is_out_of_reach_blocks_no_commit(
    whole: Whole, before: tuple[str, ...]
) -> None:
    whole.model(
        *("model = far", "[react_agent:model far]", "spec = openai/x"),
        "base_url = http://127.0.0.1:1/v1",
    )
    whole.watch()
    whole.hooked.install("post-commit")
    commit = ("git", "commit", "--quiet", "--allow-empty", "-m", "Agent: fix issues/1.md")
    done = whole.hooked.ask(*before, *commit)
    assert (done.returncode, done.stdout) == (0, f"{whole.hooked.queued}\n")
    whole.pipe.read_text()
    [job] = whole.hooked.spool.jobs("done")
    assert job.said.startswith("no branch: model_failed: far: no connection: ")
    whole.model(f"model = replay/{DEMO / 'transcript.txt'}")
    done = whole.cli("run", "--again", job.key)
    assert done.stdout.startswith(f"queued again: issues/1.md ({job.commit[:7]})\n")


def test_thirty_commits_and_their_rebase(whole: Whole) -> None:
    whole.hooked.install("post-commit")
    whole.hooked.git("checkout", "--quiet", "-b", "side")
    for number in range(30):
        whole.hooked.commit(f"Step {number}\n\nAgent: step {number}")
    assert len(whole.hooked.spool.requests()) == 30
    whole.hooked.git("checkout", "--quiet", "-b", "other", "main")
    whole.hooked.commit("Another")
    whole.hooked.git("rebase", "--quiet", "other", "side")
    whole.hooked.git("rebase", "--quiet", "--force-rebase", "main")
    whole.hooked.git("commit", "--quiet", "--amend", "--allow-empty", "--no-edit")
    assert len(whole.hooked.spool.requests()) == 31
    whole.model("model = openai/none", "[react_agent:hook]", "runs = 0")
    assert whole.cli("run").returncode == 0
    waiting = [job.words for job in whole.hooked.spool.jobs("queue")]
    assert waiting == [f"step {number}" for number in range(30)]


def test_a_number_is_an_issue_of_the_remote(whole: Whole) -> None:
    remote = whole.hooked.folder / "remote.git"
    whole.hooked.commit("Write an issue")
    whole.hooked.git("clone", "--quiet", "--bare", ".", str(remote))
    whole.hooked.git("remote", "add", "origin", str(remote))
    whole.hooked.install("post-commit")
    whole.hooked.commit("Agent: fix #1")
    assert whole.cli("run").returncode == 0
    assert [job.ended for job in whole.hooked.spool.jobs("done")] == ["done"]
    [branch] = whole.branches
    assert branch.startswith("react-agent/1-90-min-is-read-as-90-seconds")


def test_no_variable_of_git_reaches_our_git(whole: Whole) -> None:
    """Where somebody starts us in a hook of his own."""
    whole.hooked.install("post-commit")
    whole.hooked.commit("Agent: fix issues/1.md")
    git_dir = whole.hooked.repository / ".git"
    before = (git_dir / "index").read_bytes(), whole.hooked.git("config", "--list")
    whole.hooked.environment = {
        "GIT_DIR": "/nonexistent/.git",
        "GIT_WORK_TREE": "/nonexistent",
        "GIT_INDEX_FILE": f"{git_dir}/index",
        "GIT_OBJECT_DIRECTORY": "/nonexistent/objects",
        "GIT_QUARANTINE_PATH": "/nonexistent/quarantine",
        "GIT_NAMESPACE": "other",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": "/nonexistent",
    }
    assert whole.cli("run").returncode == 0
    whole.hooked.environment = {}
    assert ((git_dir / "index").read_bytes(), whole.hooked.git("config", "--list")) == before
    assert [job.ended for job in whole.hooked.spool.jobs("done")] == ["done"]
    assert len(whole.branches) == 1


def test_a_hook_of_ones_own_may_call_us(whole: Whole) -> None:
    """pre-commit does, and says in variables what is pushed."""
    hook = f'#!/bin/sh\nexec "{sys.executable}" -P -m react_agent hook run {{}}\n'
    whole.hooked.hook("post-commit", hook.format("post-commit"))
    whole.model("model = openai/none", "[react_agent:hook]", "runs = 0")
    whole.hooked.spool.make()
    (whole.hooked.repository / ".react-agent.cfg").write_text(CHECKED.format(test="exit 4"))
    whole.hooked.git("add", ".")
    assert whole.hooked.commit("Agent: fix issues/1.md") == whole.hooked.queued
    new = whole.hooked.git("rev-parse", "HEAD")
    branch = "refs/heads/main"
    whole.hooked.environment = {
        "PRE_COMMIT_LOCAL_BRANCH": branch,
        "PRE_COMMIT_REMOTE_BRANCH": branch,
        "PRE_COMMIT_TO_REF": new,
        "PRE_COMMIT_FROM_REF": whole.hooked.git("rev-parse", "HEAD^"),
    }
    said = whole.cli("run", "pre-push")
    line = f"react-agent: `exit 4` ended with exit code 4 at {new[:7]}:"
    assert (said.returncode, line in said.stdout.split("\n")) == (0, True)


CHECKED = "[react_agent]\ntest = {test}\n"


def pushing(whole: Whole, test: str) -> Callable[[], str]:
    remote = whole.hooked.folder / "remote.git"
    whole.hooked.git("init", "--quiet", "--bare", str(remote))
    whole.hooked.git("remote", "add", "origin", str(remote))
    save(whole.hooked.repository, {".react-agent.cfg": CHECKED.format(test=test)})
    whole.watch()
    whole.hooked.install("pre-push")

    def push() -> str:
        done = whole.hooked.ask("git", "push", "--quiet", "origin", "main")
        return str(done.stdout) + f"{done.returncode}"

    return push


def test_a_push_whose_checks_fail_goes_on_and_queues_a_run(whole: Whole) -> None:
    test = "env | grep ^GIT_ >&2; echo it is wrong; exit 3"
    push = pushing(whole, test)
    with open(os.open(whole.pipe, os.O_RDWR)) as pipe:  # noqa: PTH123 - a reader that is there first
        said = push()
        assert [pipe.readline(), pipe.readline()] == ["check\n", "run\n"]
    [job] = whole.hooked.spool.jobs("done")
    assert (job.hook, job.words) == ("pre-push", f"Make the checks of {job.commit[:12]} pass")
    new = whole.hooked.git("rev-parse", "HEAD")
    lines = said.split("\n")
    assert lines[:2] == [
        f"react-agent: checking {new[:7]}, 120 s at most",
        f"react-agent: `{test}` ended with exit code 3 at {new[:7]}:",
    ]
    names = {line.strip().partition("=")[0] for line in lines[2:-2]} - {"it is wrong"}
    assert (
        names
        == {"GIT_EDITOR", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "GIT_CEILING_DIRECTORIES"} & names
    )
    assert lines[-2:] == ["react-agent: the push goes on; a branch with a patch may follow", "0"]
    assert whole.hooked.git("ls-remote", "origin", "refs/heads/main").startswith(new)


def test_a_push_whose_checks_pass_says_so_little(whole: Whole) -> None:
    push = pushing(whole, "true")
    with open(os.open(whole.pipe, os.O_RDWR)) as pipe:  # noqa: PTH123 - as above
        said = push()
        assert pipe.readline() == "check\n"
    new = whole.hooked.git("rev-parse", "--short=7", "HEAD")
    assert said == f"react-agent: checking {new}, 120 s at most\n0"


def test_a_push_is_stopped_where_that_is_set_and_not_kept_waiting(whole: Whole) -> None:
    push = pushing(whole, "sleep 60")
    whole.hooked.python.write_text(f'#!/bin/sh\n[ "$5" = run ] || exec "{sys.executable}" "$@"\n')
    whole.model("model = openai/none", "[react_agent:hook]", "check_seconds = 1", "block = yes")
    said = push()
    assert said.split("\n")[1] == "react-agent: the check did not finish in 1 s"
    (whole.hooked.repository / ".react-agent.cfg").write_text(CHECKED.format(test="false"))
    whole.hooked.commit("Fail", "--all")
    whole.model("model = openai/none", "[react_agent:hook]", "block = yes")
    said = push()
    assert "react-agent: the push is stopped; a branch with a patch may follow\n" in said
    assert said.endswith("1")
    whole.hooked.environment = {"REACT_AGENT_SKIP": "1"}
    assert push() == "0"
