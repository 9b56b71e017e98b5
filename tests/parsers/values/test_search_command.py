import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.search_command import readings
from react_agent.parsers.values.searches import SearchRequest, parse_search_request
from react_agent.parsers.values.unreadable import Unreadable

FILES = {"src", "src/", "src/x.py", "docs", "README.md", "."}


def meant(
    pattern: str,
    *globs: str,
    left_out: str = "",
    flags: str = "",
    around: tuple[int, int] = (0, 0),
) -> SearchRequest:
    case, whole, plain = (flag in flags for flag in "iwF")
    left = tuple(left_out.split())
    return SearchRequest(pattern, globs, case, whole, plain, True, left, around)


@table_of(
    ("text", "expected"),
    [
        pytest.param('-rn "class A" src/', meant("class A", "src/", left_out="-r"), id="options"),
        pytest.param('"class A" src/', meant("class A", "src/"), id="quotes"),
        pytest.param("'class A' src docs", meant("class A", "src", "docs"), id="two paths"),
        pytest.param('"class A" gone/', meant("class A", "gone/"), id="what looks like a path"),
        pytest.param("class A path: src/", meant("class A", "src/"), id="path:"),
        pytest.param('"class A" Path: `src/`', meant("class A", "src/"), id="quotes and path:"),
        pytest.param('-n "class A" path: src', meant("class A", "src"), id="options and path:"),
        pytest.param("-r class A src", meant("class A", "src", left_out="-r"), id="no quotes"),
        pytest.param("-rniw foo .", meant("foo", left_out="-r", flags="iw"), id="cluster"),
        pytest.param("-E a|b src", meant("a|b", "src"), id="extended is what is read anyway"),
        pytest.param("--ignore-case foo", meant("foo", flags="i"), id="long"),
        pytest.param("-F 'a(' src", meant("a(", "src", flags="F"), id="plain"),
        pytest.param("-A 3 -B2 foo", meant("foo", around=(2, 3)), id="options with numbers"),
        pytest.param("-C5 foo", meant("foo", around=(5, 5)), id="context"),
        pytest.param("--context=99 -A 1 foo", meant("foo", around=(10, 1)), id="too much context"),
        pytest.param("-A x foo", meant("foo"), id="no number"),
        pytest.param('"foo" src -n', meant("foo", "src"), id="option behind"),
        pytest.param("-e foo -e bar src", meant("foo|bar", "src"), id="several patterns"),
        pytest.param("-r --include=*.py foo", meant("foo", "*.py", left_out="-r"), id="include"),
        pytest.param("-g '*.py' foo src", meant("foo", "src/**/*.py"), id="include in a folder"),
        pytest.param(
            "--exclude-dir=gone foo", meant("foo", left_out="--exclude-dir=gone"), id="exclude"
        ),
        pytest.param(
            "grep -r foo src 2>/dev/null | head -5",
            meant("foo", "src", left_out="-r"),
            id="program",
        ),
        pytest.param(r"""-n "a\"\." """, meant(r'a"\.'), id="backslashes"),
    ],
)
def test_reads_a_command_line_first(text: str, expected: SearchRequest) -> None:
    assert readings(text, FILES.__contains__) == (expected, SearchRequest(text))


@table_of(
    ("text", "expected"),
    [
        pytest.param("class A src/x.py", meant("class A", "src/x.py"), id="a path behind it"),
        pytest.param("see README.md", meant("see", "README.md"), id="a file with a dot"),
        pytest.param("self, path: str", meant("self,", "str"), id="no path after path:"),
    ],
)
def test_reads_what_is_less_likely_last(text: str, expected: SearchRequest) -> None:
    assert readings(text, FILES.__contains__) == (SearchRequest(text), expected)


@table_of(
    "text",
    [
        "foo", '"foo"', "-n", "-v", "--force", "--force foo", "-x- foo", "->", "-1", "import src",
        '"a" b', "foo -v", "path: src", "src/", '-n ""', "foo .", f"-n {'x' * 1000}",
    ],
)  # fmt: skip
def test_reads_nothing_else_into_a_pattern(text: str) -> None:
    assert readings(text, FILES.__contains__) == (SearchRequest(text),)


def test_adds_the_paths_of_further_lines() -> None:
    assert readings('-n "foo" src\npath: docs', FILES.__contains__) == (
        meant("foo", "src", "docs"),
        SearchRequest('-n "foo" src', ("docs",)),
    )


@table_of("text", ["-rv foo", "-L foo src", "--invert-match foo"])
def test_what_does_not_match_can_not_be_searched_for(text: str) -> None:
    assert readings(text, FILES.__contains__) == Unreadable(
        "lines that do not match (-v, -L) can't be searched for: write only the pattern, an "
        "extended regular expression"
    )


@given(st.text(st.sampled_from("-rneg \"'a/.:=|path\n")))
def test_as_it_is_written_is_always_a_reading(text: str) -> None:
    read = readings(text, lambda word: "a" in word)
    assert isinstance(read, Unreadable) or parse_search_request(text) in read
