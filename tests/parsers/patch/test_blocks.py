"""Each spelling that is read stands beside the near-miss that is not."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading
from react_agent.parsers.patch.reading.blocks import USAGE, is_blocks, is_conflicts, read_blocks

BLOCK = "<<<<<<< SEARCH\na\nold\n=======\na\nnew\n>>>>>>> REPLACE"
CHANGED = (Line(" ", "a"), Line("-", "old"), Line("+", "new"))


def meant(at: int, name: str = "src/x.py", **more: object) -> FileChange:
    hunk = Hunk(at, CHANGED, is_block=True)._replace(**more)  # type: ignore[arg-type]
    return FileChange(at, name, name, (hunk,))


@table_of(
    ("text", "at", "near_miss"),
    [
        pytest.param(f"src/x.py\n{BLOCK}", 2, BLOCK, id="the path above"),
        pytest.param(
            f"I mend it.\n\nsrc/x.py\n{BLOCK}\nDone.", 4, f"I mend it.\n{BLOCK}", id="prose"
        ),
        pytest.param(
            f"```\nsrc/x.py\n{BLOCK}\n```", 3, f"```\n\n{BLOCK}\n```", id="the path in a fence"
        ),
        pytest.param(
            f"```python src/x.py\n{BLOCK}\n```",
            2,
            f"```python x\n{BLOCK}\n```",
            id="the path in the fence's info",
        ),
        pytest.param(
            BLOCK.replace("SEARCH", "SEARCH src/x.py"),
            1,
            BLOCK.replace("SEARCH", "SEARCH it"),
            id="the path in the mark",
        ),
        pytest.param(
            f"src/x.py\n{BLOCK}".replace("<<<<<<<", "<<<<<").replace(">>>>>>>", ">>>>>>>>>"),
            2,
            f"x.py\n{BLOCK}".replace("<<<<<<<", "<<<<"),
            id="5 to 9 characters",
        ),
        pytest.param(
            f"src/x.py\n{BLOCK}".replace("SEARCH", "HEAD"),
            2,
            f"x.py\n{BLOCK}".replace("SEARCH", "HEAD").replace("REPLACE", "theirs"),
            id="HEAD, and REPLACE",
        ),
        pytest.param(f"src/x.py\n{BLOCK}".replace("SEARCH", "SEARCH>"), 2, "", id="a stray mark"),
    ],
)
def test_reads_a_block_as_models_write_it(text: str, at: int, near_miss: str) -> None:
    reading = read_blocks(text.split("\n"), ["src/x.py"])
    assert is_blocks(text.split("\n"))
    assert (reading.problem, reading.changes, reading.repairs) == ("", (meant(at),), ())
    missed = near_miss.split("\n")
    assert not is_blocks(missed) or _names_no_file(read_blocks(missed))


def _names_no_file(reading: Reading) -> bool:
    return all(not change.new for change in reading.changes)


@table_of(
    ("text", "change", "repairs"),
    [
        pytest.param(
            f"x.py\nreplace all: yes\n{BLOCK}", meant(3, "x.py", everywhere=True), (), id="all"
        ),
        pytest.param(
            "x.py\n<<<<<<<< SEARCH\nT\n=======\n========\nU\n=======\n>>>>>>>> REPLACE",
            meant(2, "x.py", lines=(Line("-", "T"), Line("+", "U"), Line(" ", "======="))),
            (),
            id="a title, and longer marks",
        ),
        pytest.param(
            "n.py\n<<<<<<< SEARCH\n\n=======\nnew\n>>>>>>> REPLACE",
            FileChange(2, None, "n.py", (Hunk(2, (Line("+", "new"),), is_block=True),)),
            (),
            id="nothing old: a new file",
        ),
    ],
)
def test_reads_what_else_a_block_says(
    text: str, change: FileChange, repairs: tuple[str, ...]
) -> None:
    reading = read_blocks(text.split("\n"))
    assert (reading.problem, reading.changes, reading.repairs) == ("", (change,), repairs)


def test_reads_several_blocks_and_files() -> None:
    text = f"a.py\n{BLOCK}\n{BLOCK}\nb.py\n{BLOCK}\na.py\n{BLOCK}"
    hunks = [Hunk(at, CHANGED, is_block=True) for at in (2, 9, 17, 25)]
    assert read_blocks(text.split("\n")).changes == (
        FileChange(2, "a.py", "a.py", (hunks[0], hunks[1], hunks[3])),
        FileChange(17, "b.py", "b.py", (hunks[2],)),
    )


@table_of(
    ("old", "new", "expected"),
    [
        pytest.param("a b c", "a x c", " a|-b|+x| c", id="both ends stay"),
        pytest.param(
            "1 k k 2", "3 k k 4", "-1|-k|-k|-2|+3|+k|+k|+4", id="not if it is twice there"
        ),
    ],
)
def test_what_is_equal_stays(old: str, new: str, expected: str) -> None:
    parts = [old.replace(" ", "\n"), "=======", new.replace(" ", "\n")]
    text = "\n".join(["x.py", "<<<<<<< SEARCH", *parts, ">>>>>>> REPLACE"])
    hunk = read_blocks(text.split("\n")).changes[0].hunks[0]
    assert "|".join(map("".join, hunk.lines)) == expected
    assert " ".join(hunk.old) == old
    assert " ".join(hunk.new) == new


RST = "x.rst\n<<<<<<< SEARCH\nT\n=======\n=======\nU\n=======\n>>>>>>> REPLACE"
EMPTY = "<<<<<<< SEARCH\n=======\n{}>>>>>>> REPLACE"


@table_of(
    ("text", "problem"),
    [
        pytest.param("mend it", f"there is no block: {USAGE}", id="prose"),
        pytest.param(
            "x.py\n<<<<<<< SEARCH\nold\n=======\nnew",
            "the block of line 2 was cut off: it has no >>>>>>> REPLACE; send all of it",
            id="cut off",
        ),
        pytest.param(
            RST,
            "in the block of line 2 any of lines 4, 5, 7 can be the divider: write its three "
            "marks with another number of characters, from 5 to 9, the same in all of them",
            id="several dividers",
        ),
        pytest.param(
            "x.py\n" + EMPTY.format(""),
            "the block of line 2 is empty: write the old and the new lines",
            id="empty",
        ),
        pytest.param(
            f"x.py\n{BLOCK}\n" + EMPTY.format("a\n"),
            "the block of line 9 has nothing to look for, and x.py has other blocks: quote a line "
            "beside the new ones",
            id="nothing to look for in a file that is there",
        ),
        pytest.param(
            f"x.py\n{BLOCK}\n>>>>>>> REPLACE",
            "line 9, `>>>>>>> REPLACE`, may begin a change, but not in the format of the others: "
            "write all changes in one format",
            id="a mark of no block",
        ),
        pytest.param(
            f"x.py\n{BLOCK}\ny.py\n```\na\n```",
            "line 10 begins what may be the whole file y.py, beside changes in another format: "
            "write all changes in one format, or leave out what is only quoted",
            id="a whole file",
        ),
    ],
)
def test_says_what_it_can_not_read(text: str, problem: str) -> None:
    lines = text.split("\n")
    reading = read_blocks(lines)
    assert (reading.problem, reading.changes, len(reading.roles)) == (problem, (), len(lines))


def test_what_is_quoted_of_a_file_that_is_changed_is_left_out() -> None:
    text = f"Now x.py is\n\nx.py\n```\na\nold\n```\n{BLOCK}"
    assert read_blocks(text.split("\n")).changes == (meant(8, "x.py"),)


def test_says_what_each_line_was_taken_for() -> None:
    text = f"Here:\n\nx.py\n```\n{BLOCK}\n```\n"
    assert "".join(role[0] for role in read_blocks(text.split("\n")).roles) == "pbhfhhhhhhhfb"


LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])).filter(
    lambda line: line[:1] not in "<=>+-|\\ \t"
)
SIDE = st.lists(LINE | st.sampled_from("abc"), max_size=8)


@given(SIDE, SIDE)
def test_reads_back_the_lines_of_a_block(old: list[str], new: list[str]) -> None:
    lines = ["src/x.py", "<<<<<<< SEARCH", "!", *old, "=======", *new, ">>>>>>> REPLACE"]
    reading = read_blocks(lines)
    (hunk,) = reading.changes[0].hunks
    assert (reading.problem, hunk.old, hunk.new) == ("", ("!", *old), tuple(new))


REGION = "<<<<<<< HEAD\na\nold\n=======\na\nnew\n>>>>>>> theirs"
BASE = "||||||| base\nthe base\n======="


@table_of(
    ("text", "at", "near_miss"),
    [
        pytest.param(f"x.py\n{REGION}", 2, REGION, id="the path above"),
        pytest.param(f"In `x.py`:\n{REGION}", 2, f"In it:\n{REGION}", id="a sentence"),
        pytest.param(
            f"```python\n# x.py\n{REGION}\n```", 3, f"```\n# x\n{REGION}\n```", id="a comment"
        ),
        pytest.param(
            REGION.replace("HEAD", "HEAD:x.py"), 1, REGION.replace("HEAD", "HEAD:x"), id="the mark"
        ),
        pytest.param(
            f"x.py\n{REGION}".replace("HEAD", "ours"),
            2,
            "",
            id="ours",
        ),
    ],
)
def test_reads_a_region_as_models_write_it(text: str, at: int, near_miss: str) -> None:
    reading = read_blocks(text.split("\n"), ["x.py"])
    assert is_conflicts(text.split("\n"))
    change = FileChange(at, "x.py", "x.py", (Hunk(at, CHANGED, is_block=True),))
    assert (reading.problem, reading.changes, reading.repairs) == ("", (change,), ())
    missed = near_miss.split("\n")
    found = read_blocks(missed)
    assert not is_conflicts(missed) or all(not change.new for change in found.changes)


def test_lines_around_a_region_without_a_fence_are_prose() -> None:
    text = f"x.py\nfirst\n{REGION}\nthen\n{REGION}\ny.py\n{REGION}"
    hunks = [Hunk(at, CHANGED, is_block=True) for at in (3, 11, 19)]
    reading = read_blocks(text.split("\n"))
    assert reading.changes == (
        FileChange(3, "x.py", "x.py", (hunks[0], hunks[1])),
        FileChange(19, "y.py", "y.py", (hunks[2],)),
    )
    assert "".join(role[0] for role in reading.roles) == "hphhhhhhhphhhhhhhhhhhhhhh"


@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=3))
def test_reads_back_regions(parts: list[tuple[list[str], list[str]]]) -> None:
    lines = ["x.py"]
    for ours, theirs in parts:
        lines += ["<<<<<<< HEAD", "!", *ours, "=======", *theirs, ">>>>>>> theirs"]
    reading = read_blocks(lines)
    (change,) = reading.changes
    expected = [(("!", *ours), tuple(theirs)) for ours, theirs in parts]
    kept = [one for one in expected if one[0] != one[1]]
    assert [(hunk.old, hunk.new) for hunk in change.hunks] == kept


PIECES = [*BLOCK.split("\n"), *REGION.split("\n"), "x.py", "```", "```py", "# y.py", "||||||| base"]


@given(st.text() | st.lists(st.sampled_from(PIECES) | LINE, max_size=20).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    lines = text.split("\n")
    reading = read_blocks(lines)
    assert len(reading.roles) == len(lines)
    assert bool(reading.problem) != bool(reading.changes)
    assert is_conflicts(lines) or is_blocks(lines) or reading.problem
