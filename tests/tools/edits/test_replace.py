import os
from pathlib import Path

import pytest
from by_hand import files
from check_rows import table_of

from react_agent.parsers.patch.reading.blocks import USAGE
from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Tool

REFUSED = "; nothing was changed"


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def replace(root: Path, text: str) -> Observation:
    return REPLACE.call(text, Context(root))


def test_says_what_of_an_object_means_nothing(root: Path) -> None:
    text = '{"path": "src/y.txt", "old": "one", "new": "1", "count": 1}'
    assert replace(root, text).text == (
        "changed src/y.txt (+1 -1)\n[left out: count]\nsrc/y.txt\n   1| 1\n   2| two"
    )


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "src/x.txt\n" + block("line 4\nline five\n", "x\n"),
            failed(
                "hunk 1 of src/x.txt (line 2 of the patch) does not match the file"
                f"{REFUSED}:\n  `-line five` is not in the file; line 5 of the file is `line 5`\n"
                "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n"
                "   5| line 5\n   6| line 6\n   7| line 7\n   8| line 8",
                "src/x.txt",
            ),
            id="misquoted",
        ),
        pytest.param(
            "binary\n" + block("a\n", "b\n"),
            failed(f"binary is a binary file: only text can be patched{REFUSED}", "binary"),
            id="binary",
        ),
        pytest.param(
            "src/y.txt\n" + block("one\n", "\ud800\n"),
            failed(f"the patch contains a character that can't be stored in a file{REFUSED}"),
            id="surrogate",
        ),
        ("mend it", failed(f"there is no block: {USAGE}{REFUSED}")),
    ],
)
def test_refuses_and_says_why(root: Path, text: str, expected: Observation) -> None:
    (root / "twice").write_text("a\nb\n" * 12)
    (root / "binary").write_bytes(b"a\n\0")
    original = files(root)
    assert replace(root, text) == expected
    assert files(root) == original


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
    assert replace(root, "src/y.txt\n" + block("one\n", "1\n") + second).status == "failed"
    assert files(root) == original


DIFF = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
CHANGED = "changed src/y.txt (+1 -1)\nsrc/y.txt\n   1| 1\n   2| two"


@pytest.mark.parametrize("tool", [REPLACE, APPLY_PATCH], ids=["replace", "apply_patch"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DIFF, id="a diff"),
        pytest.param("src/y.txt\n" + block("one\n", "1\n"), id="blocks"),
        pytest.param('{"path": "src/y.txt", "old_str": "one", "new_str": "1"}', id="an object"),
        pytest.param(
            "*** Begin Patch\n*** Update File: src/y.txt\n@@\n-one\n+1\n*** End Patch",
            id="begin patch",
        ),
    ],
)
def test_any_edit_is_read_by_both_tools(root: Path, tool: Tool, text: str) -> None:
    original = files(root)
    assert tool.call(text, Context(root)) == Observation(CHANGED, paths=("src/y.txt",))
    assert files(root) == original | {"src/y.txt": b"1\ntwo\n"}


def test_far_apart_in_a_long_file_each_change_is_shown(root: Path) -> None:
    lines = ["{", '  "name": "x"', "},"] * 1_756
    three = "one\ntwo\nthree\n"
    first, second = [*lines[:1_800], "here", *lines[1_800:]], "there"
    (root / "long.txt").write_text("\n".join((*first[:3_400], second, *first[3_400:], "")))
    edit = "long.txt\n" + block("here\n", f"here\n{three}") + block("there\n", f"there\n{three}")
    summary, name, *shown = replace(root, edit).text.split("\n")
    assert (summary, name) == ("changed long.txt (+6 -0)", "long.txt")
    assert [line[6:] for line in shown if line[6:].isalpha()] == [
        *("here", "one", "two", "three"),
        *("there", "one", "two", "three"),
    ]
    assert (len(shown), shown[7]) == (15, " ...")
