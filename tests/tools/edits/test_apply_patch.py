import os
from pathlib import Path

import pytest
from by_hand import files, write
from check_rows import table_of

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.observation import Observation, Status, failed

REFUSED = "; nothing was changed"
CHANGE = """\
--- a/src/x.txt
+++ b/src/x.txt
@@ -4,3 +4,4 @@
 line 4
-line 5
+five
+and a half
 line 6
"""
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


def patch(root: Path, text: str) -> Observation:
    return APPLY_PATCH.call(text, Context(root))


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
    write(tmp_path, {"src/x.txt": LINES})
    strict = Context(tmp_path, repair_input=False)
    fenced = f"```diff\n{CHANGE}```\n"
    assert APPLY_PATCH.call(fenced, strict) == Observation(
        f"the edit does not match exactly ({FENCE}); nothing was changed",
        Status.FAILED,
        paths=("src/x.txt",),
    )
    assert APPLY_PATCH.call(CHANGE, strict) == CHANGED


def edit(name: str, old: str = "one", new: str = "1") -> str:
    return f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def create(name: str) -> str:
    return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+a\n"


@pytest.fixture
def folder(root: Path) -> Path:
    """With links to a file, to a folder and out of it, and files that git ignores."""
    write(root, {".gitignore": "*.log\nbuilt/\n", "a.log": "one\n", "built/it.txt": "one\n"})
    (root / "link").symlink_to("src/y.txt")
    (root / "folder").symlink_to("src")
    (root / "up").symlink_to("..")
    return root


def test_ignored_files_are_edited_by_their_names(folder: Path) -> None:
    name = "built/it.txt"
    assert patch(folder, edit(name)).text == f"changed {name} (+1 -1)\n{name}\n   1| 1"


@table_of(
    ("text", "reason"),
    [
        pytest.param(create("a.log"), "a.log exists already: quote its lines to change it, or "
                     "write another name", id="an ignored file is in the way"),
        pytest.param(edit("link"), "link is a link to src/y.txt: edit that file", id="link"),
        pytest.param(create("src/y.txt/z"), "src/y.txt is a file, so src/y.txt/z can't be created: "
                     "write another path", id="a file is in the way"),
        pytest.param(create("up/out"), "up/out is a symbolic link that leads out of the "
                     "repository; only files in the repository can be accessed: write a path "
                     "relative to its root", id="through a link that leads out"),
        pytest.param(edit("zzzz"), "zzzz does not exist; to create it, write --- /dev/null",
                     id="missing, nothing near"),
    ],
)  # fmt: skip
def test_refuses_what_is_no_place_for_a_file(folder: Path, text: str, reason: str) -> None:
    before = files(folder)
    assert patch(folder, text) == failed(f"{reason}{REFUSED}")
    assert files(folder) == before


def test_permissions_stay_and_follow_a_renamed_file(folder: Path) -> None:
    (folder / "src" / "y.txt").chmod(0o750)
    moved = "diff --git a/src/y.txt b/z.txt\nrename from src/y.txt\nrename to z.txt\n"
    assert patch(folder, edit("src/y.txt")).status == "ok"
    assert (folder / "src" / "y.txt").stat().st_mode & 0o777 == 0o750
    assert patch(folder, moved).status == "ok"
    assert (folder / "z.txt").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    ("before", "said", "after"), [(0o640, "100755", 0o751), (0o755, "100644", 0o644)]
)
def test_a_mode_says_whether_a_file_can_be_executed(
    folder: Path, before: int, said: str, after: int
) -> None:
    (folder / "src" / "y.txt").chmod(before)
    other = "100644" if said == "100755" else "100755"
    text = f"diff --git a/src/y.txt b/src/y.txt\nold mode {other}\nnew mode {said}\n"
    assert patch(folder, text).status == "ok"
    assert (folder / "src" / "y.txt").stat().st_mode & 0o777 == after


def test_a_file_that_is_too_large(folder: Path) -> None:
    with (folder / "big").open("wb") as big:
        big.truncate(20_000_001)
    assert patch(folder, edit("big")).text == (
        f"big is too large to edit (20,000,001 bytes){REFUSED}"
    )


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("src/x.txt\n" + block("no such line\n", ""), id="not found"),
        pytest.param("pipe\n" + block("", "x\n"), id="not a file"),
        pytest.param("bad.py\n" + block("a = 1\n", "a = (\n"), id="does not parse"),
        pytest.param("src/x.txt/z\n" + block("", "x\n"), id="can't be written"),
    ],
)
def test_all_blocks_or_none(root: Path, second: str) -> None:
    os.mkfifo(root / "pipe")
    (root / "bad.py").write_text("a = 1\n")
    original = files(root)
    text = "src/y.txt\n" + block("one\n", "1\n") + second
    assert REPLACE.call(text, Context(root)).status == "failed"
    assert files(root) == original


def test_far_apart_in_a_long_file_each_change_is_shown(root: Path) -> None:
    lines = ["{", '  "name": "x"', "},"] * 1_756
    three = "one\ntwo\nthree\n"
    first, second = [*lines[:1_800], "here", *lines[1_800:]], "there"
    (root / "long.txt").write_text("\n".join((*first[:3_400], second, *first[3_400:], "")))
    blocks = "long.txt\n" + block("here\n", f"here\n{three}") + block("there\n", f"there\n{three}")
    summary, name, *shown = REPLACE.call(blocks, Context(root)).text.split("\n")
    assert (summary, name) == ("changed long.txt (+6 -0)", "long.txt")
    assert [line[6:] for line in shown if line[6:].isalpha()] == [
        *("here", "one", "two", "three"),
        *("there", "one", "two", "three"),
    ]
    assert (len(shown), shown[7]) == (15, " ...")
