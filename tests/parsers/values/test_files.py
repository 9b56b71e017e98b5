import json

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Named, Span, Unreadable
from react_agent.parsers.values.files import (
    EditRequest,
    FileRequest,
    named_files,
    named_folders,
    read_edit_request,
    readings,
)

HINT = "write PATH or PATH:START-END, one per line"


@table_of(
    ("text", "lines"),
    {
        "lines": ('{"file_path": "a.py", "start_line": 10, "end_line": 20}', "a.py:10-20"),
        "numbers in quotes": ('{"start": "10", "end": "20", "filename": "a.py"}', "a.py:10-20"),
        "start only, damaged": ("{'filePath': 'a.py', 'startLine': 3,}", "a.py:3"),
        "several": ('{"paths": ["a.py", "b.py"], "end": 9}', "a.py:1-9 b.py:1-9"),
        "objects": ('[{"path": "a.py", "end": 9}, {"path": "b.py"}]', "a.py:1-9 b.py"),
        "path in the middle": ("start line: 3\nfile-path: `a.py`\nend line: 9", "a.py:3-9"),
        "two paths": ("path: a.py\nlines: 1-2\n\npath: b.py", "a.py:1-2 b.py"),
    },
)
def test_writes_plainly_what_is_asked_for(text: str, lines: str) -> None:
    assert named_files(text) == Named(tuple(lines.split()))


@table_of(
    ("text", "left_out", "said"),
    [
        pytest.param(
            '{"path": "a.py", "encoding": "utf-8", "raw": false, "n": null}', ("encoding",),
            "read as a.py; left out: encoding", id="another name",
        ),
        pytest.param(
            '{"path": "a.py", "start_line": "ten", "end": true}', ("start_line", "end"),
            "read as a.py; left out: start_line end", id="no number",
        ),
        pytest.param('["a.py", 1]', ("1",), "read as a.py; left out: 1", id="no path in a list"),
    ],
)  # fmt: skip
def test_says_what_it_leaves_out(text: str, left_out: tuple[str, ...], said: str) -> None:
    plain = named_files(text)
    assert plain == Named(("a.py",), left_out)
    assert plain.said == said


def test_says_no_more_than_the_beginning() -> None:
    assert Named(("a" * 150, "b" * 150)).said == f"read as {'a' * 150}, {'b' * 45}..."


@table_of(
    ("text", "reason"),
    {
        "no path": ('{"start": 1}', f"no path found: {HINT}"),
        "a mixed list": ('{"path": ["a.py", 1]}', f"no path found: {HINT}"),
        "no JSON": (
            '{"path": a.py}',
            "JSON, line 1: Expecting value, found 'a.py}'; the text is '{\"path\": a.py}'; " + HINT,
        ),
    },
)
def test_says_what_is_wrong(text: str, reason: str) -> None:
    assert named_files(text) == Unreadable(reason)


@table_of(
    "text",
    [
        "", "a.py", "a.py:10-20", "a.py\nb.py", "Makefile: 10", "path:10", "lines: 10-20", "{}",
        "[a].py",
    ],
)  # fmt: skip
def test_everything_else_is_plain_already(text: str) -> None:
    assert named_files(text) is None


@table_of(
    ("text", "expected"),
    {
        "more": ('{"directory": "src", "recursive": true}', Named(("src",), ("recursive",))),
        "folder and glob": ('{"path": "src", "pattern": "*.py"}', Named(("src/**/*.py",))),
        "list": ('["src", "docs"]', Named(("src", "docs"))),
        "plain": ("src", None),
    },
)
def test_reads_folders_too(text: str, expected: Named | None) -> None:
    assert named_folders(text) == expected


def test_says_what_is_wrong_with_a_folder() -> None:
    assert named_folders('{"path": "src"') == Unreadable(
        "JSON, line 1: Expecting ',' delimiter, found the end; the text is '{\"path\": \"src\"'; "
        "write one PATH, or leave it empty for the root"
    )


@given(st.from_regex(r"[a-z/]{1,9}\.py", fullmatch=True), st.integers(1), st.integers(1))
def test_what_it_writes_is_read_as_a_request(path: str, start: int, count: int) -> None:
    text = json.dumps({"path": path, "start": start, "end": start + count})
    plain = named_files(text)
    assert isinstance(plain, Named)
    most = 999_999_999
    expected = FileRequest(path, Span(min(start, most), min(start + count, most)))
    assert readings(plain.lines[0])[-1] == expected


@table_of(
    ("line", "expected"),
    {
        "colon and range": ("x.py:10-20", FileRequest("x.py", Span(10, 20))),
        "colon and start": ("x.py:10", FileRequest("x.py", Span(10))),
        "to the end": ("x.py:10-end", FileRequest("x.py", Span(10))),
        "parentheses": ("x.py (lines 10-20)", FileRequest("x.py", Span(10, 20))),
        "link of a forge": ("x.py#L10-L20", FileRequest("x.py", Span(10, 20))),
        "line and column of a compiler": ("x.py:14:5:", FileRequest("x.py", Span(14))),
        "line zero": ("x.py:0-5", FileRequest("x.py", Span(1, 5))),
    },
)
def test_reads_a_range_after_the_path(line: str, expected: FileRequest) -> None:
    assert readings(line) == (FileRequest(line), expected)


@table_of("line", ["x.py", "my file 10.txt", "x.py:ten"])
def test_reads_no_range_where_there_is_none(line: str) -> None:
    assert readings(line) == (FileRequest(line),)


@given(st.text())
def test_the_strictest_reading_of_any_text_is_a_path(line: str) -> None:
    assert readings(line)[0] == FileRequest(line.strip())


HOW = "write the path on the first line, and below it what to change there"


@table_of(
    ("text", "expected"),
    {
        "two parts": ("a/b.py\ndo it\nso", EditRequest("a/b.py", "do it\nso")),
        "one line": ("a/b.py: do it", EditRequest("a/b.py", "do it")),
        "an object": ('{"path": "a", "instructions": "do it"}', EditRequest("a", "do it")),
        "an object without words": ('{"path": "a"}', Unreadable(HOW)),
        "no words": ("a/b.py", Unreadable(HOW)),
    },
)
def test_reads_what_is_to_be_changed(text: str, expected: EditRequest | Unreadable) -> None:
    assert read_edit_request(text) == expected
