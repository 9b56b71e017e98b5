import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git, snapshot, write

from react_agent.tools.git.change import Proposal, commit, propose, show
from react_agent.tools.git.checkout import check_out
from react_agent.tools.git.workspace import Workspace

WorkspaceOf = Callable[[dict[str, str]], Workspace]
Act = Callable[[Path], object]


def _edit(root: Path) -> None:
    write(root, {"README": "changed\n", "new.py": "new = 1\n", "made.log": "ignored\n"})
    (root / "src" / "one.py").unlink()


EDITED = """\
diff --git a/README b/README
index d9b4012..5ea2ed4 100644
--- a/README
+++ b/README
@@ -1 +1 @@
-read me
+changed
diff --git a/new.py b/new.py
new file mode 100644
index 0000000..4f8736c
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+new = 1
diff --git a/src/one.py b/src/one.py
deleted file mode 100644
index a03ba48..0000000
--- a/src/one.py
+++ /dev/null
@@ -1 +0,0 @@
-one = 1
"""


def _tree(made: Workspace) -> str:
    """Of all that changed, as if the edit tools had written each new file."""
    return propose(made, propose(made, set()).left_out).tree


def _ours(made: Workspace, *args: str) -> str:
    """What git says of our own git directory."""
    return made.objects.run(*args).decode().removesuffix("\n")


def _changed(made: Workspace, tree: str) -> list[str]:
    return _ours(made, "diff", "--name-only", made.base.commit, tree).splitlines()


def test_the_index_of_the_commands_stays_as_it_is(made: Workspace) -> None:
    _edit(made.root)
    plain_git(made.root, "add", "new.py")
    index = (made.root / ".git" / "index").read_bytes()
    status = plain_git(made.root, "--no-optional-locks", "status", "--porcelain")
    tree = _tree(made)
    show(made, tree)
    check_out(made, tree, made.root.parent / "checked-out")
    assert (made.root / ".git" / "index").read_bytes() == index
    assert plain_git(made.root, "status", "--porcelain") == status


def _committed_by_a_command(root: Path) -> None:
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "-m", "By a command")


def _on_another_branch(root: Path) -> None:
    plain_git(root, "checkout", "-b", "other")
    _committed_by_a_command(root)
    plain_git(root, "branch", "-D", "agent/it")


def _stashed_and_back(root: Path) -> None:
    plain_git(root, "stash", "--include-untracked")
    plain_git(root, "stash", "pop")


@pytest.mark.parametrize(
    "act",
    [lambda *_: None, _committed_by_a_command, _on_another_branch, _stashed_and_back],
    ids=["nothing", "a commit", "another branch", "a stash"],
)
def test_it_is_compared_with_the_base_whatever_commands_did(made: Workspace, act: Act) -> None:
    _edit(made.root)
    act(made.root)
    tree = propose(made, {"new.py"}).tree
    patch, stat = show(made, tree)
    assert patch.decode() == EDITED
    assert stat.splitlines() == [
        " README     | 2 +-",
        " new.py     | 1 +",
        " src/one.py | 1 -",
        " 3 files changed, 2 insertions(+), 2 deletions(-)",
    ]
    committed = commit(made, "Change it", tree)
    assert _ours(made, "log", "--format=%H", "-2", "agent/it").splitlines() == [
        committed,
        made.base.commit,
    ]
    assert propose(made, {"new.py"}) == Proposal(tree, ())


def test_new_files_of_commands_are_left_out_and_named(made: Workspace) -> None:
    _edit(made.root)
    write(made.root, {"build/junk": "junk\n", "tracked.py": "added on purpose\n"})
    plain_git(made.root, "add", "tracked.py")
    proposal = propose(made, {"new.py", "made.log", "gone.py"})
    assert (proposal.left_out, proposal.ignored) == (("build/junk",), ("made.log",))
    assert b"junk" not in show(made, proposal.tree)[0]
    commit(made, "Change it", proposal.tree)
    assert _ours(made, "show", "--format=", "--name-status", "agent/it").splitlines() == [
        "M\tREADME",
        "A\tnew.py",
        "D\tsrc/one.py",
        "A\ttracked.py",
    ]


def test_nothing_is_committed_when_nothing_changed(made: Workspace) -> None:
    write(made.root, {"junk": "junk\n", "README": "changed\n"})
    plain_git(made.root, "commit", "--all", "-m", "By a command")
    (made.root / "README").write_text("read me\n")
    proposal = propose(made, set())
    assert proposal.left_out == ("junk",)
    assert show(made, proposal.tree) == (b"", "")
    assert commit(made, "Change it", proposal.tree) is None
    assert _ours(made, "rev-parse", "agent/it") == made.base.commit


def test_the_same_commit_made_again_is_the_same(made: Workspace) -> None:
    _edit(made.root)
    tree = _tree(made)
    first = commit(made, "Change it\n\n", tree)
    time.sleep(1)  # a commit holds its second
    assert commit(made, "Change it", tree) == first
    assert commit(made, "Change it otherwise", tree) != first


