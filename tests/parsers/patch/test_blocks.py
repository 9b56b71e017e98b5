"""Each spelling that is read stands beside the near-miss that is not."""

from check_rows import table_of

from react_agent.parsers.patch.reading.blocks import USAGE, read_blocks

BLOCK = "<<<<<<< SEARCH\na\nold\n=======\na\nnew\n>>>>>>> REPLACE"


@table_of(
    ("old", "new", "expected"),
    {
        "both ends stay": ("a b c", "a x c", " a|-b|+x| c"),
        "not if it is twice there": ("1 k k 2", "3 k k 4", "-1|-k|-k|-2|+3|+k|+k|+4"),
    },
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
    {
        "cut off": (
            "x.py\n<<<<<<< SEARCH\nold\n=======\nnew",
            "the block at line 2 was cut off: it has no >>>>>>> REPLACE; send all of it",
        ),
        "another begins before its end": (
            f"x.py\n{BLOCK[:-16]}\n{BLOCK}",
            f"the block at line 2 has no closing >>>>>>>: {USAGE}",
        ),
        "empty": (
            "x.py\n" + EMPTY.format(""),
            "the block at line 2 is empty: write the old and the new lines",
        ),
        "nothing to look for in a file that is there": (
            f"x.py\n{BLOCK}\n" + EMPTY.format("a\n"),
            "the block at line 9 has no old lines, and x.py has other blocks: quote a line "
            "next to the new ones",
        ),
        "a mark of no block": (
            f"x.py\n{BLOCK}\n>>>>>>> REPLACE",
            "line 9, `>>>>>>> REPLACE`, looks like a change in a different format from the others: "
            "write all changes in one format",
        ),
    },
)
def test_says_what_it_can_not_read(text: str, problem: str) -> None:
    lines = text.split("\n")
    reading = read_blocks(lines)
    assert (reading.problem, reading.changes, len(reading.roles)) == (problem, (), len(lines))


def test_says_what_each_line_was_taken_for() -> None:
    text = f"Here:\n\nx.py\n```\n{BLOCK}\n```\n"
    assert "".join(role[0] for role in read_blocks(text.split("\n")).roles) == "pbhfhhhhhhhfb"
