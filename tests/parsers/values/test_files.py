from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Span
from react_agent.parsers.values.files import FileRequest, readings


@table_of(
    ("line", "expected"),
    {
        "colon and range": ("x.py:10-20", FileRequest("x.py", Span(10, 20))),
        "colon and start": ("x.py:10", FileRequest("x.py", Span(10))),
        "to the end": ("x.py:10-end", FileRequest("x.py", Span(10))),
        "two numbers": ("x.py 10 20", FileRequest("x.py", Span(10, 20))),
        "lines and a colon": ("x.py, lines: 10-20", FileRequest("x.py", Span(10, 20))),
        "parentheses": ("x.py (lines 10-20)", FileRequest("x.py", Span(10, 20))),
        "link of a forge": ("x.py#L10-L20", FileRequest("x.py", Span(10, 20))),
        "line and column of a compiler": ("x.py:14:5:", FileRequest("x.py", Span(14))),
        "line zero": ("x.py:0-5", FileRequest("x.py", Span(1, 5))),
    },
)
def test_reads_a_range_after_the_path(line: str, expected: FileRequest) -> None:
    assert readings(line) == (FileRequest(line), expected)


@table_of(
    "line",
    [
        "x.py",
        "my file 10.txt",
        "x.py:ten",
    ],
)
def test_reads_no_range_where_there_is_none(line: str) -> None:
    assert readings(line) == (FileRequest(line),)


@given(st.text())
def test_the_strictest_reading_of_any_text_is_a_path(line: str) -> None:
    assert readings(line)[0] == FileRequest(line.strip())
