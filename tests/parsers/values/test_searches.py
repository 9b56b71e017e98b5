"""What a search looks for and where, in every way of writing it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Unreadable, within
from react_agent.parsers.values.searches import SearchRequest, searches

HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"


FILES = {"src", "src/", "src/x.py", "docs", "README.md", "."}


def read(text: str) -> tuple[SearchRequest, ...] | Unreadable:
    found = searches(text, FILES.__contains__)
    if isinstance(found, Unreadable):
        return found
    [requests] = found
    return requests


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
        pytest.param('-rn "class A" src/', meant("class A", "src/"), id="options"),
        pytest.param('"class A" src/', meant("class A", "src/"), id="quotes"),
        pytest.param("'class A' src docs", meant("class A", "src", "docs"), id="two paths"),
        pytest.param('"class A" gone/', meant("class A", "gone/"), id="what looks like a path"),
        pytest.param("-rniw foo .", meant("foo", flags="iw"), id="cluster"),
        pytest.param("--ignore-case foo", meant("foo", flags="i"), id="long"),
        pytest.param("-F 'a(' src", meant("a(", "src", flags="F"), id="plain"),
        pytest.param('"foo" src -n', meant("foo", "src"), id="option behind"),
        pytest.param("-r --include='*.py' foo", meant("foo", "*.py"), id="include"),
        pytest.param("-g '*.py' foo src", meant("foo", "src/**/*.py"), id="include in a folder"),
        pytest.param(
            "grep -r foo src 2>/dev/null | head -5",
            meant("foo", "src"),
            id="program",
        ),
        pytest.param(r"""-n "a\"\." """, meant(r'a"\.'), id="backslashes"),
    ],
)
def test_reads_a_command_line_first(text: str, expected: SearchRequest) -> None:
    assert read(text) == (expected, SearchRequest(text))


@table_of(
    "text",
    [
        "foo", '"foo"', "-n", "-v", "-rv foo", "--force", "--force foo", "-x- foo", "->", "-1",
        '"a" b', "foo -v", "path: src", "import src", "src/", "class A src/x.py",
        '-n ""', "foo .",
    ],
)  # fmt: skip
def test_reads_nothing_else_into_a_pattern(text: str) -> None:
    assert read(text) == (SearchRequest(text),)


def test_adds_the_paths_of_further_lines() -> None:
    assert read('-n "foo" src\npath: docs') == (
        meant("foo", "src", "docs"),
        SearchRequest('-n "foo" src', ("docs",)),
    )


@given(st.text(st.sampled_from("-rneg \"'a/.:=|path\n")))
def test_as_it_is_written_is_always_a_reading(text: str) -> None:
    found = searches(text, lambda word: "a" in word)
    assert isinstance(found, Unreadable) or not any(one[-1].repaired for one in found)


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
        pytest.param(
            "foo\npath: {a.py, tests/}", SearchRequest("foo", ("a.py", "tests/")), id="braces"
        ),
        pytest.param(
            "foo\npath: src/{a,b}/x.{py,c}",
            SearchRequest("foo", ("src/a/x.py", "src/a/x.c", "src/b/x.py", "src/b/x.c")),
            id="braces twice",
        ),
        pytest.param(
            "foo\npath: {{cookiecutter.name}}/",
            SearchRequest("foo", ("{{cookiecutter.name}}/",)),
            id="braces without a choice",
        ),
        pytest.param(
            "foo\npath: a.py, tests/", SearchRequest("foo", ("a.py", "tests/")), id="commas"
        ),
        pytest.param("foo\ncontext: 2", SearchRequest("foo", around=(2, 2)), id="lines around it"),
        pytest.param("foo\n-C 99", SearchRequest("foo", around=(99, 99)), id="many of them"),
        pytest.param(" foo ", SearchRequest(" foo "), id="spaces are part of a pattern"),
        pytest.param("foo\r\npath: src\r", SearchRequest("foo", ("src",)), id="CRLF"),
        pytest.param(
            "  \n",
            Unreadable("no pattern given: write an extended regular expression"),
            id="nothing",
        ),
        pytest.param('{"a": 1}', SearchRequest('{"a": 1}'), id="JSON that is looked for"),
    ],
)
def test_reads_a_pattern_and_the_lines_below_it(
    text: str, expected: SearchRequest | Unreadable
) -> None:
    found = read(text)
    assert (found if isinstance(found, Unreadable) else found[0]) == expected


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


def plain(pattern: str, *globs: str, around: tuple[int, int] = (0, 0)) -> list[SearchRequest]:
    return [SearchRequest(pattern, globs, around=around)]


@table_of(
    ("text", "expected"),
    [
        pytest.param("foo\n\nbar\nfoo\n", [plain("foo"), plain("bar")], id="the same twice"),
        pytest.param(
            "pattern: foo\npattern: bar", [[meant("foo")], [meant("bar")]], id="by name"
        ),
        pytest.param(
            '[{"pattern": "foo"}, {"pattern": "bar"}]', [[meant("foo")], [meant("bar")]], id="JSON"
        ),
        pytest.param(
            "foo\nbar\npath: src\ncontext: 2",
            [plain("foo", "src", around=(2, 2)), plain("bar", "src", around=(2, 2))],
            id="what holds for both",
        ),
        pytest.param("path: src\n[foo]\nbar", [plain("[foo]", "src"), plain("bar", "src")],
                     id="path first"),
    ],
)  # fmt: skip
def test_parts_several_patterns(text: str, expected: list[list[SearchRequest]]) -> None:
    found = searches(text, FILES.__contains__)
    assert isinstance(found, tuple)
    assert [list(one) for one in found] == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"pattern": "def f"}', meant("def f"), id="pattern"),
        pytest.param('{"query": "f", "path": "src/"}', meant("f", "src/"), id="path"),
        pytest.param(
            '{"path": ["src", "docs"], "regex": "f"}', meant("f", "src", "docs"), id="paths"
        ),
        pytest.param(
            '{"pattern": "f", "path": null, "glob": "*.py"}', meant("f", "*.py"), id="glob"
        ),
        pytest.param(
            '{"pattern": "f", "path": "src", "include": "*.py"}',
            meant("f", "src/**/*.py"),
            id="both",
        ),
        pytest.param('{"pattern": "f", "path": "."}', meant("f"), id="the root"),
        pytest.param(r'{"pattern": "\bdef\s+f\("}', meant(r"\bdef\s+f\("), id="backslashes"),
        pytest.param(r'{"pattern": "\\bf\\."}', meant(r"\bf\."), id="escaped backslashes"),
        pytest.param(
            '{"pattern": "a", "-i": true, "-n": true}',
            meant("a", flags="i", left_out="-n"),
            id="-i",
        ),
        pytest.param(
            '{"pattern": "a", "case_sensitive": false}', meant("a", flags="i"), id="no case"
        ),
        pytest.param('{"pattern": "a", "caseSensitive": true}', meant("a"), id="case"),
        pytest.param('{"pattern": "a", "whole_word": "true"}', meant("a", flags="w"), id="words"),
        pytest.param('{"query": "a(", "regex": false}', meant("a(", flags="F"), id="no regex"),
        pytest.param('{"query": "a", "is_regex": true}', meant("a"), id="regex"),
        pytest.param(
            '{"pattern": "a(", "fixed_strings": true}', meant("a(", flags="F"), id="plain"
        ),
        pytest.param(
            '{"pattern": "a", "output_mode": "content", "head_limit": 0, "max": 5}',
            meant("a", left_out="output_mode max"),
            id="other names",
        ),
        pytest.param('{"pattern": ["a(", "b"], "path": "x"}', meant("a(|b", "x"), id="several"),
        pytest.param(
            '{"patterns": ["a(", "b"], "literal": true}', meant(r"a\(|b"), id="several, plain"
        ),
        pytest.param(
            '{"query": "a", "target_directories": ["x"]}', meant("a", "x"), id="folders to look in"
        ),
        pytest.param("{'pattern': 'a',}", meant("a"), id="damaged"),
        pytest.param('[{"pattern": "a"}]', meant("a"), id="in a list"),
        pytest.param(
            '{"pattern": ""}',
            Unreadable(f"exactly one pattern on one line is expected: {HINT}"),
            id="empty",
        ),
        pytest.param(
            '{"pattern": "a\\nb"}',
            Unreadable(f"exactly one pattern on one line is expected: {HINT}"),
            id="two lines",
        ),
        pytest.param('{"pattern": "a", "query": "b"}', meant("a|b"), id="two patterns"),
        pytest.param(
            '{"pattern": a}',
            Unreadable(
                "JSON, line 1: Expecting value, found 'a}'; the text is '{\"pattern\": a}'; " + HINT
            ),
            id="no JSON",
        ),
    ],
)
def test_reads_an_object(text: str, expected: SearchRequest | Unreadable) -> None:
    found = read(text)
    assert found == (expected if isinstance(expected, Unreadable) else (expected,))


@table_of(
    "text",
    [
        "foo", "{", "[", "{}", '{"a": 1}', '{"a": [^}]*', '{"a": x}', "['\"]",
        '["a"]', '["a", "b"]', "[0-9]",
    ],
)  # fmt: skip
def test_everything_else_is_a_pattern(text: str) -> None:
    assert read(text) == (SearchRequest(text),)


@table_of(
    ("text", "expected"),
    [
        pytest.param("pattern: foo\npath: src", meant("foo", "src"), id="two"),
        pytest.param("Pattern: foo", meant("foo"), id="one"),
        pytest.param('path: src\npattern: "def f"', meant("def f", "src"), id="path first, quotes"),
        pytest.param(
            "query: foo\npath: src\ninclude: *.py\nignore case: true\nregex: false\nlimit: 5",
            meant("foo", "src/**/*.py", flags="iF", left_out="limit"),
            id="many",
        ),
        pytest.param("regex: fo+\npath: src", meant("fo+", "src"), id="regex"),
        pytest.param("foo\npath: src", None, id="plain"),
        pytest.param("path: src", None, id="no pattern"),
        pytest.param("pattern:", None, id="an empty pattern"),
        pytest.param("name: foo", None, id="another name"),
    ],
)
def test_reads_fields(text: str, expected: SearchRequest | None) -> None:
    found = read(text)
    requests = found if isinstance(found, tuple) else ()
    assert [one for one in requests if one.repaired] == ([expected] if expected else [])


@given(st.text(st.sampled_from('{}[]:,"a\\\n') | st.sampled_from("pattern")))
def test_never_raises(text: str) -> None:
    searches(text, lambda word: "a" in word)
    searches(f'{{"pattern": {text}', lambda word: "a" in word)
