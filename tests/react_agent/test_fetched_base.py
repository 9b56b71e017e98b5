"""A run on a commit that only the remote has: broken off, taken up, forked, done again, given."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from by_hand import save
from git_server import Served, serving
from replies import ADD, DONE, interrupt

from react_agent.runs.solve import solve
from react_agent.state.state import Stop
from react_agent.tools.git.remote import Standing, fetched_base, push, standing
from react_agent.tools.git.repository import Base, in_repository

LOOK = " look\nAction: read_file\nAction Input: theirs.py\n"


@pytest.fixture
def served(desk: Any, tmp_path: Path) -> Iterator[Served]:
    """A server's repository that is one commit ahead."""
    with serving(tmp_path / "served", desk.repository) as served:
        there = served.repositories.place(served.path)
        desk.git("clone", "--quiet", str(there), str(tmp_path / "other"))
        save(tmp_path / "other", {"theirs.py": "THEIRS = 1\n"})
        desk.git("push", "--quiet", folder=tmp_path / "other")
        yield served


def _base(desk: Any, served: Served) -> Base:
    return fetched_base(desk.repository, served.access, "main", desk.around().cuts)


def _begun(desk: Any, base: Base, *replies: Any) -> Any:
    return solve(replace(desk.request(), revision=base.commit), desk.around(*replies))


def test_it_is_solved_after_a_break_and_pushed(desk: Any, served: Served, tmp_path: Path) -> None:
    base, main = _base(desk, served), desk.git("rev-parse", "main")
    first = _begun(desk, base, LOOK, ADD, interrupt)
    assert first.stop is Stop.INTERRUPTED
    assert desk.git("branch", "--list", "react-agent/*") == ""
    shutil.rmtree(first.folder.workspace)
    second = desk.take_up(first.folder, DONE)
    assert (second.stop, "THEIRS" in second.state.steps[0].seen.text) == (Stop.CONCLUDED, True)
    branch = second.branch
    assert desk.git("rev-parse", f"{branch}~1", "main").split() == [base.commit, main]
    assert desk.git("diff", "--name-only", f"{branch}~1", branch) == "new.py"
    assert desk.git("fsck", "--strict", "--no-dangling") == ""

    access, commit = served.access, desk.git("rev-parse", branch)
    with in_repository(base.repository) as git:
        seen = standing(git, access, "react-agent/12", "main")
        assert seen == Standing("react-agent/12")
        push(git, commit, access, seen)
    assert served.git("rev-parse", "react-agent/12") == commit
    files = (path for path in tmp_path.rglob("*") if path.is_file())
    assert [path for path in files if served.token.encode() in path.read_bytes()] == []


@pytest.mark.slow
def test_in_a_shallow_clone(desk: Any, served: Served) -> None:
    whole = desk.repository.rename(desk.folder / "whole")
    clone = ("clone", "--quiet", "--depth=1", f"file://{whole}", str(desk.folder / "repository"))
    desk.git(*clone, folder=desk.folder)
    outcome = _begun(desk, _base(desk, served), ADD, DONE)
    assert desk.git("rev-list", "--count", outcome.branch) == "3"
    access, commit = served.access, desk.git("rev-parse", outcome.branch)
    with in_repository(desk.repository) as git:
        push(git, commit, access, Standing("react-agent/12"))
    assert served.git("rev-parse", "react-agent/12") == commit
