import pytest
from check_rows import table_of

from react_agent.parsers.values.searches import searches


@table_of(
    ("text", "expected"),
    [
        pytest.param("foo", ("foo",), id="one"),
        pytest.param("foo\npath: src", ("foo\npath: src",), id="one with a path"),
        pytest.param("foo\nbar", ("foo", "bar"), id="two"),
        pytest.param("foo\n\nbar\nfoo\n", ("foo", "bar"), id="the same twice"),
        pytest.param("foo\nalso: bar", ("foo", "bar"), id="also"),
        pytest.param("pattern: foo\npattern: bar", ("foo", "bar"), id="by name"),
        pytest.param(
            "foo\nbar\npath: src\ncontext: 2",
            ("foo\npath: src\ncontext: 2", "bar\npath: src\ncontext: 2"),
            id="what holds for both",
        ),
        pytest.param(
            'path: src\n"foo"\nbar', ('"foo"\npath: src', "bar\npath: src"), id="path first"
        ),
        pytest.param('{"pattern":\n"foo"}', ('{"pattern":\n"foo"}',), id="an object"),
        pytest.param("pattern: foo\ni: true", ("pattern: foo\ni: true",), id="fields"),
        pytest.param("", ("",), id="nothing"),
    ],
)
def test_parts_several_patterns(text: str, expected: tuple[str, ...]) -> None:
    assert searches(text) == expected
