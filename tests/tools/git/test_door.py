import os
from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import files_of_at_most, plain_git, program, still_ticks
from check_rows import table_of
from refusals import refusal

from react_agent.tools.errors import MachineError
from react_agent.tools.git.door import MISSING, Git, GitError, trusting, work_tree

HANG = ("-c", "alias.hang=!while :; do echo tick >> ticks; sleep 0.02; done", "hang")


@table_of(
    ("args", "message"),
    [
        (("cat-file", "blob", "HEAD:no"), "git cat-file: path 'no' does not exist in 'HEAD'"),
        pytest.param(("nonsense",), "git nonsense: git: 'nonsense' is not a git command.", id="no"),
        pytest.param(("grep", "no such text"), "git grep: it ended with code 1", id="silent"),
        pytest.param(("grep", "a\0b"), "git can't be started: embedded null byte", id="NUL"),
    ],
)
def test_an_error_is_one_line(project: Path, args: tuple[str, ...], message: str) -> None:
    assert refusal(GitError, Git(project).run, *args).partition(" See ")[0] == message


@table_of(
    "line",
    [
        "error: unable to write file .git/objects/aa/bb: No space left on device",
        "fatal: Unable to write new index file",
    ],
)
def test_a_full_disk_is_the_machines_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    program(tmp_path / "git", f'#!/bin/sh\necho "warning: x\nerror: y\n{line}" >&2\nexit 1\n')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert refusal(MachineError, Git(tmp_path).run, "add") == f"git add: {line.partition(': ')[2]}"


def test_a_limit_on_the_size_of_files_is_the_machines_fault(project: Path) -> None:
    (project / "big").write_bytes(os.urandom(200_000))
    with files_of_at_most(50_000), pytest.raises(MachineError) as caught:
        Git(project).run("add", "big")
    assert str(caught.value) == "git add: a file grew too large"


def test_a_folder_that_is_gone_is_never_another_one(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    gone = project / "gone"
    assert refusal(GitError, Git(gone).run, "rev-parse", "HEAD") == (
        f"git rev-parse: cannot change to '{gone}': No such file or directory"
    )


def test_a_workspace_without_its_repository_is_not_the_one_around_it(project: Path) -> None:
    inner = project / "inner"
    inner.mkdir()
    assert Git(inner).ask("rev-parse", "HEAD").code == 0
    assert work_tree(inner).ask("rev-parse", "HEAD").err == (
        f"fatal: not a git repository: '{inner}/.git'\n"
    )


def test_nothing_of_our_environment_reaches_git(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = plain_git(project, "rev-parse", "HEAD")
    monkeypatch.setenv("SOME_API_KEY", "of ours")
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent")
    assert plain_git(project, "rev-parse", "HEAD", check=False) == ""
    git = Git(project)
    assert git.line("rev-parse", "HEAD") == head
    shown = git.run("-c", "alias.show=!cat /proc/$PPID/environ; env", "show").decode()
    assert "of ours" not in shown
    assert "GIT_INDEX_FILE" not in shown


@pytest.mark.parametrize("name", ["plain", 'a "quoted\\" name', "new\nline ünï#;"], ids=ascii)
def test_a_repository_of_somebody_else_is_read_only_when_trusted(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    plain_git(tmp_path, "init", "--quiet", str(folder))
    stranger = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    assert Git(folder).having(**stranger).ask("rev-parse", "--git-dir").code == 128
    with trusting(tmp_path / "other", folder) as config:
        assert Git(folder, config).having(**stranger).line("rev-parse", "--git-dir") == ".git"
    assert not config.exists()


def test_what_hangs_is_stopped_with_all_it_started(project: Path) -> None:
    told = refusal(GitError, Git(project).run, *HANG, deadline_s=0.3)
    assert told == "git -c was stopped: it took more than 0.3 s"
    assert not still_ticks(project)


def test_endless_output_is_stopped(project: Path) -> None:
    with pytest.raises(GitError) as caught:
        replace(Git(project), most_bytes=1000).run("-c", "alias.yes=!yes", "yes")
    assert str(caught.value) == "git was stopped: it printed more than 1000 bytes"


def test_git_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refusal(MachineError, Git(tmp_path).run, "version") == MISSING