def test_message_and_author_may_be_anything(made: Workspace) -> None:
    _edit(made.root)
    author = ("Ümläut <x>", "somebody@example.org")
    commit(made, "-m: \0ünd\ud800\n\n--amend\n", _tree(made), author)
    shown = _ours(made, "log", "-1", "--format=%an|%ae|%cn|%B", "agent/it").rstrip("\n")
    assert shown == "Ümläut x|somebody@example.org|react-agent|-m: ünd?\n\n--amend"


def _names(root: Path) -> None:
    for name in ("-dash", "sp ace", "ünï", 'q"uote', "new\nline", "tab\t", "*.py", ":(top)x"):
        write(root, {name: "text\n", f"{name}.dir/{name}": "text\n"})
    Path(os.fsdecode(os.fsencode(root) + b"/not-utf8-\xff")).write_text("text\n")


def _binary(root: Path) -> None:
    write(root, {"binary": bytes(range(256)), "README": b"\0\xff"})


def _kinds(root: Path) -> None:
    (root / "README").unlink()
    shutil.rmtree(root / "src")
    write(root, {"README/inner": "text\n", "src": "text\n"})
    (root / "link").symlink_to("/nowhere")
    (root / ".gitignore").chmod(0o755)


def _ends(root: Path) -> None:
    write(root, {"empty": "", "README": "", "no end": "no end of line"})
    (root / "src/two.py").write_bytes(b"one\r\ntwo\nthree\r")


@pytest.mark.parametrize("act", [_edit, _names, _binary, _kinds, _ends])
def test_the_patch_the_checkout_and_the_commit_are_the_same(
    tmp_path: Path, made: Workspace, project: Path, act: Act
) -> None:
    act(made.root)
    tree = _tree(made)
    plain_git(project, "update-index", "--refresh")  # a copy has other inodes
    (tmp_path / "patch").write_bytes(show(made, tree)[0])
    plain_git(project, "apply", "--index", str(tmp_path / "patch"))
    assert plain_git(project, "write-tree") == tree
    check_out(made, tree, tmp_path / "place")
    commit(made, "Change it", tree)
    plain_git(tmp_path, "clone", "--quiet", "--branch=agent/it", str(made.git_dir), "clone")
    assert snapshot(tmp_path / "place") == snapshot(tmp_path / "clone")


def test_attributes_are_those_of_the_base(workspace_of: WorkspaceOf) -> None:
    """And a file that a filter would store is left out and named."""
    attributes = "*.bat text eol=crlf\n*.bin filter=lfs -text\n"
    files = {"a.bat": "one\r\ntwo\r\n", "a.bin": "a pointer\n"}
    made = workspace_of({".gitattributes": attributes, **files})
    assert show(made, _tree(made))[0] == b""
    (made.root / ".gitattributes").write_text("* -text\n*.bat -diff\n")
    write(made.root, {"a.bat": b"one\r\n2\r\n", "a.bin": b"\0 the content"})
    proposal = propose(made, set())
    assert proposal.filtered == ("a.bin",)
    assert _changed(made, proposal.tree) == [".gitattributes", "a.bat"]
    assert _ours(made, "show", f"{proposal.tree}:a.bat") == "one\n2"
    assert _ours(made, "show", f"{proposal.tree}:.gitattributes") == "* -text\n*.bat -diff"
    assert b"@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in show(made, proposal.tree)[0]


def test_what_git_can_not_hold_is_left_out(made: Workspace) -> None:
    plain_git(made.root, "init", "--quiet", "nested")
    (made.root / "nested" / "file").write_text("text\n")
    os.mkfifo(made.root / "fifo")
    (made.root / "README").unlink()
    os.mkfifo(made.root / "README")
    (made.root / "good").write_text("text\n")
    proposal = propose(made, {"good", "fifo", "nested/"})
    assert proposal.left_out == ("README", "nested/")
    assert _changed(made, proposal.tree) == ["good"]


def test_it_is_checked_out_anew_after_a_kill_with_submodules_as_empty_folders(
    tmp_path: Path, project: Path, workspace_of: WorkspaceOf
) -> None:
    add = ("submodule", "add", "--quiet", str(project), "inner")
    plain_git(project, "-c", "protocol.file.allow=always", *add)
    made, place = workspace_of({"file": "text\n"}), tmp_path / "place"
    write(place, {"src/half": "of an earlier try"})
    check_out(made, made.base.commit, place)
    names = [".gitignore", ".gitmodules", "README", "file", "inner", "src"]
    assert sorted(path.name for path in place.iterdir()) == names
    assert sorted(path.name for path in (place / "src").iterdir()) == ["one.py", "two.py"]
    assert [*(made.root / "inner").iterdir(), *(place / "inner").iterdir()] == []
