"""The history that habits are read from: people's commits, newest first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from by_hand import plain_git, program, write

from react_agent.tools.git.past import past

ASKED = """
import os, pathlib, sys
from react_agent.tools.git.past import past
[one] = past(pathlib.Path(sys.argv[1]), sys.argv[2])
print(one, os.environ["GIT_DIR"], os.environ.get("GIT_PYTHON_REFRESH"))
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    plain_git(tmp_path, "init", "-q", "-b", "main", str(folder))
    return folder


def _commit(folder: Path, message: str, name: str = "", **person: str) -> str:
    if name:
        write(folder, {name: message})
        plain_git(folder, "add", "-A")
    who = f"user.name={person.get('who', 'Ada')}", f"user.email={person.get('mail', 'a@x')}"
    words = ("-c", who[0], "-c", who[1], *person.get("with_", "").split())
    plain_git(folder, *words, "commit", "-q", "--allow-empty", "-m", message)
    return plain_git(folder, "rev-parse", "HEAD")


def _past(folder: Path, *options: str) -> list[str]:
    bare = folder.with_name("bare.git")
    plain_git(folder, "clone", "-q", "--bare", *options, f"file://{folder}", str(bare))
    return past(bare, plain_git(folder, "rev-parse", "HEAD"))


def test_people_and_nobody_else(work: Path) -> None:
    _commit(work, "first\n\nIts body\x01", "a b.py")
    _commit(work, "nothing touched")
    _commit(work, "bump", "x", who="dependabot[bot]")
    _commit(work, "bump", "x", who="renovate", mail="bot@renovateapp.com")
    _commit(work, "ours", "x", mail="react-agent@localhost")
    _commit(work, "of Boris", "d/ü.py", who="Boris Abbot")
    assert _past(work) == [
        "of Boris",
        "nothing touched",
        "first\n\nIts body\x01",
    ]
    for base in ("HEAD", "nosuch", "0" * 40, "0" * 64):
        assert past(work.with_name("bare.git"), base) == []


def test_both_sides_of_a_merge_in_the_order_of_git(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, branch in enumerate(("main", "side", "main", "side", "side", "main")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{1_700_000_000 + number * 60} +0000")
        if number:
            plain_git(work, "checkout", "-q", *(["-b"] if number == 1 else []), branch)
        _commit(work, f"{number}", f"{branch}/{number}")
    plain_git(work, "merge", "-q", "--no-ff", "-m", "Merge it", "side")
    expected = plain_git(work, "log", "--no-merges", "--format=%s").split("\n")
    assert _past(work) == expected == [*"543210"]


def test_a_shallow_history_is_read_to_its_end(work: Path) -> None:
    for name in "abc":
        _commit(work, name, name)
    assert _past(work, "--depth=2") == ["c", "b"]


def test_nothing_is_started_and_no_variable_of_git_counts(work: Path, tmp_path: Path) -> None:
    _commit(work, "first", "a")
    bare, head = tmp_path / "bare.git", plain_git(work, "rev-parse", "HEAD")
    plain_git(work, "clone", "-q", "--bare", str(work), str(bare))
    trap = tmp_path / "trap"
    trap.mkdir()
    os.mkfifo(trap / "config")  # whoever reads it waits for ever
    shim = tmp_path / "bin" / "git"
    program(shim, f"#!/bin/sh\necho started >>'{trap}/started'\n")
    names = ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE")
    environment = {**os.environ, "PATH": str(shim.parent), **dict.fromkeys(names, str(trap))}
    given = [sys.executable, "-P", "-c", ASKED, str(bare), head]
    done = subprocess.run(given, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == f"first {trap} None\n"
    assert not (trap / "started").exists()
    subprocess.run([str(shim)], check=True)
    assert (trap / "started").exists()
