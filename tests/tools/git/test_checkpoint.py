import contextlib
import os
import shutil
import socket
import subprocess
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from by_hand import files_of_at_most, plain_git, snapshot, write

from react_agent.tools.errors import MachineError, WorkspaceError
from react_agent.tools.git import checkpoint
from react_agent.tools.git.checkpoint import Taken, restore, take, take_again
from react_agent.tools.git.objects import ObjectError
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace, make

WorkspaceOf = Callable[[dict[str, str]], Workspace]
Act = Callable[[Path], object]
ODD_NAMES = ("-dash", "sp ace", "ünï", 'q"uote', "new\nline", "*.py", ":(top)x", "\udcff")


def _run(line: str, root: Path) -> None:
    subprocess.run(["sh", "-c", line], cwd=root, check=True)


def _edit(root: Path) -> None:
    write(root, {"README": "changed\n", "new/deep/file": "new\n"})


def _folder_for_file(root: Path) -> None:
    (root / "README").unlink()
    write(root, {"README/inner": "inner\n"})


def _link_away(root: Path) -> None:
    shutil.rmtree(root / "src")
    (root / "src").symlink_to(root.parent / "outside")


ACTS: list[Act] = [
    *(_edit, _folder_for_file, _link_away),
    partial(write, files={"README": b"one\r\ntwo\n\0\xff$Id$", "src/new.bat": b"one\r\ntwo\n"}),
    partial(write, files=dict.fromkeys(ODD_NAMES, "text\n")),
    partial(_run, "rm -r src README .gitignore"),
    partial(_run, "rm -r src && echo no folder any more > src"),
    partial(_run, "mv src sources && ln -s sources src"),
    partial(_run, "rm -r src README && ln -s src README && ln -s README src"),
    partial(_run, "mv README readme && mv src Src"),
    partial(_run, "chmod 755 README && ln -s /nowhere link"),
    partial(_run, "echo changed > src/one.py && echo new > src/new.py && chmod 500 src"),
]


def test_every_byte_comes_back(made: Workspace) -> None:
    outside = made.root.parent / "outside"
    write(outside, {"one.py": "somebody else's\n"})
    (made.root / "made.log").write_text("ignored\n")
    first = take(made).tree
    _edit(made.root)
    _folder_for_file(made.root)
    before = snapshot(made.root)
    tree = take(made).tree
    for later in ACTS:
        restore(made, first)
        later(made.root)
        after = snapshot(made.root)
        end = take(made).tree

        restore(made, tree)
        assert snapshot(made.root) == before, later
        assert take(made).tree == tree, later
        restore(made, end)
        assert snapshot(made.root) == after, later
        assert (made.root / "made.log").read_text() == "ignored\n", later
    assert (outside / "one.py").read_text() == "somebody else's\n"


def test_mtimes_of_what_did_not_change_stay(made: Workspace) -> None:
    os.utime(made.root / "src" / "one.py", (1, 1))
    tree = take(made).tree
    _edit(made.root)
    restore(made, tree)
    assert (made.root / "src" / "one.py").stat().st_mtime == 1


def test_attributes_of_the_repository_touch_no_byte(workspace_of: WorkspaceOf) -> None:
    attributes = "* text=auto\n*.bat eol=crlf\n*.id ident\n*.wide working-tree-encoding=UTF-16LE\n"
    files = {"mixed": "one\ntwo\n", "a.id": "$Id$\n", "a.bat": "one\r\n"}
    made = workspace_of({".gitattributes": attributes, **files})
    began, base = snapshot(made.root), take(made).tree
    odd = {"b.id": b"$Id$ $Id: 123 $\n", "c.wide": b"odd"}
    write(made.root, {"mixed": b"one\r\ntwo\n", "new": b"one\r\n", "a.bat": b"one\n", **odd})
    before, tree = snapshot(made.root), take(made).tree
    restore(made, made.base.commit)
    assert (snapshot(made.root), take(made).tree) == (began, base)
    restore(made, tree)
    assert snapshot(made.root) == before


def test_ignored_files_stay_by_the_rules_of_the_checkpoint(made: Workspace) -> None:
    before = take(made).tree
    write(made.root, {".gitignore": "*.log\nkept\n", "kept": "was it ignored?\n"})
    ruled = take(made).tree
    (made.root / ".gitignore").unlink()
    restore(made, ruled)
    assert (made.root / "kept").exists()
    restore(made, before)
    assert not (made.root / "kept").exists()


def _bare_names(root: Path) -> None:
    (root / "README").rename(root / "\udcff")
    (root / "\udce4").mkdir()
    (root / "\udce4" / "\udcff").symlink_to("\udcfe")


