"""Streams of server-sent events."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.http_answers import (
    LONGEST_LINE,
    read_events,
    read_lines,
)


@table_of(
    ("text", "expected"),
    [
        pytest.param("data: a\n\ndata: b\n\n", ["a", "b"], id="two"),
        pytest.param("event: x\nid: 1\ndata: a\nretry: 5\n\n", ["a"], id="other fields"),
        pytest.param(": ping\n\n: ping\ndata: a\n\n", ["a"], id="comments"),
        pytest.param("data: a\ndata: b\n\n", ["a\nb"], id="several lines"),
        pytest.param("data:a\n\ndata:  b\n\n", ["a", " b"], id="one blank is the field's"),
        pytest.param("data: a\n\n\n\ndata: b\n\n", ["a", "b"], id="more empty lines"),
        pytest.param("data: a\n\ndata: b", ["a"], id="what does not end is none"),
        pytest.param("data:\n\n", [""], id="empty data"),
        pytest.param("dataset: a\n\n", [], id="another field"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_reads_events(text: str, expected: list[str]) -> None:
    assert list(read_events(text.split("\n"))) == expected


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
