"""What is other in every run of a program, and what only looks like it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.printed import without_noise


@table_of(
    ("one", "other"),
    [
        pytest.param("at 2026-01-02T10:11:12Z", "at 2026-11-22 09:00:01,123", id="date and time"),
        pytest.param("10:11:12 GET /", "23:59:59.999 GET /", id="time"),
        pytest.param("01/Jan/2026:10:11:12", "22/Nov/2026:09:00:01", id="in a server's log"),
        pytest.param("3 passed in 0.12s", "3 passed in 12.5 s", id="how long it took"),
        pytest.param("after 250 ms", "after 3 µs", id="in small units"),
        pytest.param("Process 123 ended", "Process 4567 ended", id="process"),
        pytest.param("pid=12", "pid=9999", id="pid"),
        pytest.param("sshd[123]: hello", "sshd[4567]: hello", id="of a system's log"),
        pytest.param("<A at 0x7f00aa>", "<A at 0x7F99BB11>", id="address"),
        pytest.param("/tmp/tmpab1/x: no", "/private/var/folders/q/x: no", id="temporary folder"),
        pytest.param("tmpabc12x_ failed", "tmpzz9_yyq failed", id="temporary name"),
        pytest.param("built 10%", "built 99.5 %", id="share"),
        pytest.param(
            "id 1f2e3d4c-1111-2222-3333-123456789012",
            "id aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb",
            id="unique",
        ),
        pytest.param(
            "(Your reply was mended: a label was mended.)\nx", "x", id="words about the reply"
        ),
    ],
)
def test_it_is_noise(one: str, other: str) -> None:
    assert without_noise(one) == without_noise(other)


@table_of(
    ("one", "other"),
    [
        pytest.param("3 failed", "2 failed", id="a count"),
        pytest.param("a.py:12: x", "a.py:13: x", id="a line"),
        pytest.param("a1b2c3d mend it", "b1b2c3d mend it", id="a commit"),
        pytest.param("port 8000", "port 8001", id="a port"),
        pytest.param("x = 0x1f", "x = 0x2f", id="a small number"),
        pytest.param("[1, 2]", "[1, 3]", id="a list"),
        pytest.param("tmp_dir", "tmp_file", id="a name"),
        pytest.param("version 1.2", "version 1.3", id="a version"),
        pytest.param("GET /\n", "GET /\nGET /\n", id="one line more"),
    ],
)
def test_it_is_none(one: str, other: str) -> None:
    assert without_noise(one) != without_noise(other)


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    assert isinstance(without_noise(text), str)
