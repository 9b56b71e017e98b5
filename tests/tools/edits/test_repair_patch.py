"""What git and unidiff make of a patch that is about to leave."""

from pathlib import Path

import pytest

from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import Result
from react_agent.tools.edits.repair_patch import files_of, repaired_for_git

HEAD = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
ONE = f"{HEAD}@@ -1,2 +1,2 @@\n-one\n+uno\n two\n"
LATIN = f"{HEAD}@@ -1 +1 @@\n-gr\udcfc\udcdfe\x0c\n+gross\udce9\n"
NEW = (
    "diff --git a/n.py b/n.py\nnew file mode 100755\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n"
)
GONE = (
    "diff --git a/x.py b/x.py\ndeleted file mode 100644\n--- a/x.py\n+++ /dev/null\n"
    "@@ -1,2 +0,0 @@\n-one\n-two\n"
)
MOVED = (
    "diff --git a/x.py b/y z.py\nsimilarity index 50%\nrename from x.py\nrename to y z.py\n"
    "--- a/x.py\n+++ b/y z.py\n@@ -1,2 +1,2 @@\n-one\n+uno\n two\n"
)


def objection(patch: str, result: Result, folder: Path) -> str:
    made = Repaired(patch, (result,), ())
    found = repaired_for_git("", files_of(folder), repair=lambda *_: made)
    return "\n".join(found.reasons) if isinstance(found, Refused) else ""


@pytest.mark.parametrize(
    ("before", "patch", "result"),
    [
        pytest.param(b"one\ntwo\n", ONE, Result("x.py", "x.py", "uno\ntwo\n"), id="edit"),
        pytest.param(
            b"gr\xfc\xdfe\x0c\n", LATIN, Result("x.py", "x.py", "gross\udce9\n"), id="not UTF-8"
        ),
        pytest.param(b"", NEW, Result(None, "n.py", "x\n", "100755"), id="new"),
        pytest.param(b"one\ntwo\n", GONE, Result("x.py", None, None), id="deleted"),
        pytest.param(b"one\ntwo\n", MOVED, Result("x.py", "y z.py", "uno\ntwo\n"), id="renamed"),
    ],
)
def test_nobody_objects(tmp_path: Path, before: bytes, patch: str, result: Result) -> None:
    (tmp_path / "x.py").write_bytes(before)
    assert objection(patch, result, tmp_path) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["x.py"]  # tried on copies
    assert (tmp_path / "x.py").read_bytes() == before


@pytest.mark.parametrize(
    ("patch", "result", "line"),
    [
        pytest.param(
            ONE.replace("two", "tow"),
            Result("x.py", "x.py", "uno\ntwo\n"),
            "git would not take the repaired patch: patch failed: x.py:1",
            id="does not apply",
        ),
        pytest.param(
            ONE,
            Result("x.py", "x.py", "UNO\ntwo\n"),
            "git makes something else of the repaired patch: x.py",
            id="another result",
        ),
        pytest.param(
            ONE.replace("@@ -1,2 +1,2 @@", "@@ -1,3 +1,3 @@"),
            Result("x.py", "x.py", "uno\ntwo\n"),
            "unidiff can't read the repaired patch: Hunk is shorter than expected",
            id="counts",
        ),
        pytest.param(
            "",
            Result("x.py", "x.py", "uno\ntwo\n"),
            "unidiff reads 0 files in the repaired patch, and not 1",
            id="nothing",
        ),
    ],
)
def test_objects(tmp_path: Path, patch: str, result: Result, line: str) -> None:
    (tmp_path / "x.py").write_text("one\ntwo\n")
    assert objection(patch, result, tmp_path) == line
