"""Tables and sentences for a narrow screen."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from printed import printed
from rich.cells import cell_len

from react_agent.eval.report.summary import table


@table_of(
    ("rows", "columns", "expected"),
    {
        "fits": ([["a", "1", "22"]], 20, "arm  of  all\na     1   22\n"),
        "goes on below": ([["a", "1", "22"]], 9, "arm  of\na     1\n\narm  all\na     22\n"),
        "nothing is obeyed": (
            [["\x1b[2Ja\nb", "1", "2"]],
            30,
            "arm             of  all\n<U+001B>[2Ja b   1    2\n",
        ),
        "wide letters": ([["日本", "1", "2"]], 30, "arm   of  all\n日本   1    2\n"),
    },
)
def test_table(rows: list[list[str]], columns: int, expected: str) -> None:
    assert printed(table(["arm", "of", "all"], rows, columns), columns) == expected


@given(
    st.lists(st.lists(st.text(max_size=30), min_size=4, max_size=4), min_size=1, max_size=5),
    st.integers(30, 120),
)
def test_no_line_is_wider_than_the_screen(rows: list[list[str]], columns: int) -> None:
    for line in printed(table(("", "a", "b", "c"), rows, columns), columns).split("\n"):
        assert cell_len(line) <= columns
