import os
from pathlib import Path

import pytest
from by_hand import plain_git, save, write
from check_rows import table_of
from refusals import refusal

from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import (
    Base,
    current_branch,
    file_at,
    find_base,
    in_repository,
    is_name,
    new_repository,
    uncommitted,
)


@pytest.mark.parametrize(
    ("folder", "rev", "commit"),
    [
        pytest.param("linked", "HEAD", "HEAD", id="a folder below, through a link"),
        pytest.param(".", "v1", "HEAD~1", id="an annotated tag"),
    ],
)
def test_a_base_is_found(project: Path, folder: str, rev: str, commit: str) -> None:
    plain_git(project, "tag", "-a", "-m", "one", "v1", "HEAD~1")
    (project / "linked").symlink_to(project / "src")
    base = find_base(project / folder, rev)
    assert base == Base(project.resolve(), plain_git(project, "rev-parse", commit))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"gitdir: a\0b\n", id="NUL"),
        pytest.param(b"gitdir: circle\n", id="links in a circle"),
        pytest.param(b"", id="empty"),
    ],
)
def test_a_git_file_may_say_anything(tmp_path: Path, said: bytes) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / ".git").write_bytes(said)
    assert refusal(WorkspaceError, find_base, tmp_path) in (
        f"{tmp_path}/.git names no repository",
        f"{tmp_path} is not a git repository",
    )


@pytest.fixture
def around(tmp_path: Path, project: Path) -> Path:
    """The folder of the project, with others that have no base."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "plain").mkdir()
    (tmp_path / "circle").symlink_to("circle")
    (project / "src" / ".git").mkdir()
    plain_git(tmp_path, "init", "--quiet", "new")
    plain_git(tmp_path, "init", "--quiet", "--object-format=sha256", "sha")
    save(tmp_path / "sha", {"a": "1\n"})
    return tmp_path


@table_of(
    ("folder", "rev", "message"),
    [
        pytest.param("gone", "HEAD", "there is no folder {0}/gone", id="no folder"),
        pytest.param("file", "HEAD", "{0}/file is not a folder", id="a file"),
        ("file/in", "HEAD", "{0}/file/in can't be read: Not a directory"),
        pytest.param("a\0b", "HEAD", "there can't be a folder '{0}/a\\x00b'", id="NUL"),
        pytest.param(
            "circle", "HEAD", "there can't be a folder '{0}/circle'", id="links in a circle"
        ),
        pytest.param("plain", "HEAD", "{0}/plain is not a git repository", id="no repository"),
        ("project/src", "HEAD", "{0}/project/src is not a git repository"),
        ("new", "HEAD", "{0}/new has no commits yet; commit something first"),
        ("sha", "HEAD", "{0}/sha uses SHA-256 object ids, and only SHA-1 is supported"),
        pytest.param("project", "", "{0}/project has no commit called ''", id="no name"),
        ("project", "--all", "{0}/project has no commit called '--all'"),
        ("project", "HEAD:README", "{0}/project has no commit called 'HEAD:README'"),
    ],
)
def test_no_base(around: Path, folder: str, rev: str, message: str) -> None:
    assert refusal(WorkspaceError, find_base, around / folder, rev) == message.format(around)


def test_a_tag_does_not_change_the_name_of_the_branch(project: Path) -> None:
    plain_git(project, "tag", "main")
    assert current_branch(project / "src") == "main"
    plain_git(project, "checkout", "--quiet", "--detach")
    assert current_branch(project) == ""


def test_a_file_at_the_base(project: Path) -> None:
    save(project, {"binary": b"\xff"})
    base = find_base(project)
    write(project, {"src/one.py": "changed\n", "new.py": "not committed\n"})
    assert file_at(base, "src/one.py") == "one = 1\n"
    assert [file_at(base, path) for path in ("new.py", "src", "binary")] == [None] * 3


@pytest.mark.parametrize("kind", ["plain", "linked worktree", "bare"])
def test_whose_repository_it_is_does_not_matter(tmp_path: Path, project: Path, kind: str) -> None:
    """Neither to the git that reads it nor to the one that `fetch` starts there."""
    place = tmp_path / "place"
    if kind == "plain":
        place = project
    elif kind == "linked worktree":
        plain_git(project, "worktree", "add", "--quiet", "--detach", str(place))
    else:
        plain_git(tmp_path, "clone", "--quiet", "--bare", str(project), str(place))
    stranger = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    assert Git(place).having(**stranger).ask("rev-parse", "HEAD").code == 128
    with in_repository(place) as git:
        assert git.having(**stranger).ask("rev-parse", "HEAD").code == 0
        own = Git(git.folder, git.config).having(**stranger)
        assert own.ask("ls-remote", str(place), "HEAD").err == ""


BRANCHES = (
    *("a", "a/b", "a.b", ".a", "a/.b", "a.", "a./b", "a..b", "a.lock", "a.lock/b", "a.locks"),
    *("a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b", "a@{b", "a@b", "@", "a//b"),
    *("a/", "-a", "\x7f", "\x1f", "é", "{", "", "a]"),
)


def test_what_a_branch_can_be_called() -> None:
    """As git says it."""
    for name in BRANCHES:
        said = Git(Path("/")).ask("check-ref-format", f"refs/heads/{name}")
        assert is_name(f"refs/heads/{name}") is (said.code == 0), name


def test_a_new_repository_is_as_git_makes_one(tmp_path: Path) -> None:
    for name, bare in (("a.git", ("--bare",)), (".git", ())):
        new_repository(tmp_path / "ours" / name)
        made = tmp_path / "theirs" / (name if bare else "")
        start = ("init", "--quiet", "--template=", "--initial-branch=main")
        Git(Path("/")).run(*start, *bare, str(made))
        told = "config", "--local", "--list"
        expected = Git(tmp_path / "theirs").having(GIT_DIR=name).line(*told).splitlines()
        ours = Git(tmp_path / "ours").having(GIT_DIR=name)
        found = ours.line(*told).splitlines()
        assert set(expected) - {"core.logallrefupdates=true"} == set(found)
        assert ours.ask("fsck").code == 0


def test_uncommitted_changes(project: Path) -> None:
    save(project, {name: name for name in ("same", "mode", "staged", "unstaged", "gone", "ü")})
    for name in ("same", "mode", "ü"):
        os.utime(project / name, (0, 0))
    assert uncommitted(project) == []
    (project / "mode").chmod(0o755)
    (project / "gone").unlink()
    for name in ("staged", "unstaged", "new", "untracked"):
        (project / name).write_text("changed")
    plain_git(project, "add", "staged", "new")
    assert uncommitted(project / "src") == ["gone", "mode", "new", "staged", "unstaged"]


@pytest.mark.parametrize("kind", [(), ("--bare",)], ids=["no commits", "bare"])
def test_no_uncommitted_changes(tmp_path: Path, kind: tuple[str]) -> None:
    plain_git(tmp_path, "init", "--quiet", *kind, "there")
    assert uncommitted(tmp_path / "there") == []
