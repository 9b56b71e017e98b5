"""Each spelling that is read stands beside the near-miss that is not."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.edits.marks import USAGE
from react_agent.parsers.patch.changes import FileChange, Hunk, Line
from react_agent.parsers.patch.reading.blocks import is_conflicts, read_blocks

REGION = "<<<<<<< HEAD\na\nold\n=======\na\nnew\n>>>>>>> theirs"
CHANGED = (Line(" ", "a"), Line("-", "old"), Line("+", "new"))
BASE = "||||||| base\nthe base\n======="


@table_of(
    ("text", "at", "near_miss"),
    [
        pytest.param(f"x.py\n{REGION}", 2, REGION, id="the path above"),
        pytest.param(f"x.py\n{REGION}\n".replace("\n", "\r\n"), 2, "", id="CRLF"),
        pytest.param(f"In `x.py`:\n{REGION}", 2, f"In it:\n{REGION}", id="a sentence"),
        pytest.param(f"```python x.py\n{REGION}\n```", 2, f"```python\n{REGION}\n```", id="info"),
        pytest.param(
            f"```python\n# x.py\n{REGION}\n```", 3, f"```\n# x\n{REGION}\n```", id="a comment"
        ),
        pytest.param(
            f"x.py\n```\n\n{REGION}\n\n```", 4, f"```\n{REGION}\n", id="a fence, blank lines"
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
        pytest.param(
            f"x.py\n{REGION}".replace("HEAD", "Current Change").replace("theirs", "Incoming"),
            2,
            "",
            id="current",
        ),
        pytest.param(
            f"x.py\n{REGION}".replace("HEAD", "main").replace("theirs", "fix/it"),
            2,
            "",
            id="branches",
        ),
        pytest.param(
            f"x.py\n{REGION}".replace("HEAD", "Updated upstream").replace("theirs", "Stashed"),
            2,
            "x.py\n<<<<<<< Updated upstream\na",
            id="stash",
        ),
        pytest.param(f"x.py\n{REGION}".replace("theirs", "updated"), 2, "", id="updated"),
        pytest.param(f"x.py\n{REGION}".replace(" theirs", ""), 2, "", id="no word at the end"),
    ],
)
def test_reads_a_region_as_models_write_it(text: str, at: int, near_miss: str) -> None:
    reading = read_blocks(text.split("\n"))
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


def test_the_first_comment_of_each_fence_is_its_path() -> None:
    text = f"```\n# a.py\n{REGION}\n```\n```\n# b.py\n{REGION}\n```"
    assert [change.new for change in read_blocks(text.split("\n")).changes] == ["a.py", "b.py"]


@table_of(
    ("text", "problem"),
    [
        pytest.param(
            "x.py\n<<<<<<< HEAD\nold\n=======\nnew",
            "the block of line 2 was cut off: it has no >>>>>>> REPLACE; send all of it",
            id="cut off",
        ),
        pytest.param(
            f"x.py\n{REGION}".replace("=======", BASE),
            "the block of line 2 has three parts, and it is not clear which of them the file has: "
            f"{USAGE}",
            id="with a base",
        ),
        pytest.param(
            f"x.py\n<<<<<<< HEAD\nold\n{REGION}",
            f"the block of line 2 has no >>>>>>> of its own: {USAGE}",
            id="not closed",
        ),
        pytest.param(
            f"x.py\n{REGION}".replace("a\nold", "=======\nold"),
            "in the block of line 2 any of lines 3, 5 can be the divider: write its three "
            "marks with another number of characters, from 5 to 9, the same in all of them",
            id="several dividers",
        ),
        pytest.param(
            f"x.py\n{REGION}\ny.py\n```\na\n```",
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


LINE = st.text(st.characters(exclude_characters="\n\r`~", exclude_categories=["Cs"])).filter(
    lambda line: line[:1] not in "<=>|-"
)
SIDE = st.lists(LINE | st.sampled_from("abc"), max_size=6)


@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=3))
def test_reads_back_what_is_written(parts: list[tuple[list[str], list[str]]]) -> None:
    lines = ["x.py"]
    for ours, theirs in parts:
        lines += ["<<<<<<< HEAD", "!", *ours, "=======", *theirs, ">>>>>>> theirs"]
    reading = read_blocks(lines)
    (change,) = reading.changes
    expected = [(("!", *ours), tuple(theirs)) for ours, theirs in parts]
    kept = [one for one in expected if one[0] != one[1]]
    assert [(hunk.old, hunk.new) for hunk in change.hunks] == kept


PIECES = [*REGION.split("\n"), "x.py", "```", "```py", "# y.py", "||||||| base", "<<<<<<< SEARCH"]


@given(st.text() | st.lists(st.sampled_from(PIECES) | LINE, max_size=20).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    lines = text.split("\n")
    reading = read_blocks(lines)
    assert len(reading.roles) == len(lines)
    assert bool(reading.problem) != bool(reading.changes)
    assert is_conflicts(lines) or reading.problem