def _socket(root: Path) -> None:
    shutil.rmtree(root / "src")
    with contextlib.chdir(root), socket.socket(socket.AF_UNIX) as made:
        made.bind("src")


IN_THE_WAY: list[Act] = [
    *(_bare_names, _socket),
    partial(_run, "rm README && mkfifo README"),
    partial(_run, "rm .gitignore && mkfifo .gitignore"),
    partial(_run, "rm README && mkdir -p README/deep && echo ignored > README/deep/a.log"),
    partial(_run, "rm README && git init --quiet README && echo its own > README/own"),
]


def test_whatever_is_in_the_way_goes(made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("react_agent.tools.git.door.FIRST_S", 0.5)
    before, tree = snapshot(made.root), take(made).tree
    for act in IN_THE_WAY:
        act(made.root)
        restore(made, tree)
        assert snapshot(made.root) == before, act
        assert take(made).tree == tree, act


def test_a_submodule_stays_a_folder(tmp_path: Path, project: Path) -> None:
    commit = plain_git(project, "rev-parse", "HEAD")
    plain_git(project, "update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    plain_git(project, "commit", "--message", "A submodule")
    made = make(find_base(project), root=tmp_path / "w", branch="b", cuts=tmp_path / "cuts")
    tree, sub = take(made).tree, made.root / "sub"
    sub.rmdir()
    restore(made, tree)
    assert list(sub.iterdir()) == []
    sub.rmdir()
    sub.write_text("no folder\n")
    restore(made, tree)
    assert list(sub.iterdir()) == []
    plain_git(sub, "init", "--quiet")
    (sub / "own").write_text("its own\n")
    restore(made, tree)
    assert sorted(path.name for path in sub.iterdir()) == [".git", "own"]


@pytest.mark.parametrize("name", ["../outside", ".git/hooks/pre-commit", "src/../../outside"])
def test_no_file_leads_out(made: Workspace, name: str) -> None:
    """As no checkpoint has it, and git would refuse it; whoever made the tree."""
    store = made.store
    entry = store.entries(store.tree_of(made.base.commit))[b"README"]
    data = b"100644 %s\0%s" % (name.encode(), bytes.fromhex(entry.id))
    with pytest.raises(WorkspaceError, match="no file of a checkpoint has that name"):
        restore(made, store.store("tree", data))
    places = (made.root.parent / "outside", made.root / ".git/hooks/pre-commit")
    assert not any(place.exists() for place in places)


def test_a_folder_that_was_exchanged_for_a_link_is_not_gone_through(made: Workspace) -> None:
    """After it was looked at, by a command that still runs."""
    outside = made.root.parent / "outside"
    shutil.copytree(made.root / "src", outside)
    write(made.root, {"src/new.py": "new\n", "src/one.py": "changed\n"})
    tree, changes = made.base.commit, checkpoint._changes

    def exchanged(workspace: Workspace) -> object:
        found = changes(workspace)
        (made.root / "src").rename(made.root / "moved")
        (made.root / "src").symlink_to(outside)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "_changes", exchanged)
        restore(made, tree)
    assert (outside / "one.py").read_text() == "one = 1\n"
    assert not (made.root / "src").is_symlink()


@pytest.mark.parametrize("name", ["README", "new"])
def test_a_file_beyond_all_measure_is_left_out(
    made: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("react_agent.tools.git.checkpoint.MOST", 1000)
    (made.root / name).write_bytes(b"x" * 1001)
    assert take(made) == Taken(made.store.tree_of(made.base.commit), (name,))


def test_a_damaged_object_leaves_no_half_file(made: Workspace) -> None:
    (made.root / "new").write_bytes(b"what it holds\n")
    tree = take(made).tree
    id = made.store.at(tree, ["new"])["new"].id
    place = made.git_dir / "objects" / id[:2] / id[2:]
    place.chmod(0o644)
    place.write_bytes(zlib.compress(b"blob 14\0what it helds\n"))
    (made.root / "new").write_bytes(b"otherwise\n")
    with pytest.raises(ObjectError, match="is damaged"):
        restore(made, tree)
    assert [path.name for path in made.root.iterdir() if path.name.startswith(".react")] == []
    assert (made.root / "new").read_bytes() == b"otherwise\n"


def test_a_repository_inside_stays(made: Workspace) -> None:
    tree = take(made).tree
    plain_git(made.root, "init", "--quiet", "nested")
    (made.root / "nested" / "file").write_text("text\n")
    assert take(made).tree == tree
    restore(made, tree)
    assert (made.root / "nested" / "file").exists()


def test_an_unknown_checkpoint_changes_nothing(made: Workspace) -> None:
    _edit(made.root)
    before = snapshot(made.root)
    assert not made.store.has("1" * 40)
    with pytest.raises(WorkspaceError) as caught:
        restore(made, "1" * 40)
    assert str(caught.value) == f"there is no checkpoint {'1' * 40} in {made.root}"
    assert snapshot(made.root) == before


def test_a_link_in_a_circle_that_a_rule_ignores(made: Workspace) -> None:
    """git can't tell that what is below it is gone, and nothing takes its place."""
    shutil.rmtree(made.root / "src")
    (made.root / "src").symlink_to("src")
    (made.root / ".gitignore").write_text("*\n")
    tree = take(made).tree
    listed = made.checkpoints.line("ls-tree", "-r", "--name-only", tree)
    assert "src" not in listed
    restore(made, tree)
    assert (made.root / "src").is_symlink()


def test_the_same_size_at_the_same_time_is_noticed(made: Workspace) -> None:
    """As often as a file can be written while the clock that git goes by stands still."""
    file = made.root / "README"
    for number in range(4):
        file.write_text(f"{number:08}\n")
        before, times = take(made).tree, file.stat()
        file.write_text(f"{number + 100:08}\n")
        if number % 2:
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert take(made).tree != before
        restore(made, before)
        assert file.read_text() == f"{number:08}\n"


@pytest.mark.parametrize("content", [None, b"", b"DIRC\0\0\0\2"], ids=["gone", "empty", "cut"])
def test_what_is_kept_between_checkpoints_may_be_damaged(
    made: Workspace, content: bytes | None
) -> None:
    first = take(made).tree
    _edit(made.root)
    second = take(made).tree
    for go_on in (lambda: restore(made, first), lambda: take(made).tree):
        place = made.git_dir / "checkpoints" / "base-index"
        place.unlink(missing_ok=True)
        if content is not None:
            place.write_bytes(content)
        go_on()
    restore(made, second)
    assert take(made).tree == second


@pytest.mark.parametrize("name", ["README", "new"])
def test_without_room_nothing_is_left_out(made: Workspace, name: str) -> None:
    (made.root / name).write_bytes(os.urandom(200_000))
    with files_of_at_most(50_000), pytest.raises(MachineError):
        take(made)
    for lock in (made.git_dir / "checkpoints").glob("*.lock"):
        lock.unlink()
    taken = take(made)
    assert taken.left_out == ()
    restore(made, made.base.commit)
    restore(made, taken.tree)
    assert (made.root / name).stat().st_size == 200_000


NAMES = ("git~1/x", ".GIT/x", ".git /x", ".git.. /x", "a\\.git\\x", ".git:x", ".gitx", "git~2", "a")


def test_names_that_git_forbids_are_left_out(made: Workspace) -> None:
    """As git says it of each."""
    write(made.root, dict.fromkeys(NAMES, "text\n"))
    for name in (".gitmodules", "gi7eba~1"):
        (made.root / name).symlink_to("README")
    git = made.git.having(GIT_INDEX_FILE=str(made.git_dir / "another"))
    blob = git.line("hash-object", "-w", "README")
    refused = []
    for name in (*NAMES, ".gitmodules", "gi7eba~1"):
        mode = "120000" if (made.root / name).is_symlink() else "100644"
        row = f"{mode} {blob}\t{name}\n".encode()
        git.ask("update-index", "--index-info", stdin=row)
        if name not in git.line("ls-files", "-z").split("\0"):
            refused.append(name)
    assert take(made).left_out == tuple(sorted(refused))
    assert {"git~1/x", ".gitmodules"} <= {*refused} and ".gitx" not in refused


@pytest.mark.parametrize("path", ["src/new.py", ".gitignore", "README/a.py"])
def test_of_a_new_file_git_is_asked(made: Workspace, path: str) -> None:
    last = take(made).tree
    if path.startswith("README"):
        (made.root / "README").unlink()
    write(made.root, {path: "new\n"})
    assert take_again(made, last, [path]) is None


@pytest.mark.parametrize(("name", "is_known"), [("a", True), (".gitattributes", False)])
def test_the_first_edit_starts_no_process(
    workspace_of: WorkspaceOf, name: str, is_known: bool
) -> None:
    made = workspace_of({name: "*.bat eol=crlf\n"})
    for path in (changed := ["README", "src/one.py"]):
        (made.root / path).write_text("changed\n")
    expected = take(made).tree if is_known else None
    assert take_again(made, made.base.commit, changed) == expected
