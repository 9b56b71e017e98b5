"""Ages as they are shown and asked for."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.counted import read_age, write_age


@table_of(
    ("text", "seconds"),
    [
        ("30d", 30 * 86_400),
        (" 2 w ", 14 * 86_400),
        ("12h", 12 * 3600),
        ("0", 0),
        *(
            (text, None)
            for text in ("", "d", "1m", "-1d", "1.5d", "1 day", "999999", "١d", "1d 2h")
        ),
    ],
)
def test_reads_an_age(text: str, seconds: int | None) -> None:
    assert read_age(text) == seconds


@table_of(
    ("seconds", "text"),
    [(-5, "0 s"), (0.9, "0 s"), (59, "59 s"), (60, "1 min"), (7199, "1 h"), (99 * 86_400, "99 d")],
)
def test_writes_the_largest_unit(seconds: float, text: str) -> None:
    assert write_age(seconds) == text


@given(st.integers(0, 10**8))
def test_what_is_shown_is_no_older_than_it_is(seconds: int) -> None:
    assert (read_age(write_age(seconds)) or 0) <= seconds
