import json
import os
from pathlib import Path

import pytest
from small_patch import CHANGE, Files, patch

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.observation import Observation, Status

LINES = "".join(f"line {number}\n" for number in range(1, 13))


SHOWN = """\
src/x.txt
   3| line 3
   4| line 4
   5| five
   6| and a half
   7| line 6
   8| line 7"""
CHANGED = Observation(f"changed src/x.txt (+2 -1)\n{SHOWN}", paths=("src/x.txt",))
FENCE = "the fence around the patch was left out"
V4A = """\
*** Begin Patch
*** Update File: src/x.txt
@@
 line 4
-line 5
+five
+and a half
*** End Patch
"""
BLOCK = """\
src/x.txt
line 5
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CHANGE, id="as it should be"),
        pytest.param(CHANGE.replace("\n", "\r\n"), id="CRLF in the diff alone"),
        pytest.param(V4A, id="begin patch"),
        pytest.param(BLOCK, id="a block of search and replace"),
    ],
)
def test_changes_a_file_and_shows_what_it_says_now(root: Path, files: Files, text: str) -> None:
    before = files(root)
    assert patch(root, text) == CHANGED
    assert files(root) == {
        **before,
        "src/x.txt": LINES.replace("line 5\n", "five\nand a half\n").encode(),
    }


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        pytest.param(
            f"The fix:\n```\n{CHANGE}```\nDone.",
            [FENCE, "the text around the patch was left out"],
            id="prose",
        ),
        pytest.param(
            CHANGE.replace("-4,3 +4,4", "-9,3 +9,4"),
            ["hunk 1: its header gave line 9, found at 4"],
            id="start",
        ),
    ],
)
def test_says_what_was_mended_and_notes_how_much(
    root: Path, files: Files, text: str, mended: list[str]
) -> None:
    before = files(root)
    said = "".join(f"[{one}]\n" for one in mended)
    assert patch(root, text) == Observation(
        f"changed src/x.txt (+2 -1)\n{said}{SHOWN}",
        paths=("src/x.txt",),
        facts={"mended": str(len(mended))},
    )
    assert files(root) == {
        **before,
        "src/x.txt": LINES.replace("line 5\n", "five\nand a half\n").encode(),
    }


def test_takes_a_diff_out_of_an_object(root: Path, files: Files) -> None:
    name, content = next((name, text) for name, text in files(root).items() if text.strip())
    line = content.decode().split("\n")[0]
    diff = f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{line}\n+other\n"
    seen = patch(root, json.dumps({"patch": diff, "reason": "why not"}))
    assert seen.text.startswith(f"[read as --- a/{name} and more lines; left out: reason]\n")
    assert files(root)[name].startswith(b"other\n")


def test_changes_several_files_or_none(root: Path, files: Files) -> None:
    other = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,2 +1,2 @@\n one\n-{}\n+zwei\n"
    before = files(root)
    refused = patch(root, CHANGE + other.format("2"))
    assert (refused.status, files(root)) == (Status.FAILED, before)
    assert patch(root, CHANGE + other.format("two")) == Observation(
        f"changed src/x.txt (+2 -1), src/y.txt (+1 -1)\n{SHOWN}\nsrc/y.txt\n   1| one\n   2| zwei",
        paths=("src/x.txt", "src/y.txt"),
    )


@pytest.mark.parametrize(
    ("text", "seen", "after"),
    [
        pytest.param(
            "--- /dev/null\n+++ b/new/n.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n",
            Observation(
                "changed new/n.txt (new, +2)\nnew/n.txt\n   1| a\n   2| b", paths=("new/n.txt",)
            ),
            {"new/n.txt": b"a\nb\n"},
            id="new",
        ),
        pytest.param(
            "diff --git a/n b/n\nnew file mode 100644\n",
            Observation("changed n (new, +0)", paths=("n",)),
            {"n": b""},
            id="new and empty",
        ),
        pytest.param(
            "diff --git a/src/y.txt b/src/y.txt\ndeleted file mode 100644\n--- a/src/y.txt\n"
            "+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n",
            Observation("changed src/y.txt (deleted, -2)", paths=("src/y.txt",)),
            {"src/y.txt": None},
            id="deleted with a git header",
        ),
        pytest.param(
            "--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
            Observation(
                "changed n.txt (new, +1)\n[n.txt does not exist: read as a new file]\nn.txt\n"
                "   1| a",
                paths=("n.txt",),
                facts={"mended": "1"},
            ),
            {"n.txt": b"a"},
            id="new without /dev/null and without a newline",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1,5 @@\n+1\n+2\n+3\n+4\n+5\n",
            Observation("changed n (new, +5)\nn\n   1| 1\n   2| 2\n   3| 3\n ...", paths=("n",)),
            {"n": b"1\n2\n3\n4\n5\n"},
            id="new and long",
        ),
        pytest.param(
            "diff --git a/src/y.txt b/z.txt\nrename from src/y.txt\nrename to z.txt\n"
            "--- a/src/y.txt\n+++ b/z.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
            Observation(
                "changed z.txt (from src/y.txt, +1 -1)\nz.txt\n   1| one\n   2| 2",
                paths=("src/y.txt", "z.txt"),
            ),
            {"src/y.txt": None, "z.txt": b"one\n2\n"},
            id="renamed",
        ),
        pytest.param(
            "diff --git a/src/y.txt b/z.txt\nsimilarity index 100%\nrename from src/y.txt\n"
            "rename to z.txt\n",
            Observation("changed z.txt (from src/y.txt, +0 -0)", paths=("src/y.txt", "z.txt")),
            {"src/y.txt": None, "z.txt": b"one\ntwo\n"},
            id="only renamed",
        ),
    ],
)
def test_creates_deletes_renames(
    root: Path, files: Files, text: str, seen: Observation, after: dict[str, bytes | None]
) -> None:
    expected = {**files(root), **after}
    assert patch(root, text) == seen
    assert files(root) == {name: each for name, each in expected.items() if each is not None}


@pytest.mark.parametrize(
    "content",
    [b"", b"a\r\nb", b"\xff\n\n", b"\0\n"],
    ids=ascii,
)
def test_any_file_can_be_deleted_without_a_hunk(root: Path, content: bytes) -> None:
    (root / "f").write_bytes(content)
    (root / "f").chmod(0o755)
    assert patch(root, "--- a/f\n+++ /dev/null\n").status is Status.OK
    assert not (root / "f").exists()


def test_makes_a_file_executable(root: Path) -> None:
    text = "diff --git a/src/y.txt b/src/y.txt\nold mode 100644\nnew mode 100755\n"
    assert patch(root, text) == Observation("changed src/y.txt (+0 -0)", paths=("src/y.txt",))
    assert os.access(root / "src" / "y.txt", os.X_OK)


ONE_TO_1 = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
TWO_TO_2 = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        pytest.param(ONE_TO_1, b"one\r\ntwo", b"1\r\ntwo", id="CRLF, no newline at the end"),
        pytest.param(
            f"{TWO_TO_2}\\ No newline at end of file\n", b"one\ntwo\n", b"one\n2", id="loses it"
        ),
        pytest.param(ONE_TO_1, b"one\ntwo\ncaf\xe9\n", b"1\ntwo\ncaf\xe9\n", id="not UTF-8"),
        pytest.param(
            ONE_TO_1.replace("two", "t\u2028o"),
            "one\nt\u2028o\n".encode(),
            "1\nt\u2028o\n".encode(),
            id="only a newline ends a line",
        ),
    ],
)  # fmt: skip
def test_keeps_what_a_model_does_not_see(
    root: Path, text: str, before: bytes, after: bytes
) -> None:
    (root / "f").write_bytes(before)
    assert (patch(root, text).status, (root / "f").read_bytes()) == (Status.OK, after)


def test_line_ends_that_attributes_ask_for_are_kept(root: Path) -> None:
    (root / ".gitattributes").write_text("f text eol=crlf\n")
    (root / "f").write_bytes(b"one\r\ntwo\r\n")
    assert patch(root, ONE_TO_1).status is Status.OK
    assert (root / "f").read_bytes() == b"1\r\ntwo\r\n"


def test_a_file_that_the_repository_has_quoted(root: Path) -> None:
    (root / "ä b").write_text("one\ntwo\n")
    quoted = '--- "a/\\303\\244 b"\n+++ "b/\\303\\244 b"\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n'
    assert patch(root, quoted).paths == ("ä b",)


def test_shows_distant_changes_apart_and_not_more_than_fits(root: Path) -> None:
    (root / "f").write_text("".join(f"{number}\n" for number in range(200)))
    hunks = "".join(
        f"@@ -{at + 1},3 +{at + 1},3 @@\n {at}\n-{at + 1}\n+x\n {at + 2}\n"
        for at in range(0, 200, 10)
    )
    seen = patch(root, f"--- a/f\n+++ b/f\n{hunks}").text.split("\n")
    assert seen[:8] == [
        "changed f (+20 -20)", "f", "   1| 0", "   2| x", "   3| 2", "   4| 3", " ...", "  10| 9",
    ]  # fmt: skip
    assert (len(seen), seen[-1]) == (62, "[59 more lines of the changed regions are not shown]")


def test_a_patch_is_applied_to_the_letter_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "x.txt").write_text(LINES)
    strict = Context(tmp_path, repair_input=False)
    fenced = f"```diff\n{CHANGE}```\n"
    assert APPLY_PATCH.call(fenced, strict) == Observation(
        f"the edit does not fit to the letter ({FENCE}); nothing was changed",
        Status.FAILED,
        paths=("src/x.txt",),
    )
    assert APPLY_PATCH.call(CHANGE, strict) == CHANGED
