import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from react_agent.parsers.replacement import Replacement
from react_agent.tools.apply_patch import APPLY_PATCH
from react_agent.tools.context import Context, Limits
from react_agent.tools.matching import Ambiguous, Missing, Replaced, replaced
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Tool
from react_agent.tools.replace import REPLACE

Files = Callable[[Path], dict[str, bytes]]
REFUSED = "; nothing was changed"


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def replace(root: Path, text: str) -> Observation:
    return REPLACE.call(text, Context(root))


def test_shows_what_the_file_says_now(root: Path, files: Files) -> None:
    original = files(root)
    seen = replace(root, "src/x.txt\n" + block("line 5\n", "five\nand a half\n"))
    assert seen == Observation(
        "changed src/x.txt (+2 -1)\nsrc/x.txt\n   3| line 3\n   4| line 4\n   5| five\n"
        "   6| and a half\n   7| line 6\n   8| line 7",
        paths=("src/x.txt",),
    )
    changed = original["src/x.txt"].replace(b"line 5\n", b"five\nand a half\n")
    assert files(root) == {**original, "src/x.txt": changed}


TRAILING = "found with other blanks at the ends of lines"
SHIFTED = "found with another indentation, and the new lines were shifted as well"
NUMBERS = "line numbers were left out of the block"
MARKS = "the marks that only this transcript has were left out of the block"
CRLF = "the lines end in CRLF, as before"
BLANKS = "blank lines at the ends of the old text were left out"
PART = "found as a part of its line"


@pytest.mark.parametrize(
    ("content", "old", "new", "after", "mended"),
    [
        pytest.param("a\nb\nc\n", "b\n", "x\ny\n", "a\nx\ny\nc\n", "", id="exact"),
        pytest.param("a\nb\nc\n", "b\n", "", "a\nc\n", "", id="deleted lines"),
        pytest.param("a\nb", "b\n", "x\n", "a\nx", "", id="no newline at the end"),
        pytest.param("a\nb", "b\n", "", "a\n", "", id="the last line deleted"),
        pytest.param("a\n", "a\n", "", "", "", id="all lines deleted"),
        pytest.param("b\nbb\n", "b\n", "x\n", "x\nbb\n", "", id="a whole line, not a part"),
        pytest.param("a\n\nb\n", "a\n\nb\n", "x\n", "x\n", "", id="with a blank line"),
        pytest.param("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\nc\r\n", CRLF, id="CRLF"),
        pytest.param("a\r\nb", "a\nb\n", "x\ny\n", "x\r\ny", CRLF, id="CRLF, no newline"),
        pytest.param("a \nb\t\n", "a\nb\n", "x\n", "x\n", TRAILING, id="trailing blanks"),
        pytest.param("a\nb\n", "a  \nb\n", "x\n", "x\n", TRAILING, id="trailing blanks, quoted"),
        pytest.param(
            "  if a:\n\n    b\n", "if a:\n\n  b\n", "if c:\n\n  d\n",
            "  if c:\n\n    d\n", SHIFTED, id="less indentation",
        ),
        pytest.param(
            "if a:\n  b\n", "    if a:\n      b\n", "    if c:\n\n      d\n",
            "if c:\n\n  d\n", SHIFTED, id="more indentation",
        ),
        pytest.param(
            "\ta\r\n", "a\n", "b\nc\n", "\tb\r\n\tc\r\n", SHIFTED, id="a tab, and CRLF"
        ),
        pytest.param(
            "a\n  b\n\nc\n", "   1| a\n   2|   b\n   3|\n", "   1| x\n   2|   y\n   3|\n",
            "x\n  y\n\nc\n", NUMBERS, id="numbered lines",
        ),
        pytest.param(
            "  a\n", "   1| a\n", "b\n", "  b\n", f"{NUMBERS}; {SHIFTED}",
            id="numbered lines, other indentation",
        ),
        pytest.param(
            "Action: a\n\f\n", "\\Action: a\n<U+000C>\n", "\\Action: b\n<U+000C>\n",
            "Action: b\n\f\n", MARKS, id="our marks",
        ),
        pytest.param("x\na\n", "\na\n\n", "\nb\n\n", "x\nb\n", BLANKS, id="blank ends"),
        pytest.param("f(a, b)\n", "a, b\n", "c\n", "f(c)\n", PART, id="a part of a line"),
    ],
)  # fmt: skip
def test_finds_lines_the_strictest_way_first(
    content: str, old: str, new: str, after: str, mended: str
) -> None:
    assert replaced(content, Replacement("f", old, new)) == Replaced(after, mended)


