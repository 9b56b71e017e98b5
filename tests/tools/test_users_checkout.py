"""A run leaves the user's repository as it was, to the byte, but for the new branch."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import HOOKS, plain_git, program, save, write

from react_agent.tools.git.change import commit, propose
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make, publish, remove

Layout = Callable[[Path], Path]

NEW = re.compile(
    r"(.*/)?(refs/heads/agent/it|logs/refs/heads/agent/it|objects/([0-9a-f]{2}|pack)/[^/]+)"
)


def _detached(project: Path) -> Path:
    plain_git(project, "checkout", "--quiet", "--detach", "HEAD~1")
    return project


def _merging(project: Path) -> Path:
    plain_git(project, "checkout", "--quiet", "-b", "other", "HEAD~1")
    save(project, {"src/two.py": "two = 'other'\n"})
    plain_git(project, "merge", "main", check=False)
    assert "AA src/two.py" in plain_git(project, "status", "--porcelain")
    return project


def _linked_worktree(project: Path) -> Path:
    plain_git(project, "worktree", "add", "--quiet", "-b", "linked", str(project.parent / "linked"))
    return project.parent / "linked"


def _bare(project: Path) -> Path:
    plain_git(project.parent, "clone", "--quiet", "--bare", str(project), "bare.git")
    return project.parent / "bare.git"


def _shallow(project: Path) -> Path:
    plain_git(project.parent, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    return project.parent / "shallow"


def _borrowing(project: Path) -> Path:
    plain_git(project.parent, "clone", "--quiet", "--shared", str(project), "borrowing")
    return project.parent / "borrowing"


def _outer(project: Path) -> Path:
    outer = project.parent / "outer"
    plain_git(project.parent, "init", "--quiet", str(outer))
    add = ("submodule", "add", "--quiet", str(project), "inner")
    plain_git(outer, "-c", "protocol.file.allow=always", *add)
    save(outer, {"README": "read me\n"})
    return outer


def _lived_in(project: Path) -> Path:
    """Packed, and with settings by which a fetch does more; changed, staged and stashed files."""
    place = project.rename(project.parent / "-ünd so: a 'place\"")
    save(place, dict.fromkeys(("-dash", "sp ace", "ünï", 'q"uote', "new\nline"), "text\n"))
    write(place, {"ünï": "changed\n", "untracked": "untracked\n"})
    plain_git(place, "stash", "--include-untracked")
    plain_git(place, "tag", "v1")
    plain_git(place, "gc", "--quiet")
    plain_git(place, "commit-graph", "write", "--reachable")
    for name, value in {
        "fetch.prune": "true",
        "fetch.pruneTags": "true",
        "fetch.writeCommitGraph": "true",
        "fetch.recurseSubmodules": "true",
        "gc.auto": "1",
        "gc.autoDetach": "false",
        "maintenance.auto": "true",
        "core.untrackedCache": "true",
        "remote.origin.url": str(place),
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    }.items():
        plain_git(place, "config", name, value)
    write(place, {"README": "staged\n", "new": "intended\n"})
    plain_git(place, "add", "README")
    plain_git(place, "add", "--intent-to-add", "new")
    (place / "README").write_text("and changed again\n")
    (place / "src" / "one.py").unlink()
    (place / "made.log").write_text("ignored\n")
    return place / "src"


LAYOUTS = [
    *(_lived_in, _linked_worktree, _bare),
    pytest.param(lambda project: _outer(project) / "inner", id="_inner"),
    *(
        pytest.param(layout, marks=pytest.mark.slow)
        for layout in (_detached, _merging, _shallow, _borrowing, _outer)
    ),
]


@pytest.fixture
def theirs(tmp_path: Path, project: Path) -> Path:
    """The project in a folder by itself, where all that is the user's lies."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    return project.rename(folder / "project").parent


def _contents(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Mode, time and bytes of every file; git's own included."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes(),
        )
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_users_repository_is_as_it_was(tmp_path: Path, theirs: Path, layout: Layout) -> None:
    place = layout(theirs / "project")
    mark = tmp_path / "fired"
    common = Path(place, plain_git(place, "rev-parse", "--git-common-dir"))
    for name in HOOKS:
        program(common / "hooks" / name, f"#!/bin/sh\necho {name} >> '{mark}'\n")
    plain_git(place, "config", "core.fsmonitor", str(common.resolve() / "hooks" / "pre-commit"))
    mark.unlink(missing_ok=True)
    before = _contents(theirs)

    made = make(find_base(place), root=tmp_path / "w", branch="agent/it", cuts=tmp_path / "cuts")
    write(made.root, {"README": "by the agent\n", "new.py": "new = 1\n"})
    committed = commit(made, "Change it", propose(made, {"new.py"}).tree)
    assert committed
    publish(made, committed)
    remove(made)

    after = _contents(theirs)
    assert {name: after.get(name) for name in before} == before
    assert [name for name in after.keys() - before.keys() if not NEW.fullmatch(name)] == []
    assert not mark.exists()

    assert plain_git(place, "rev-parse", "agent/it") == committed
    assert plain_git(place, "show", "agent/it:README") == "by the agent"
    assert plain_git(place, "rev-list", "--count", "--not", "HEAD", "--not", "agent/it") == "1"
    assert plain_git(place, "fsck", "--strict", "--no-dangling") == ""
    plain_git(place, "branch", "one-more")
    assert "reference-transaction" in mark.read_text(), "the traps do not work"
