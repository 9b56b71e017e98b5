import json

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Named, Span
from react_agent.parsers.values.files import (
    FileRequest,
    named_files,
    readings,
)


@given(st.from_regex(r"[a-z/]{1,9}\.py", fullmatch=True), st.integers(1), st.integers(1))
def test_what_it_writes_is_read_as_a_request(path: str, start: int, count: int) -> None:
    text = json.dumps({"path": path, "start": start, "end": start + count})
    plain = named_files(text)
    assert isinstance(plain, Named)
    most = 999_999_999
    expected = FileRequest(path, Span(min(start, most), min(start + count, most)))
    assert readings(plain.lines[0])[-1] == expected


@given(st.text())
def test_the_strictest_reading_of_any_text_is_a_path(line: str) -> None:
    assert readings(line)[0] == FileRequest(line.strip())
