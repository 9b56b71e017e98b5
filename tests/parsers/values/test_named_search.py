import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.searches import SearchRequest, field_search, object_search
from react_agent.parsers.values.unreadable import Unreadable

HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"


def meant(pattern: str, *globs: str, left_out: str = "", flags: str = "") -> SearchRequest:
    return SearchRequest(
        pattern, globs, "i" in flags, "w" in flags, "F" in flags, True, tuple(left_out.split())
    )


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
        pytest.param('["foo", "b"]', meant("foo|b"), id="a list"),
        pytest.param(
            '{"query": "a", "target_directories": ["x"]}', meant("a", "x"), id="folders to look in"
        ),
        pytest.param("{'pattern': 'a',}", meant("a"), id="damaged"),
        pytest.param('[{"pattern": "a"}]', meant("a"), id="in a list"),
        pytest.param(
            '{"pattern": ""}',
            Unreadable(f"there must be one pattern of one line in it: {HINT}"),
            id="empty",
        ),
        pytest.param(
            '{"pattern": "a\\nb"}',
            Unreadable(f"there must be one pattern of one line in it: {HINT}"),
            id="two lines",
        ),
        pytest.param('{"pattern": "a", "query": "b"}', meant("a|b"), id="two patterns"),
        pytest.param(
            '{"pattern": a}',
            Unreadable(
                "JSON, line 1: expected a value, found 'a}'; the text is '{\"pattern\": a}'; "
                + HINT
            ),
            id="no JSON",
        ),
    ],
)
def test_reads_an_object(text: str, expected: SearchRequest | Unreadable) -> None:
    assert object_search(text) == expected


@table_of(
    "text",
    [
        "", "foo", "foo\npath: src", "{", "[", "{}", '{"a": 1}', '{"a": [^}]*', '{"a": x}', "['\"]",
        '["a"]', '["a", "b"]', "[0-9]", '[{"pattern": "a"}, {"pattern": "b"}]', "pattern: foo",
    ],
)  # fmt: skip
def test_everything_else_is_a_pattern(text: str) -> None:
    assert object_search(text) is None


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
        pytest.param("pattern: a\npattern: b", None, id="two patterns"),
        pytest.param("name: foo", None, id="another name"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_reads_fields(text: str, expected: SearchRequest | None) -> None:
    assert field_search(text) == expected


@given(st.text(st.sampled_from('{}[]:,"a\\\n') | st.sampled_from("pattern")))
def test_never_raises(text: str) -> None:
    object_search(text)
    object_search(f'{{"pattern": {text}')
    field_search(text)
