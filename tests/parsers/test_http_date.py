"""How long it is until a date in a header."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.http_date import seconds_until, when_said

NOON = "Thu, 01 Jan 2026 12:00:00 GMT"
AT_NOON = 1_767_268_800.0


@table_of(
    ("date", "said", "now", "expected"),
    [
        pytest.param(NOON, "", AT_NOON - 20, 20.0, id="by our clock"),
        pytest.param(NOON, "", AT_NOON + 20, 0.0, id="it is over"),
        pytest.param(NOON, "Thu, 01 Jan 2026 11:59:50 GMT", 0.0, 10.0, id="ours is far behind"),
        pytest.param(NOON, "Thu, 01 Jan 2026 11:59:50 GMT", 9e9, 10.0, id="ours is far ahead"),
        pytest.param(NOON, "yesterday", AT_NOON - 20, 20.0, id="theirs can't be read"),
        pytest.param("Thu, 01 Jan 2026 12:00:00 -0000", "", AT_NOON, 0.0, id="no zone"),
        pytest.param("Thu, 01 Jan 2026 14:00:00 +0200", "", AT_NOON - 1, 1.0, id="another zone"),
        pytest.param("soon", "", AT_NOON, None, id="no date"),
        pytest.param("Wed, 01 Jan 1800 00:00:00 GMT", "", 0.0, 0.0, id="long over"),
        pytest.param("Thu, 01 Jan 99999 00:00:00 GMT", "", 0.0, None, id="no such year"),
        pytest.param("Thu, 01 Jan 2026 12:00:00 +99999999999", "", 0.0, None, id="no such zone"),
    ],
)
def test_seconds_until(date: str, said: str, now: float, expected: float | None) -> None:
    assert seconds_until(date, {"date": said} if said else {}, now) == expected


@given(st.text())
def test_any_text_is_a_date_or_none(text: str) -> None:
    until = seconds_until(text, {}, 0.0)
    assert until is None or until >= 0
    assert (when_said({"date": text}, -1.0) == -1.0) == (until is None)