@pytest.mark.parametrize(
    ("content", "old", "new", "after"),
    [
        pytest.param("f(a, b)\n", "a, b", "c", Replaced("f(c)\n"), id="a part of a line"),
        pytest.param("a\nb\n", "\nb", "c", Replaced("ac\n"), id="a newline"),
        pytest.param("max = 1\n", "x = 1", "y", Replaced("may\n"), id="a part of a word"),
        pytest.param("a\r\nb\r\n", "a\nb", "c\nd", Replaced("c\r\nd\r\n", CRLF), id="CRLF"),
        pytest.param("  a\n  b\n", "a\nb", "c", Replaced("  c\n", SHIFTED), id="other blanks"),
        pytest.param("aaa", "aa", "b", Ambiguous((1, 1)), id="two that lap over"),
        pytest.param("a\nb\na\n", "a", "b", Ambiguous((1, 3)), id="two"),
        pytest.param("a\n", "b", "c", Missing(), id="none"),
    ],
)
def test_finds_any_text_of_an_object(
    content: str, old: str, new: str, after: Replaced | Ambiguous | Missing
) -> None:
    assert replaced(content, Replacement("f", old, new, whole_lines=False)) == after


@pytest.mark.parametrize(
    ("content", "old", "new"),
    [
        pytest.param("max = 1\n", "x = 1\n", "y\n", id="a part of a word"),
        pytest.param("  a\n b\n", "a\nb\n", "c\n", id="indented differently"),
        pytest.param("a\n  b\n", "  a\n    b\n", "c\n", id="a new line that can't be shifted"),
        pytest.param("a\nc\nb\n", "a\nb\n", "c\n", id="a line is missing"),
    ],
)
def test_guesses_nothing(content: str, old: str, new: str) -> None:
    assert replaced(content, Replacement("f", old, new)) == Missing()


ANY = st.text(alphabet=st.sampled_from("ab \n\r\t1|\\<"), max_size=30) | st.text(max_size=30)


@given(ANY, ANY, ANY, st.data())
def test_what_stands_once_is_replaced_and_nothing_else(
    before: str, new: str, behind: str, data: st.DataObject
) -> None:
    old = data.draw(ANY.filter(bool))
    content = before + old + behind
    assume(sum(content.startswith(old, at) for at in range(len(content))) == 1)
    expected = content.replace(old, new, 1)
    found = replaced(content, Replacement("f", old, new, whole_lines=False))
    assert found == Replaced(expected)


LINES = st.lists(st.text(alphabet="ab \t", max_size=3), max_size=8)


@given(LINES, LINES.filter(lambda lines: any(map(str.strip, lines))), LINES, LINES)
def test_whole_lines_that_stand_once_are_replaced(
    above: list[str], old: list[str], new: list[str], below: list[str]
) -> None:
    lines = [*above, *old, *below]
    assume(sum(lines[at : at + len(old)] == old for at in range(len(lines))) == 1)
    joined = ["".join(f"{line}\n" for line in part) for part in (lines, old, new)]
    expected = "".join(f"{line}\n" for line in (*above, *new, *below))
    assert replaced(joined[0], Replacement("f", joined[1], joined[2])) == Replaced(expected)


def test_says_how_each_block_was_found(root: Path) -> None:
    text = "src/y.txt\n" + block("  one\n", "  1\n") + block("two  \n", "2\n")
    assert replace(root, text).text == (
        f"changed src/y.txt (+2 -2)\n[block 1 (src/y.txt): {SHIFTED}]\n"
        f"[block 2 (src/y.txt): {TRAILING}]\nsrc/y.txt\n   1| 1\n   2| 2"
    )


