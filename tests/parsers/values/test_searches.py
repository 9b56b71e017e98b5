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
    pattern: str, *globs: str, left_out: str = "", flags: str = "", around: int = 0
) -> SearchRequest:
    case, whole, plain = (flag in flags for flag in "iwF")
    left = tuple(left_out.split())
    return SearchRequest(pattern, globs, case, whole, plain, True, left, around)


@table_of(
    ("text", "expected"),
    {
        "options": ('-rn "class A" src/', meant("class A", "src/")),
        "cluster": ("-rniw foo .", meant("foo", flags="iw")),
        "include in a folder": ("-g '*.py' foo src", meant("foo", "src/**/*.py")),
        "program": ("grep -r foo src 2>/dev/null | head -5", meant("foo", "src")),
        "backslashes": (r"""-n "a\"\." """, meant(r'a"\.')),
    },
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
    {
        "several paths, quotes and blank lines": (
            "foo\nPath: `src/`\n\npath: *.py\n",
            SearchRequest("foo", ("src/", "*.py")),
        ),
        "braces twice": (
            "foo\npath: src/{a,b}/x.{py,c}",
            SearchRequest("foo", ("src/a/x.py", "src/a/x.c", "src/b/x.py", "src/b/x.c")),
        ),
        "braces without a choice": (
            "foo\npath: {{cookiecutter.name}}/",
            SearchRequest("foo", ("{{cookiecutter.name}}/",)),
        ),
        "lines around it": ("foo\ncontext: 2", SearchRequest("foo", around=2)),
        "a negative number of them": ('{"pattern": "foo", "context": -1}', meant("foo")),
        "nothing": ("  \n", Unreadable("no pattern given: write an extended regular expression")),
        "JSON that is looked for": ('{"a": 1}', SearchRequest('{"a": 1}')),
    },
)
def test_reads_a_pattern_and_the_lines_below_it(
    text: str, expected: SearchRequest | Unreadable
) -> None:
    found = read(text)
    assert (found if isinstance(found, Unreadable) else found[0]) == expected


@table_of(
    ("folders", "globs", "expected"),
    [
        pytest.param(("src", "docs/"), (), ("src", "docs/"), id="folders"),
        pytest.param(("src/", "docs"), ("*.py",), ("src/**/*.py", "docs/**/*.py"), id="in folders"),
        pytest.param((".", "./"), ("*.py",), ("*.py",), id="in the root"),
    ],
)
def test_a_glob_holds_in_the_folders(
    folders: tuple[str, ...], globs: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert within(folders, globs) == expected


def plain(pattern: str, *globs: str, around: int = 0) -> list[SearchRequest]:
    return [SearchRequest(pattern, globs, around=around)]


@table_of(
    ("text", "expected"),
    {
        "by name": ("pattern: foo\npattern: bar", [[meant("foo")], [meant("bar")]]),
        "JSON": ('[{"pattern": "foo"}, {"pattern": "bar"}]', [[meant("foo")], [meant("bar")]]),
        "what holds for both": (
            "foo\nbar\npath: src\ncontext: 2",
            [plain("foo", "src", around=2), plain("bar", "src", around=2)],
        ),
    },
)
def test_parts_several_patterns(text: str, expected: list[list[SearchRequest]]) -> None:
    found = searches(text, FILES.__contains__)
    assert isinstance(found, tuple)
    assert [list(one) for one in found] == expected


@table_of(
    ("text", "expected"),
    {
        "pattern": ('{"pattern": "def f"}', meant("def f")),
        "paths": ('{"path": ["src", "docs"], "regex": "f"}', meant("f", "src", "docs")),
        "no case": ('{"pattern": "a", "case_sensitive": false}', meant("a", flags="i")),
        "other names": (
            '{"pattern": "a", "output_mode": "content", "head_limit": 0, "max": 5}',
            meant("a", left_out="output_mode max"),
        ),
        "several, plain": ('{"patterns": ["a(", "b"], "literal": true}', meant(r"a\(|b")),
        "empty": (
            '{"pattern": ""}',
            Unreadable(f"exactly one pattern on one line is expected: {HINT}"),
        ),
        "no JSON": (
            '{"pattern": a}',
            Unreadable(
                "JSON, line 1: Expecting value, found 'a}'; the text is '{\"pattern\": a}'; " + HINT
            ),
        ),
    },
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
    {
        "path first, quotes": ('path: src\npattern: "def f"', meant("def f", "src")),
        "many": (
            "query: foo\npath: src\ninclude: *.py\nignore case: true\nregex: false\nlimit: 5",
            meant("foo", "src/**/*.py", flags="iF", left_out="limit"),
        ),
        "no pattern": ("path: src", None),
    },
)
def test_reads_fields(text: str, expected: SearchRequest | None) -> None:
    found = read(text)
    requests = found if isinstance(found, tuple) else ()
    assert [one for one in requests if one.repaired] == ([expected] if expected else [])
