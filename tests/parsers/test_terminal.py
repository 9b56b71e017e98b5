from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.printed import plain


@given(st.text())
def test_no_escape_is_left(raw: str) -> None:
    assert not {"\x1b", "\r"} & set(plain(raw).text)
