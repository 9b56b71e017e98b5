"""When a server is asked again, and what it wrote, on one line."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.asking_again import backoff, one_line, retry_after, when_said

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
        pytest.param(" 7.5 ", "", AT_NOON, 7.5, id="a number"),
        pytest.param("-7", "", AT_NOON, None, id="a number below"),
        pytest.param("inf", "", AT_NOON, None, id="a number without end"),
        pytest.param("Wed, 01 Jan 1800 00:00:00 GMT", "", 0.0, 0.0, id="long over"),
        pytest.param("Thu, 01 Jan 99999 00:00:00 GMT", "", 0.0, None, id="no such year"),
        pytest.param("Thu, 01 Jan 2026 12:00:00 +99999999999", "", 0.0, None, id="no such zone"),
    ],
)
def test_reads_when_to_ask_again(date: str, said: str, now: float, expected: float | None) -> None:
    headers = {"retry-after": date, **({"date": said} if said else {})}
    assert retry_after(headers, now) == expected


@given(st.text())
def test_any_text_is_a_date_or_none(text: str) -> None:
    until = retry_after({"retry-after": text}, 0.0)
    assert until is None or until >= 0
    assert isinstance(when_said({"date": text}, -1.0), float)


def test_doubles_each_time_and_spreads() -> None:
    assert [backoff(1.0, times, 0.5) for times in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert (backoff(4.0, 1, 0.0), backoff(4.0, 1, 1.0)) == (3.0, 5.0)


@table_of(
    ("text", "expected"),
    [
        pytest.param("a\n b\t c", "a b c", id="several lines"),
        pytest.param("key s3cret!", "key (key)!", id="the secret"),
        pytest.param("Bearer abcdefgh, sk-abcdefgh", "(key), (key)", id="like a key"),
        pytest.param("at https://me:pw@h.org/x", "at https://h.org/x", id="a login"),
        pytest.param("a\x1b[2Jb\u202e", "a?[2Jb?", id="what a terminal obeys"),
        pytest.param("x" * 31, "x" * 30 + "...", id="long"),
    ],
)
def test_shows_what_a_server_wrote_on_one_line(text: str, expected: str) -> None:
    assert one_line(text, "s3cret", 30) == expected
