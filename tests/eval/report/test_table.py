"""Tables and sentences for a narrow screen."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from react_agent.eval.report.table import clipped, filled, table


def _text(head: list[str], rows: list[list[str]], columns: int) -> str:
    return "\n".join(line.plain for line in table(head, rows, columns))


@table_of(
    ("rows", "columns", "expected"),
    [
        pytest.param([["a", "1", "22"]], 20, "arm  of  all\na     1   22", id="fits"),
        pytest.param(
            [["a", "1", "22"]], 9, "arm  of\na     1\n\narm  all\na     22", id="goes on below"
        ),
        pytest.param(
            [["a-very-long-name-of-an-arm", "1", "2"]],
            24,
            "arm                  of\na-very-l...f-an-arm   1\n\n"
            "arm                  all\na-very-l...f-an-arm    2",
            id="the name gives way",
        ),
        pytest.param(
            [["\x1b[2Ja\nb", "1", "2"]],
            30,
            "arm             of  all\n<U+001B>[2Ja b   1    2",
            id="nothing is obeyed",
        ),
        pytest.param([["日本", "1", "2"]], 30, "arm   of  all\n日本   1    2", id="wide letters"),
        pytest.param([], 30, "arm  of  all", id="no rows"),
    ],
)
def test_table(rows: list[list[str]], columns: int, expected: str) -> None:
    assert _text(["arm", "of", "all"], rows, columns) == expected


@given(
    st.lists(st.lists(st.text(max_size=30), min_size=4, max_size=4), min_size=1, max_size=5),
    st.integers(72, 120),
)
def test_no_line_is_wider_than_the_screen(rows: list[list[str]], columns: int) -> None:
    narrow = [[line[0], *(cell[:5] for cell in line[1:])] for line in rows]
    for line in table(("", "a", "b", "c"), narrow, columns):
        assert line.cell_len <= columns


@given(st.text(), st.integers(8, 40))
def test_what_is_clipped_fits(text: str, columns: int) -> None:
    assert cell_len(clipped(text, columns)) <= columns


def test_numbers_stay_with_their_signs() -> None:
    lines = [
        line.plain for line in filled("as much as twenty 95 % and p = 0.5 or", 20, "  ", "    ")
    ]
    assert lines == ["  as much as twenty", "    95 % and p = 0.5", "    or"]
