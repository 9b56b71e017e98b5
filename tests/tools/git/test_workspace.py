import os
import shutil
from pathlib import Path

import pytest
from by_hand import plain_git, snapshot, write
from check_rows import table_of

from react_agent.tools.errors import Damaged, WorkspaceError
from react_agent.tools.git.change import commit, propose
from react_agent.tools.git.checkpoint import take
from react_agent.tools.git.door import GitError
from react_agent.tools.git.repository import branches, cut, find_base, give
from react_agent.tools.git.workspace import MOST_NAMES, Workspace, is_whole, make, publish, reopen


def test_it_is_the_base_on_a_branch_of_its_own_and_holds_only_what_we_put_there(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = plain_git(project, "rev-parse", "HEAD")
    template = tmp_path / "template"
    write(template, {"hooks/post-checkout": "#!/bin/sh\n"})
    settings = tmp_path / "settings"
    settings.write_text(f"[init]\n\ttemplateDir = {template}\n[user]\n\tname = Somebody\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    made = make(find_base(project), root=tmp_path / "w", branch="b", cuts=tmp_path / "cuts")
    assert snapshot(made.root) == snapshot(project)
    assert plain_git(made.root, "status", "--branch", "--porcelain=v2").splitlines() == [
        f"# branch.oid {head}",
        "# branch.head b",
    ]
    assert plain_git(made.root, "log", "--format=%H") == plain_git(project, "log", "--format=%H")
    inside = sorted(path.name for path in (made.root / ".git").iterdir())
    assert inside == ["HEAD", "config", "index", "objects", "refs"]
    ours = sorted(path.name for path in made.git_dir.iterdir())
    assert ours == ["HEAD", "checkpoints", "config", "index", "info", "objects", "refs", "stage"]
    listed = plain_git(made.root, "config", "--local", "--list").splitlines()
    assert [line for line in listed if not line.startswith("core.")] == [
        "user.name=react-agent",
        "user.email=react-agent@localhost",
        "gc.auto=0",
        "maintenance.auto=false",
    ]
    assert plain_git(made.root, "remote") == ""
    assert plain_git(made.root, "for-each-ref", "--format=%(refname)") == "refs/heads/b"


@table_of(
    ("root", "branch", "message"),
    {
        "an option": ("w", "-b", "not a valid branch name: '-b'"),
        "a space": ("w", "a b", "not a valid branch name: 'a b'"),
        "already there": ("full", "b", "no workspace at {0}/full: File exists"),
        "in a file": ("file/w", "b", "no workspace at {0}/file/w: Not a directory"),
    },
)
def test_it_can_not_be_made(
    tmp_path: Path, project: Path, root: str, branch: str, message: str
) -> None:
    (tmp_path / "full").mkdir(exist_ok=True)
    (tmp_path / "file").write_text("text")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(WorkspaceError) as caught:
        make(find_base(project), root=tmp_path / root, branch=branch, cuts=tmp_path / "cuts")
    assert str(caught.value) == message.format(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_half_made_is_not_made(tmp_path: Path, project: Path) -> None:
    base = find_base(project)
    # a cut that lost its objects: the checkout fails when the folder is long there
    shutil.rmtree(cut(project, base.commit, tmp_path / "cuts") / "objects" / "pack")
    with pytest.raises(GitError):
        make(base, root=tmp_path / "w", branch="b", cuts=tmp_path / "cuts")
    assert not (tmp_path / "w").exists()


def test_it_is_reopened_after_a_kill(tmp_path: Path, made: Workspace, project: Path) -> None:
    (made.root / "new.py").write_text("new\n")
    tree = take(made).tree
    for lock in ("index.lock", "react-agent-index.lock", "checkpoints/index.lock"):
        (made.git_dir / lock).touch()
    (made.git_dir / "refs" / "heads" / "agent" / "it.lock").touch()
    (made.git_dir / "folder.lock").mkdir()
    (made.git_dir / "link.lock").symlink_to(made.root)
    base = find_base(project, made.base.commit)
    there = reopen(base, root=made.root, branch="agent/it", cuts=tmp_path / "cuts")
    assert there == made
    assert there.store.has(tree)
    assert take(there).tree == tree
    assert commit(there, "New", propose(there, {"new.py"}).tree) is not None
    assert [place.name for place in made.git_dir.glob("*.lock")] == ["folder.lock"]


def test_its_lender_is_made_again(tmp_path: Path, made: Workspace) -> None:
    shutil.rmtree(tmp_path / "cuts")
    assert made.git.ask("log").code != 0
    reopen(made.base, root=made.root, branch=made.branch, cuts=tmp_path / "cuts")
    assert made.git.ask("log").code == 0


@pytest.mark.parametrize("lost", ["../git", "../git/checkpoints", "../git/refs", "."])
def test_a_damaged_one_is_not_reopened(tmp_path: Path, made: Workspace, lost: str) -> None:
    shutil.rmtree(made.root / lost)
    assert not is_whole(made)
    with pytest.raises(Damaged) as caught:
        reopen(made.base, root=made.root, branch=made.branch, cuts=tmp_path / "cuts")
    assert str(caught.value) == (f"the workspace {made.root} is gone or damaged; start a new run")


@pytest.mark.parametrize("name", ["git", "git/checkpoints"])
def test_a_link_in_its_place_is_not_followed(tmp_path: Path, made: Workspace, name: str) -> None:
    (tmp_path / name).rename(tmp_path / "away")
    (tmp_path / name).symlink_to(tmp_path / "away")
    (tmp_path / "away" / "index.lock").touch()
    assert not is_whole(made)
    with pytest.raises(Damaged):
        reopen(made.base, root=made.root, branch=made.branch, cuts=tmp_path / "cuts")
    assert (tmp_path / "away" / "index.lock").exists()


def test_whatever_commands_write_into_their_git_is_no_damage(
    tmp_path: Path, made: Workspace
) -> None:
    plain_git(made.root, "checkout", "--quiet", "--detach")
    plain_git(made.root, "branch", "-m", "agent/it", "other")
    assert reopen(made.base, root=made.root, branch=made.branch, cuts=tmp_path / "cuts") == made
    (made.root / ".git" / "config").write_text("[nonsense")
    assert is_whole(made)
    shutil.rmtree(made.root / ".git")
    assert is_whole(made)


def test_where_cuts_are_may_be_any_name(tmp_path: Path, project: Path) -> None:
    cuts = Path(os.fsdecode(os.fsencode(tmp_path) + b"/c\xff ts"))
    made = make(find_base(project), root=tmp_path / "w", branch="agent/it", cuts=cuts)
    assert is_whole(made)
    assert made.git.line("rev-parse", "HEAD") == made.base.commit


def test_its_branch_is_published_once(made: Workspace, project: Path, made_commit: str) -> None:
    assert publish(made, made_commit) == "agent/it"
    assert publish(made, made_commit) == "agent/it"
    shown = plain_git(project, "log", "-1", "--format=%an <%ae>%n%cn <%ce>%n%P%n%B", "agent/it")
    assert shown.splitlines() == [
        "react-agent <react-agent@localhost>",
        "react-agent <react-agent@localhost>",
        made.base.commit,
        "Change it",
    ]
    assert plain_git(project, "show", "agent/it:README") == "changed"


def test_a_branch_may_be_called_as_a_folder_of_git(tmp_path: Path, project: Path) -> None:
    made = make(find_base(project), root=tmp_path / "w", branch="a/logs", cuts=tmp_path / "cuts")
    (made.root / "README").write_text("changed\n")
    committed = commit(made, "Change it", propose(made, set()).tree)
    assert committed
    assert publish(made, committed) == "a/logs"


@pytest.mark.parametrize(
    ("taken", "expected"),
    [("agent/it", "agent/it-2"), ("agent", "agent-it"), ("agent/it/too", "agent/it-2")],
)
def test_a_branch_that_is_there_is_not_touched(
    made: Workspace, project: Path, made_commit: str, taken: str, expected: str
) -> None:
    plain_git(project, "branch", taken)
    assert publish(made, made_commit) == expected
    assert branches(made.base).get(taken) == made.base.commit
    assert branches(made.base).get(expected) == made_commit


def test_names_come_to_an_end(made: Workspace, project: Path, made_commit: str) -> None:
    for stem in ("agent/it", "agent-it"):
        for name in (stem, *(f"{stem}-{number}" for number in range(2, MOST_NAMES))):
            plain_git(project, "branch", name)
    with pytest.raises(WorkspaceError) as caught:
        publish(made, made_commit)
    assert str(caught.value) == f"{project} has too many branches agent/it-...; delete some"


def test_a_branch_made_in_the_same_moment_is_not_touched(
    made: Workspace, project: Path, made_commit: str
) -> None:
    plain_git(project, "branch", "agent/it")
    with pytest.raises(GitError) as caught:
        give(made.base, "agent/it", made_commit, source=made.git_dir)
    assert "reference already exists" in str(caught.value)
    assert branches(made.base).get("agent/it") == made.base.commit
