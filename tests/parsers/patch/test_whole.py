"""Files that came whole, and files that go."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import Fix, Hunk, Line, Problem, Repair, Why
from react_agent.parsers.patch.line_diff import differing
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.repair import deleted, whole_placement
from react_agent.parsers.patch.source import Splice, source_of


@table_of(
    ("text", "lines", "expected"),
    [
        pytest.param(
            "1\n2\n3\n4\n5\n",
            ["1", "two", "3", "4", "5", "6"],
            Placement((Splice(1, 2, ("two",)), Splice(5, 5, ("6",))), True),
            id="two places",
        ),
        pytest.param(
            "1\r\n2\r\n3\r\n",
            ["1", "two", "3"],
            Placement((Splice(1, 2, ("two\r",)),), True),
            id="crlf",
        ),
        pytest.param(
            "1\n2", ["1", "3"], Placement((Splice(1, 2, ("3",)),), False), id="no newline"
        ),
    ],
)
def test_whole_files(text: str, lines: list[str], expected: Placement) -> None:
    assert whole_placement(lines, source_of(text)) == expected


def minus(*texts: str) -> tuple[Hunk, ...]:
    return (Hunk(7, tuple(Line("-", text) for text in texts)),)


ALL = (Splice(0, 3, ()),)


@table_of(
    ("hunks", "expected"),
    [
        pytest.param(minus("1", "2", "3"), Placement(ALL, True), id="all quoted"),
        pytest.param(
            minus("1"),
            Placement(ALL, True, (Repair(Fix.DELETED_WHOLE, (1, 3)),)),
            id="one quoted",
        ),
        pytest.param(
            minus("1", " 2", "3 "),
            Placement(ALL, True, (Repair(Fix.DELETED_MISQUOTED, (2, 3)),)),
            id="spaces differ",
        ),
        pytest.param(
            minus("1", "2", "four"),
            Problem(Why.DELETION_MISQUOTES, text="four"),
            id="misquoted",
        ),
        pytest.param(
            (Hunk(7, (Line("-", "1"), Line("+", "one"))),),
            Problem(Why.DELETION_ADDS, text="one"),
            id="adds",
        ),
    ],
)
def test_deletions(hunks: tuple[Hunk, ...], expected: Placement | Problem) -> None:
    assert deleted(hunks, source_of("1\n2\n3\n")) == expected


def test_four_fifths_of_what_a_deletion_quotes_are_enough() -> None:
    expected = Placement((Splice(0, 4, ()),), True, (Repair(Fix.DELETED_MISQUOTED, (1, 5)),))
    assert deleted(minus("1", "2", "3", "4", "5"), source_of("1\n2\n3\n4\n")) == expected


LINES = st.lists(st.sampled_from("abcdefghij"))


@given(LINES, LINES)
def test_what_differs_is_all_that_differs(old: list[str], new: list[str]) -> None:
    lines, at, to = list[str](), 0, 0
    for start, end, from_, until in differing(old, new):
        assert old[at:start] == new[to:from_]
        lines += [*old[at:start], *new[from_:until]]
        at, to = end, until
    assert [*lines, *old[at:]] == new


@table_of(
    ("old", "new", "most"),
    [
        pytest.param(["x"] * 20_000, ["y", *["x"] * 19_000, "z"], 1, id="all the same"),
        pytest.param(["a", "b"] * 10_000, ["b", "a", "a"] * 7_000, 1, id="two words"),
        pytest.param(
            ["a", "b"] * 10_000,
            [*["a", "b"] * 900, "c", *["a", "b"] * 9_000, "d", *["a", "b"] * 100],
            2,
            id="two lines put in",
        ),
        pytest.param([*map(str, range(20_000))], [*map(str, range(20_000, 0, -1))], 2, id="turned"),
    ],
)
def test_large_files_are_not_compared_line_by_line(
    old: list[str], new: list[str], most: int
) -> None:
    assert len(differing(old, new)) <= most
