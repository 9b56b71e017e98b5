import os
from pathlib import Path

import pytest
from by_hand import files

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import REPLACE
from react_agent.tools.observation import Observation


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def replace(root: Path, text: str) -> Observation:
    return REPLACE.call(text, Context(root))


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
