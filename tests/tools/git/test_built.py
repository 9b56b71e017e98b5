"""What was built in one checkout, in another: which files, over what, and never in a change."""

import os
import time
from pathlib import Path

import pytest
from by_hand import plain_git, write

from react_agent.tools.git import built, change, checkpoint
from react_agent.tools.git.built import Built, TooMuch, files_in, keep, lay
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace, make

MADE = {
    "src/one.so": "compiled",
    "src/_version.py": "version = '1'\n",
    "project.egg-info/PKG-INFO": "Name: project\n",
    "build/a name [1] !*.log": "x",
}


def _texts(root: Path) -> dict[str, str]:
    return {path: (root / path).read_text() for path in files_in(root)}


def test_what_is_kept(tmp_path: Path) -> None:
    root, place, outside = tmp_path / "root", tmp_path / "built", tmp_path / "outside"
    outside.mkdir()
    write(root, {"src/one.py": "one = 1\n"})
    before = frozenset(files_in(root))
    write(root, {**MADE, "src/one.py": "one = 'changed'\n", "src/new\nline": "x"})
    write(root, {"sub/.git/HEAD": "x", "sub/two.py": "two\n", "src/__pycache__/one.pyc": "x"})
    write(outside, {"theirs.txt": "theirs"})
    (root / "link.txt").symlink_to(outside / "theirs.txt")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "pipe")
    (root / "src/one.so").chmod(0o4555)
    keep(root, before, place)
    assert _texts(place) == {**MADE, "sub/two.py": "two\n"}
    assert (place / "src/one.so").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize(
    ("count", "size"),
    [
        pytest.param(built.MOST_FILES + 1, 0, id="many", marks=pytest.mark.slow),
        pytest.param(1, built.MOST_BYTES + 1, id="large"),
    ],
)
def test_more_than_is_kept(tmp_path: Path, count: int, size: int) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for number in range(count):
        (root / str(number)).touch()
    os.truncate(root / "0", size)  # with a hole, not on the disk
    with pytest.raises(TooMuch, match=r"^they leave more than 10,000 files or 1,024 MiB in the"):
        keep(root, frozenset(), tmp_path / "built")
    assert not (tmp_path / "built").exists()


def test_it_is_laid_over_nothing_and_through_no_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    there = {"src/one.so": "tracked", "project.egg-info": "a file\n"}
    write(root, there)
    outside.mkdir()
    (root / "build").symlink_to(outside)
    write(tmp_path / "built", MADE)
    lay(Built(tmp_path / "built", "1"), root, "1")
    assert _texts(root) == {**there, "src/_version.py": "version = '1'\n"}
    assert [*outside.iterdir()] == []


@pytest.mark.parametrize(
    ("commit", "is_older"),
    [pytest.param("1", False, id="the same"), pytest.param("2", True, id="a later one")],
)
def test_what_is_built_again(tmp_path: Path, commit: str, is_older: bool) -> None:
    """Of what was built on this commit, only what it is built from having changed."""
    write(tmp_path / "built", MADE)
    write(tmp_path / "root", {"src/one.c": "x"})
    lay(Built(tmp_path / "built", "1"), tmp_path / "root", commit)
    times = {(tmp_path / "root" / path).stat().st_mtime for path in MADE}
    assert len(times) == 1
    assert max(times) < time.time() - 2
    assert (max(times) < (tmp_path / "root/src/one.c").stat().st_mtime) is is_older


@pytest.fixture
def given(tmp_path: Path, project: Path) -> Workspace:
    """One with all of it, where a rule brings back what another ignores."""
    (project / ".gitignore").write_text("*.so\n*.log\nsrc/*\n!src/_version.py\n")
    plain_git(project, "commit", "--quiet", "-am", "Ignore what is built")
    write(tmp_path / "built", MADE)
    base = find_base(project)
    return make(
        base,
        root=tmp_path / "given" / "root",
        branch="b",
        cuts=tmp_path / "cuts",
        built=Built(tmp_path / "built", base.commit),
    )


def test_it_is_in_no_change(given: Workspace) -> None:
    assert {*MADE} < {*_texts(given.root)}
    shown = plain_git(given.root, "status", "--porcelain")
    assert shown == "?? src/_version.py"  # git has no way to say otherwise
    write(given.root, {"src/one.py": "one = 11\n", "build/mine.py": "mine = 1\n"})
    write(given.root, {"src/one.so": "compiled again"})
    plain_git(given.root, "add", "--all")
    plain_git(given.root, "add", "--force", "src/one.so")
    tree = change.propose(given, {"src/_version.py"}).tree
    shown = given.objects.run("diff", "--name-only", given.base.commit, tree).decode().strip()
    assert shown == "build/mine.py\nsrc/one.py"


def test_it_stays_where_files_are_brought_back(given: Workspace) -> None:
    start = _texts(given.root)
    write(given.root, {"src/one.py": "one = 11\n", "mine.py": "mine = 1\n"})
    changed = checkpoint.take(given).tree
    checkpoint.restore(given, given.base.commit)
    assert _texts(given.root) == start
    checkpoint.restore(given, changed)
    assert _texts(given.root) == {**start, "src/one.py": "one = 11\n", "mine.py": "mine = 1\n"}
    for path in MADE:
        (given.root / path).write_text("theirs")
    assert given.built
    assert _texts(given.built.folder) == MADE  # as the next one gets it
