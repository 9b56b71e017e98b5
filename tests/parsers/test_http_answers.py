"""Streams of server-sent events, when a server is asked again, and its errors on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.http_answers import (
    LONGEST_LINE,
    read_events,
    read_lines,
    retry_after,
    when_said,
)


@given(st.lists(st.lists(st.text().filter(lambda line: "\n" not in line), min_size=1)))
def test_reads_what_was_sent(events: list[list[str]]) -> None:
    lines = [line for event in events for line in (*(f"data: {text}" for text in event), "")]
    assert list(read_events(lines)) == ["\n".join(event) for event in events]


@given(st.lists(st.text().filter(lambda line: not set(line) & set("\r\n"))), st.integers(1, 9))
def test_only_a_line_feed_ends_a_line(lines: list[str], size: int) -> None:
    data = "".join(f"{line}\r\n" for line in lines).encode(errors="replace")
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(read_lines(chunks)) == data.decode().split("\r\n")[:-1]


def test_a_line_without_an_end_is_not_read_for_ever() -> None:
    endless = iter(lambda: b"x" * (1 << 20), b"")
    with pytest.raises(ValueError, match=f"^a line of over {LONGEST_LINE:,} bytes$"):
        list(read_lines(endless))


def test_the_last_line_may_lack_its_end() -> None:
    assert list(read_lines([b"a\nb"])) == ["a", "b"]


@given(st.text())
def test_any_text_is_a_date_or_none(text: str) -> None:
    until = retry_after({"retry-after": text}, 0.0)
    assert until is None or until >= 0
    assert isinstance(when_said({"date": text}, -1.0), float)
