"""What the script decides: a hook never stands in the way, and asks once for what is asked."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from by_hand import save
from check_rows import each_of

from react_agent.parsers.transcript.hook_files import HookRequest

OURS = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "react-agent"), ("EMAIL", "react-agent@localhost"))
}


def commit_of(hooked: Any) -> str:
    return str(hooked.git("rev-parse", "HEAD"))


@each_of(
    ("message", "is_asked"),
    {
        "subject": ("Agent: fix issues/1.md", True),
        "body, lower case": ("Add it\n\nagent: fix #12", True),
        "co": ("Add it\n\nCo-authored-by: x <react-agent@localhost>\nAgent: x", True),
        "within a line": ("Add an Agent: here", False),
        "indented": ("Add it\n\n  Agent: indented", False),
        "another word": ("Agents: many", False),
    },
)
def test_a_commit_that_asks(hooked: Any, message: str, is_asked: bool) -> None:
    hooked.install("post-commit")
    assert hooked.commit(message) == hooked.queued * is_asked
    asked = HookRequest("post-commit", commit_of(hooked), str(hooked.repository))
    assert hooked.requests == [asked] * is_asked


@pytest.mark.slow
@pytest.mark.parametrize("who", ["AUTHOR", "COMMITTER"])
def test_our_own_commits_ask_for_nothing(hooked: Any, who: str) -> None:
    hooked.install("post-commit")
    hooked.environment = {name: value for name, value in OURS.items() if who in name}
    hooked.commit("Agent: go on for ever")
    assert hooked.requests == []


@pytest.mark.slow
@pytest.mark.parametrize("log", ["true", "false"])
def test_what_was_a_commit_before_asks_for_nothing(hooked: Any, log: str) -> None:
    hooked.git("config", "core.logAllRefUpdates", log)
    hooked.install("post-commit")
    hooked.git("checkout", "--quiet", "-b", "side")
    for number in range(3):
        hooked.commit(f"Agent: {number}")
    hooked.git("checkout", "--quiet", "-b", "other", "main")
    hooked.commit("Another")
    before = hooked.requests
    if log == "true":  # else a pick can't be told from a commit, but for its author and time
        hooked.git("cherry-pick", "--allow-empty", "side")
    hooked.git("rebase", "--quiet", "main")
    hooked.git("rebase", "--quiet", "other", "side")
    assert hooked.git("log", "--format=%s", "other..side") == "Agent: 2\nAgent: 1\nAgent: 0"
    assert (len(before), hooked.requests) == (3, before)


@pytest.mark.slow
def test_two_commits_at_once_are_two_requests(hooked: Any) -> None:
    hooked.install("post-commit")
    places = [hooked.folder / f"tree {number}" for number in range(4)]
    for place in places:
        hooked.git("worktree", "add", "--quiet", "--detach", str(place))
    commands = [
        subprocess.Popen(
            ["git", "commit", "--quiet", "--allow-empty", "-m", f"Agent: {place.name}"], cwd=place
        )
        for place in places
    ]
    assert [one.wait() for one in commands] == [0, 0, 0, 0]
    assert sorted(one.top for one in hooked.requests) == [str(place) for place in places]


def test_nothing_of_the_hook_reaches_us(hooked: Any) -> None:
    """We are started by the interpreter that installed us, and told where."""
    pipe = hooked.folder / "pipe"
    os.mkfifo(pipe)
    only_run = '[ "$5" = run ] || exit 0'
    hooked.python.write_text(f'#!/bin/sh\n{only_run}\n{{ echo "$*"; env; }} >"{pipe}"\n')
    hooked.commit("Agent: look")
    hooked.install("post-commit")
    git_dir = f"{hooked.repository}/.git"
    hooked.environment = {
        "GIT_DIR": git_dir,
        "GIT_WORK_TREE": str(hooked.repository),
        "GIT_INDEX_FILE": f"{git_dir}/index",
        "GIT_OBJECT_DIRECTORY": f"{git_dir}/objects",
        "GIT_CONFIG_PARAMETERS": "'a.b'='c'",
        "GIT_PREFIX": "",
        "GIT_QUARANTINE_PATH": "/q",
        "GIT_REFLOG_ACTION": "commit",
        "GIT_EDITOR": ":",
    }
    done = hooked.ask(".git/hooks/post-commit")
    assert (done.returncode, done.stdout) == (0, f"{hooked.queued}\n")
    words, *environment = pipe.read_text().splitlines()
    assert words == "-P -m react_agent hook run --background --state .git/hooks/../react-agent"
    assert {line.partition("=")[0] for line in environment} & {*hooked.environment} == set()


def test_a_commit_goes_on_where_nothing_can_be_written(hooked: Any) -> None:
    hooked.install("post-commit")
    hooked.commit("Agent: do it", "--no-verify")
    for path in hooked.spool.requests():
        path.unlink()
    done = hooked.ask("sh", "-c", "ulimit -f 0; exec .git/hooks/post-commit")
    line = "react-agent: not queued: nothing can be written to .git/hooks/../react-agent\n"
    assert (done.returncode, done.stdout) == (0, line)
    assert list((hooked.spool.root / "asked").iterdir()) == []


def test_a_commit_goes_on_where_we_are_gone(hooked: Any) -> None:
    hooked.install("post-commit")
    hooked.python.unlink()
    line = f"react-agent: there is no {hooked.python} any more: react-agent hook install"
    assert hooked.commit("Agent: do it") == line
    assert len(hooked.requests) == 1


def test_a_commit_asks_where_no_program_is_on_the_path(hooked: Any) -> None:
    hooked.install("post-commit")
    git = shutil.which("git")
    hooked.environment = {"PATH": ""}
    done = hooked.ask(git, "commit", "--quiet", "--allow-empty", "-m", "Agent: do it")
    hooked.environment = {}
    assert (done.returncode, done.stdout) == (0, f"{hooked.queued}\n")
    assert len(hooked.requests) == 1


def test_the_queue_is_bounded(hooked: Any) -> None:
    hooked.install("post-commit")
    asked = hooked.spool.root / "asked"
    for number in range(99):
        (asked / str(number)).touch()
    line = "react-agent: not queued: 100 requests are waiting (react-agent hook status)"
    assert hooked.commit("Agent: do it") == hooked.queued
    assert hooked.commit("Agent: do it") == line


def test_the_next_hook_tells_what_came_of_it_once(hooked: Any) -> None:
    hooked.install("post-commit")
    for name in ("a", "b"):
        (hooked.spool.root / "news" / f"{name}.txt").write_text(f"react-agent: {name}\n")
    assert [hooked.commit("x"), hooked.commit("y")] == ["react-agent: a\nreact-agent: b", ""]


def test_can_be_skipped(hooked: Any) -> None:
    hooked.install("post-commit")
    hooked.environment = {"REACT_AGENT_SKIP": "1"}
    hooked.commit("Agent: do it")
    assert hooked.requests == []


CHECKED = "[react_agent]\ntest = make test\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "push", "words"),
    [
        pytest.param(CHECKED, ["main"], "{zero} {new} refs/heads/main", id="a branch"),
        pytest.param("[metadata]\n", ["main"], None, id="says nothing of checks"),
        pytest.param(CHECKED, ["main:refs/heads/react-agent/x"], None, id="a branch of ours"),
        pytest.param(CHECKED, ["main:refs/tags/v1"], None, id="a tag"),
    ],
)
def test_a_push_that_is_to_be_checked(
    hooked: Any, remote: Path, config: str, push: list[str], words: str | None
) -> None:
    given = hooked.folder / "given"
    hooked.python.write_text(f'#!/bin/sh\n[ "$5" = run ] || cat >"{given}"\nexit 11\n')
    save(hooked.repository, {"setup.cfg": config})
    hooked.install("pre-push")
    hooked.git("config", "grep.patternType", "fixed")
    hooked.git("push", "--quiet", "origin", *push)
    expected = words and words.format(zero="0" * 40, new=commit_of(hooked)) + "\n"
    assert (given.read_text() if given.exists() else None) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("code", "blocks"), [(0, False), (1, False), (10, True)])
def test_only_one_answer_stops_a_push(hooked: Any, remote: Path, code: int, blocks: bool) -> None:
    hooked.python.write_text(f"#!/bin/sh\nexit {code}\n")
    save(hooked.repository, {".react-agent.cfg": CHECKED})
    hooked.install("pre-push")
    done = hooked.ask("git", "push", "--quiet", "origin", "main")
    assert (done.returncode != 0) is blocks, done.stdout
    hooked.git("push", "--quiet", "--no-verify", "origin", "main")
