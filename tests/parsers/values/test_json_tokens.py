from collections.abc import Callable

import pytest
from check_rows import table_of

from react_agent.parsers.values.damaged_json import closing, insists_on_json, tokens


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"a": 1}\nprose', 7, id="text behind it"),
        pytest.param('{"a": [{"b": 1}, {}]} {', 20, id="brackets in brackets"),
        pytest.param('{"a": "}"}', 9, id="in a string"),
        pytest.param(r'{"a": "\"}"}', 11, id="behind an escaped quote"),
        pytest.param('{"a": 1, // }\n}', 14, id="in a comment"),
        pytest.param('{"a": don", }', None, id="a string without its end"),
        pytest.param('{"a": [1}}', 9, id="brackets of the wrong kind"),
        pytest.param('{"a": {"b": 1}', None, id="open at the end"),
        pytest.param("}", 0, id="a closing one only"),
    ],
)
def test_finds_where_the_first_bracket_closes(text: str, expected: int | None) -> None:
    assert closing(text) == expected


@table_of(
    "text",
    [
        pytest.param('{"a": 1}', id="object"),
        pytest.param("{'a': 1}", id="single quotes"),
        pytest.param('{path: "x"}', id="a name and a string"),
        pytest.param("{on: true}", id="a name and a literal"),
        pytest.param("{a: [b]}", id="a name and a list"),
        pytest.param('{"a": src/b.py}', id="a value that is none"),
        pytest.param('["a", b', id="list that is open"),
        pytest.param("[1]", id="list of numbers"),
        pytest.param('[{"a": 1}, 2]', id="list of objects"),
        pytest.param('["a[0]"]', id="brackets in a string"),
    ],
)
def test_knows_what_can_be_nothing_but_json(text: str) -> None:
    assert insists_on_json(text)


@table_of(
    "text",
    [
        "", "a", '"a"', "1", "null", "a {", "[", "{", "{}", "[]", "[{}]", "{,}", "{a", '{"a"',
        "{name}", "{name: str}", "{a: b}", "{a:", "{1: 2}", "{a, b}", '{"a", "b"}', "{'a'..'z'}",
        "{{a}}", "{ echo a; }", '{ echo "a"; }', "[ -f x ]", '[ "$a" = "b" ]', "[[ -n $x ]]",
        "[a-z]", "[0-9]+", "[0-9", "[1]+", "[^]]", "[[:alpha:]]", "['\"]", "[\"']", "[\"']a['\"]",
        "['\"]a[\"']",
        '["][^"]*["]', '["a"]+', '["a"] = x', '["a"', "[1", "[.,]", "[a, b]", "[x](y)", "foo(",
        "// a\n{\"a\": 1}",
    ],
)  # fmt: skip
def test_everything_else_is_text(text: str) -> None:
    assert not insists_on_json(text)


@table_of(
    "piece",
    [
        "{", "[", '"', "\\", "/*", "//", "#", "\n", '["a",', '{"a": "', '["\\"', '{"a": /*', "[“",
        "[1,",
    ],
)  # fmt: skip
def test_time_grows_with_the_text(piece: str, calls: Callable[..., int]) -> None:
    for begin in ("", '{"a": ', '["a", '):
        once, ten_times = (calls(_read, begin + piece * times) for times in (100, 1000))
        assert ten_times <= 10 * once + 50


def _read(text: str) -> object:
    return list(tokens(text)), closing(text), insists_on_json(text)
