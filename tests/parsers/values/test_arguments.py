import pytest
from check_rows import table_of

from react_agent.parsers.values.arguments import (
    OF_LINES,
    Argument,
    Span,
    Unreadable,
    read_arguments,
    span_of,
    texts,
)

PATHS = Argument({"path", ""}, texts, begins=True)
WORDS = Argument({"words", "path"}, texts)
TABLE = (PATHS, WORDS, *OF_LINES)


@table_of(
    ("text", "paths", "words", "left_out"),
    [
        pytest.param('{"path": "a", "words": ["b", "c"]}', "a", "b c", "", id="object"),
        pytest.param('["a", "b"]', "a b", "", "", id="list"),
        pytest.param("words: b\npath: a", "a", "b", "", id="fields"),
        pytest.param("path: a\nmode: 1\npath: b", "a b", "", "mode", id="two requests"),
        pytest.param('{"path": 1, "deep": true, "off": false}', "", "", "path deep", id="left out"),
        pytest.param("words: b", "", "", "", id="fields without what begins a request"),
        pytest.param("a", "", "", "", id="plain text"),
    ],
)
def test_every_value_goes_to_the_first_that_takes_it(
    text: str, paths: str, words: str, left_out: str
) -> None:
    requests = read_arguments(text, TABLE)
    assert not isinstance(requests, Unreadable)
    assert [one for each in requests for one in each.all(PATHS)] == paths.split()
    assert [one for each in requests for one in each.all(WORDS)] == words.split()
    assert [one for each in requests for one in each.left_out] == left_out.split()


@table_of(
    ("lines", "expected"),
    [
        ('"lines": "10-20"', Span(10, 20)),
        ('"lines": "10:20"', Span(10, 20)),
        ('"lines": 10', Span(10)),
        ('"start": 3, "end": 9', Span(3, 9)),
        ('"start": 9, "end": 3', Span(3, 9)),
        ('"lines": [3, -1]', Span(3)),
        ('"offset": 3, "limit": 5', Span(3, 7)),
        ('"offset": 3, "limit": -1', Span(3)),
        ('"end": 0, "mode": 1', Span(1)),
        ('"mode": 1', None),
        ('"lines": [1, 2, 3]', None),
    ],
)
def test_one_reader_of_lines(lines: str, expected: Span | None) -> None:
    requests = read_arguments(f'{{"path": "a", {lines}}}', TABLE)
    assert not isinstance(requests, Unreadable)
    assert span_of(requests[0]) == expected


def test_what_can_only_be_json_is_refused_with_the_hint() -> None:
    assert read_arguments('{"path": a}', TABLE, "write PATH") == Unreadable(
        "JSON, line 1: Expecting value, found 'a}'; the text is '{\"path\": a}'; write PATH"
    )
