import os
from collections.abc import Callable
from dataclasses import replace

import pytest
from by_hand import files

from react_agent.tools.context import Context, LastEdit
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.edits.undo import UNDO, take_back
from react_agent.tools.git import checkpoint
from react_agent.tools.git.objects import FILE, Entry
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.observation import Observation, failed

KEPT = "; nothing was undone"
EDIT = """\
diff --git a/src/two.py b/src/2.py
rename from src/two.py
rename to src/2.py
--- a/src/two.py
+++ b/src/2.py
@@ -1 +1 @@
-two = 2
+two = 22
diff --git a/README b/README
old mode 100644
new mode 100755
--- a/README
+++ b/README
@@ -1 +1 @@
-read me
+read it
diff --git a/new/n.py b/new/n.py
new file mode 100644
--- /dev/null
+++ b/new/n.py
@@ -0,0 +1 @@
+n = 1
"""
PATHS = ("src/two.py", "src/2.py", "README", "new/n.py")


@pytest.fixture
def edited(made: Workspace) -> tuple[Context, str, str]:
    before = checkpoint.take(made).tree
    context = Context(made.root, base=made.base.commit)
    assert APPLY_PATCH.call(EDIT, context).paths == PATHS
    return context, before, checkpoint.take(made).tree


@pytest.mark.parametrize("from_base", [False, True])
def test_takes_an_edit_back(
    made: Workspace, edited: tuple[Context, str, str], from_base: bool
) -> None:
    context, before, after = edited
    (made.root / "later").write_text("stays\n")
    seen = take_back(context, context.base if from_base else before, after, PATHS)
    assert seen == Observation(
        "taken back src/two.py (new, +1), src/2.py (deleted, -1), README (+1 -1), "
        "new/n.py (deleted, -1)\nsrc/two.py\n   1| two = 2\nREADME\n   1| read me",
        paths=PATHS,
    )
    assert files(made.root) == {
        ".gitignore": b"*.log\n",
        "README": b"read me\n",
        "later": b"stays\n",
        "src/one.py": b"one = 1\n",
        "src/two.py": b"two = 2\n",
    }
    assert not os.access(made.root / "README", os.X_OK)
    assert not (made.root / "new").exists()


def test_takes_nothing_back_that_has_changed_since(edited: tuple[Context, str, str]) -> None:
    context, before, after = edited
    (context.root / "README").write_text("more\n")
    original = files(context.root)
    said = f"README has changed since the edit{KEPT}"
    assert take_back(context, before, after, PATHS) == failed(said, *PATHS)
    assert files(context.root) == original


def test_an_ignored_file_was_not_kept(made: Workspace) -> None:
    before = checkpoint.take(made).tree
    (made.root / "x.log").write_text("log\n")
    after = checkpoint.take(made).tree
    seen = take_back(Context(made.root), before, after, ("x.log",))
    assert seen == failed(f"git ignores x.log, so its earlier content was not saved{KEPT}", "x.log")
    assert files(made.root)["x.log"] == b"log\n"


def test_without_the_checkpoint_it_is_an_answer(made: Workspace) -> None:
    seen = take_back(Context(made.root), "0" * 40, "0" * 40, ("README",))
    assert seen == failed(f"the object {'0' * 40} is missing{KEPT}", "README")


def test_every_byte_comes_back(made: Workspace) -> None:
    (made.root / ".gitattributes").write_text("*.txt text eol=lf ident\n")
    data = b"$Id$\r\n\xff\0 no newline"
    (made.root / "ä\nb.txt").write_bytes(data)
    before = checkpoint.take(made).tree
    (made.root / "ä\nb.txt").write_bytes(b"other\n")
    after = checkpoint.take(made).tree
    assert take_back(Context(made.root), before, after, ("ä\nb.txt",)).status == "ok"
    assert (made.root / "ä\nb.txt").read_bytes() == data


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("", "taken back README", id="nothing"),
        pytest.param("./README", "taken back README", id="a file of the edit"),
        pytest.param(
            "src/one.py",
            f"the last edit changed README, not src/one.py{KEPT}: empty input undoes the last "
            "edit, a second call the one before it",
            id="another file",
        ),
    ],
)
def test_what_is_named_is_not_another_edit(
    edited: tuple[Context, str, str], asked: str, said: str
) -> None:
    context, before, after = edited
    last = LastEdit(3, ("README",), before, after)
    seen = UNDO.call(asked, replace(context, last_edit=last))
    assert seen.text.startswith(said)
    assert seen.facts == ({} if "not src" in said else {"undid": "3"})


def test_of_the_base_a_file_comes_back_as_it_was_checked_out(
    workspace_of: Callable[[dict[str, str]], Workspace],
) -> None:
    """By the attributes of the base, whatever a command has written there since."""
    made = workspace_of({".gitattributes": "*.bat text eol=crlf\n", "a.bat": "one\r\n"})
    (made.root / ".gitattributes").unlink()
    os.mkfifo(made.root / ".gitattributes")
    (made.root / "a.bat").write_bytes(b"two\r\n")
    after = made.store.with_files(
        made.store.tree_of(made.base.commit),
        {"a.bat": Entry(FILE, made.store.store("blob", b"two\r\n"))},
    )
    context = Context(made.root, base=made.base.commit)
    assert take_back(context, context.base, after, ("a.bat",)).status == "ok"
    assert (made.root / "a.bat").read_bytes() == b"one\r\n"
