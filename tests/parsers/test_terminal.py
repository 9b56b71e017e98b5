import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.printed import Plain, plain


@table_of(
    ("raw", "expected"),
    [
        pytest.param("\x1b]0;title\x07text", Plain("text", 0), id="title"),
        pytest.param("\x1bP1$r\x1b\\text", Plain("text", 0), id="device string"),
        pytest.param("\x1b[2K\x1b[1Gtext\x1b", Plain("text", 0), id="movement, cut escape"),
        pytest.param("1%\r50%\r100%\n", Plain("100%\n", 2), id="progress"),
        pytest.param("a\r\nb\r\n", Plain("a\nb\n", 0), id="CRLF"),
        pytest.param("a\rb\0", Plain("ab\0", 0), id="binary"),
        pytest.param("N\x08NA\x08A", Plain("NA", 0), id="overstruck"),
    ],
)
def test_shows_what_a_terminal_shows(raw: str, expected: Plain) -> None:
    assert plain(raw) == expected


@given(st.text())
def test_no_escape_is_left(raw: str) -> None:
    assert not {"\x1b", "\r"} & set(plain(raw).text)