def test_says_what_of_an_object_means_nothing(root: Path) -> None:
    text = '{"path": "src/y.txt", "old": "one", "new": "1", "count": 1}'
    assert replace(root, text).text == (
        "changed src/y.txt (+1 -1)\n[the block (src/y.txt): left out: count]\nsrc/y.txt\n   1| 1\n"
        "   2| two"
    )


def test_a_later_block_sees_what_an_earlier_one_did(root: Path, files: Files) -> None:
    replace(root, "src/y.txt\n" + block("one\n", "three\n") + block("three\ntwo\n", "done\n"))
    assert files(root)["src/y.txt"] == b"done\n"


def test_replaces_everywhere_when_told_so(root: Path, files: Files) -> None:
    (root / "f").write_text("a\nb\na\n")
    assert replace(root, "f\nreplace all: yes\n" + block("a\n", "x\n")).text == (
        "changed f (+2 -2)\nf\n   1| x\n   2| b\n   3| x"
    )
    replace(root, json.dumps({"path": "f", "old": "x", "new": "yy", "replace_all": True}))
    assert files(root)["f"] == b"yy\nb\nyy\n"


@pytest.mark.parametrize(
    ("data", "after"),
    [
        pytest.param(b"caf\xe9\none\n", b"caf\xe9\n1\n", id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbfone\r\n", b"\xef\xbb\xbf1\r\n", id="BOM and CRLF"),
        pytest.param(b"one", b"1", id="no newline at the end"),
        pytest.param(b"one\n\n\n", b"1\n\n\n", id="blank lines at the end"),
    ],
)
def test_keeps_what_a_model_does_not_see(root: Path, data: bytes, after: bytes) -> None:
    (root / "f").write_bytes(data)
    (root / "f").chmod(0o751)
    seen = replace(root, '{"path": "f", "old_str": "one", "new_str": "1"}')
    assert ((root / "f").read_bytes(), seen.paths) == (after, ("f",))
    assert stat.S_IMODE((root / "f").stat().st_mode) == 0o751


@pytest.mark.parametrize("name", ["new/n.txt", "empty"])
def test_an_empty_old_text_makes_a_file(root: Path, files: Files, name: str) -> None:
    (root / "empty").touch()
    replace(root, f"{name}\n" + block("", "a\nb\n"))
    assert files(root)[name] == b"a\nb\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "src/y.txt\n" + block("one\n", "one\n"),
            failed(f"the block (src/y.txt) replaces a text by itself: {REFUSED[2:]}", "src/y.txt"),
            id="by itself",
        ),
        pytest.param(
            "src/y.txt\n" + block("one\n", "1\n") + block("1\n", "one\n"),
            failed(f"the new text is what stands there: {REFUSED[2:]}", "src/y.txt"),
            id="there and back",
        ),
        pytest.param(
            "src/y.txt\n" + block("", "x\n"),
            failed(
                "the block (src/y.txt) has no old text, and src/y.txt is not empty (2 lines): "
                "quote the lines beside which the new ones are to stand, and repeat them in the "
                f"new text{REFUSED}",
                "src/y.txt",
            ),
            id="no old text",
        ),
        pytest.param(
            "twice\n" + block("a\n", "x\n"),
            failed(
                "the old text of the block (twice) stands in 12 places, at lines 1, 3, 5, 7, 9, "
                "11, 13, 15, 17, 19 and 2 more: quote more lines around the one that is meant, or "
                f"write `replace all: yes` above the block{REFUSED}",
                "twice",
            ),
            id="in many places",
        ),
        pytest.param(
            "src/x.txt\n" + block("line 4\nline five\n", "x\n"),
            failed(
                f"the block (src/x.txt) misquotes line 5 of the file{REFUSED}\n"
                "the block says, where the file differs\n   5| line five\nthe file says\n"
                "   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
                "   6| line 6\n   7| line 7\n   8| line 8",
                "src/x.txt",
            ),
            id="misquoted",
        ),
        pytest.param(
            "src/x.txt\n" + block("zz\nqq\n", "line 6\nline 7\n"),
            failed(
                "[its new text stands at line 6 already]\n"
                f"the block (src/x.txt) quotes lines that the file does not have{REFUSED}\n"
                "around line 6 the file says\n   3| line 3\n   4| line 4\n   5| line 5\n"
                "   6| line 6\n   7| line 7\n   8| line 8\n   9| line 9\n  10| line 10",
                "src/x.txt",
            ),
            id="done before",
        ),
        pytest.param(
            "src/x.tx\n" + block("a\n", "b\n"),
            failed(
                f"src/x.tx does not exist; near it: src/x.txt, src/y.txt{REFUSED}", "src/x.tx"
            ),
            id="missing file",
        ),
        pytest.param(
            "binary\n" + block("a\n", "b\n"),
            failed(f"binary is binary: it has no lines to replace{REFUSED}", "binary"),
            id="binary",
        ),
        pytest.param(
            "src\n" + block("a\n", "b\n"),
            failed(f"src is a folder{REFUSED}", "src"),
            id="folder",
        ),
        pytest.param(
            "../x\n" + block("a\n", "b\n"),
            failed(
                "../x is outside the repository; only files in the repository can be reached: "
                f"write a path relative to its root{REFUSED}"
            ),
            id="outside",
        ),
        pytest.param(
            "src/y.txt\n" + block("one\n", "\ud800\n"),
            failed(f"the new text holds a character that no file can hold{REFUSED}"),
            id="surrogate",
        ),
    ],
)  # fmt: skip
def test_refuses_and_says_why(root: Path, files: Files, text: str, expected: Observation) -> None:
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
def test_all_blocks_or_none(root: Path, files: Files, second: str) -> None:
    os.mkfifo(root / "pipe")
    (root / "bad.py").write_text("a = 1\n")
    original = files(root)
    assert replace(root, "src/y.txt\n" + block("one\n", "1\n") + second).status == "failed"
    assert files(root) == original


