import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Span
from react_agent.parsers.values.files import FileRequest, readings


@table_of(
    ("line", "expected"),
    [
        pytest.param("x.py:10-20", FileRequest("x.py", Span(10, 20)), id="colon and range"),
        pytest.param("x.py:10", FileRequest("x.py", Span(10)), id="colon and start"),
        pytest.param("x.py:10-", FileRequest("x.py", Span(10)), id="open range"),
        pytest.param("x.py:10-end", FileRequest("x.py", Span(10)), id="to the end"),
        pytest.param("x.py 10-20", FileRequest("x.py", Span(10, 20)), id="space and range"),
        pytest.param("x.py 10 20", FileRequest("x.py", Span(10, 20)), id="two numbers"),
        pytest.param("x.py,10,20", FileRequest("x.py", Span(10, 20)), id="commas"),
        pytest.param("x.py, lines 10-20", FileRequest("x.py", Span(10, 20)), id="lines"),
        pytest.param(
            "x.py, lines: 10-20", FileRequest("x.py", Span(10, 20)), id="lines and a colon"
        ),
        pytest.param("x.py lines 10 to 20", FileRequest("x.py", Span(10, 20)), id="to"),
        pytest.param("x.py (lines 10-20)", FileRequest("x.py", Span(10, 20)), id="parentheses"),
        pytest.param("x.py [10, 20]", FileRequest("x.py", Span(10, 20)), id="brackets"),
        pytest.param("x.py#L10-L20", FileRequest("x.py", Span(10, 20)), id="link of a forge"),
        pytest.param(
            "`x.py`:10-20", FileRequest("`x.py`", Span(10, 20)), id="quotes stay with the path"
        ),
        pytest.param(
            "x.py:14:5:", FileRequest("x.py", Span(14)), id="line and column of a compiler"
        ),
        pytest.param("x.py:20-10", FileRequest("x.py", Span(10, 20)), id="backwards"),
        pytest.param("x.py:0-5", FileRequest("x.py", Span(1, 5)), id="line zero"),
    ],
)
def test_reads_a_range_after_the_path(line: str, expected: FileRequest) -> None:
    assert readings(line) == (FileRequest(line), expected)


@table_of("line", ["x.py", "my file 10.txt", "a10", "x.py:ten", "-5"])
def test_reads_no_range_where_there_is_none(line: str) -> None:
    assert readings(line) == (FileRequest(line),)


@given(st.text())
def test_the_strictest_reading_of_any_text_is_a_path(line: str) -> None:
    assert readings(line)[0] == FileRequest(line.strip())
