import pytest
from check_rows import table_of

from react_agent.parsers.values.arguments import within
from react_agent.parsers.values.searches import SearchRequest, parse_search_request
from react_agent.parsers.values.unreadable import Unreadable


@table_of(
    ("text", "expected"),
    [
        pytest.param("def foo", SearchRequest("def foo"), id="pattern alone"),
        pytest.param("foo\npath: src/", SearchRequest("foo", ("src/",)), id="one path"),
        pytest.param(
            "foo\nPath: `src/`\n\npath: *.py\n",
            SearchRequest("foo", ("src/", "*.py")),
            id="several paths, quotes and blank lines",
        ),
        pytest.param("foo\nin: src", SearchRequest("foo", ("src",)), id="in"),
        pytest.param("foo\ncontext: 2", SearchRequest("foo", around=(2, 2)), id="lines around it"),
        pytest.param("foo\n-C 99", SearchRequest("foo", around=(10, 10)), id="too many of them"),
        pytest.param(" foo ", SearchRequest(" foo "), id="spaces are part of a pattern"),
        pytest.param("foo\r\npath: src\r", SearchRequest("foo", ("src",)), id="CRLF"),
        pytest.param(
            "  \n",
            Unreadable("there is no pattern: write an extended regular expression"),
            id="nothing",
        ),
        pytest.param('{"a": 1}', SearchRequest('{"a": 1}'), id="JSON that is looked for"),
        pytest.param(
            "foo\nbar",
            Unreadable(
                "line 2: expected `path: GLOB`, found 'bar'; a pattern is one line",
            ),
            id="a second pattern",
        ),
    ],
)
def test_reads_what_to_search_for(text: str, expected: SearchRequest | Unreadable) -> None:
    assert parse_search_request(text) == expected


@table_of(
    ("folders", "globs", "expected"),
    [
        pytest.param((), (), (), id="everything"),
        pytest.param(("src", "docs/"), (), ("src", "docs/"), id="folders"),
        pytest.param((), ("*.py",), ("*.py",), id="a glob"),
        pytest.param(("src/", "docs"), ("*.py",), ("src/**/*.py", "docs/**/*.py"), id="in folders"),
        pytest.param((".", "./"), ("*.py",), ("*.py",), id="in the root"),
    ],
)
def test_a_glob_holds_in_the_folders(
    folders: tuple[str, ...], globs: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert within(folders, globs) == expected