def test_a_refusal_is_no_longer_than_allowed(root: Path) -> None:
    (root / "f").write_text("".join(f"{'x' * 300} {number}\n" for number in range(50)))
    wanted = "".join(f"{'x' * 299}y {number}\n" for number in range(50))
    seen = REPLACE.call("f\n" + block(wanted, ""), Context(root, Limits(output_chars=2_000)))
    assert len(seen.text) <= 2_000


BLOCKS = "SEARCH/REPLACE blocks"
DIFF = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
CHANGED = "changed src/y.txt (+1 -1)\nsrc/y.txt\n   1| 1\n   2| two"


@pytest.mark.parametrize(
    ("tool", "text", "said", "is_done"),
    [
        pytest.param(REPLACE, DIFF, "a unified diff", True, id="a diff"),
        pytest.param(REPLACE, DIFF.replace("-o", "-1"), "a unified diff", False, id="misquoted"),
        pytest.param(APPLY_PATCH, "src/y.txt\n" + block("one\n", "1\n"), BLOCKS, True, id="blocks"),
        pytest.param(
            APPLY_PATCH, '{"path": "src/y.txt", "old_str": "one", "new_str": "1"}', BLOCKS, True,
            id="an object",
        ),
        pytest.param(
            APPLY_PATCH, "src/y.txt\n" + block("1st\n", "1\n"), BLOCKS, False, id="no such line"
        ),
    ],
)  # fmt: skip
def test_an_edit_in_the_words_of_the_other_tool_is_made(
    root: Path, files: Files, tool: Tool, text: str, said: str, is_done: bool
) -> None:
    original = files(root)
    seen = tool.call(text, Context(root))
    assert seen.text.startswith(f"[read as {said}]\n")
    assert (CHANGED in seen.text, seen.status is Status.OK) == (is_done, is_done)
    assert files(root) == (original | {"src/y.txt": b"1\ntwo\n"} if is_done else original)
