import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.printed import plain


@table_of(
    ("raw", "expected"),
    [
        pytest.param("\x1b]0;title\x07text", "text", id="title"),
        pytest.param("\x1bP1$r\x1b\\text", "text", id="device string"),
        pytest.param("\x1b[2K\x1b[1Gtext\x1b", "text", id="movement, cut escape"),
        pytest.param("1%\r50%\r100%\n", "100%\n", id="progress"),
        pytest.param("a\r\nb\r\n", "a\nb\n", id="CRLF"),
        pytest.param("a\rb\0", "ab\0", id="binary"),
        pytest.param("N\x08NA\x08A", "NA", id="overstruck"),
    ],
)
def test_shows_what_a_terminal_shows(raw: str, expected: str) -> None:
    assert plain(raw) == expected


@given(st.text())
def test_no_escape_is_left(raw: str) -> None:
    assert not {"\x1b", "\r"} & set(plain(raw))
