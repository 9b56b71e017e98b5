"""What differs between two texts."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.line_diff import differing

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
    {
        "all the same": (["x"] * 20_000, ["y", *["x"] * 19_000, "z"], 1),
        "two words": (["a", "b"] * 10_000, ["b", "a", "a"] * 7_000, 1),
        "two lines put in": (
            ["a", "b"] * 10_000,
            [*["a", "b"] * 900, "c", *["a", "b"] * 9_000, "d", *["a", "b"] * 100],
            2,
        ),
        "turned": ([*map(str, range(20_000))], [*map(str, range(20_000, 0, -1))], 2),
    },
)
def test_large_files_are_not_compared_line_by_line(
    old: list[str], new: list[str], most: int
) -> None:
    assert len(differing(old, new)) <= most
