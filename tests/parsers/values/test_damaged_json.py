import contextlib
import json

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.values.damaged_json import closing, insists_on_json, read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda members: st.lists(members) | st.dictionaries(st.text(), members),
    max_leaves=20,
)  # fmt: skip
PIECES = [*"{}[]:,\"'\\ \na1", "None", "\ud800", "NaN"]


@table_of(
    ("text", "value"),
    [
        pytest.param(
            '{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}, id="strict"
        ),
        pytest.param(
            r'{"a": "\b\u00e9\n"}', {"a": "\b\u00e9\n"}, id="escapes are taken at their word"
        ),
        pytest.param(r'{"a": "\ud83d"}', {"a": "\ud83d"}, id="a lone surrogate stays"),
        pytest.param("{'a': 'b'}", {"a": "b"}, id="single quotes"),
        pytest.param(r"{'a': 'it\'s'}", {"a": "it's"}, id="escaped single"),
        pytest.param(r'{"a": "\d+\.py"}', {"a": r"\d+\.py"}, id="a pattern"),
        pytest.param(r'{"a": "\x41"}', {"a": r"\x41"}, id="no escape of JSON"),
        pytest.param(r'{"a": "\\d\d"}', {"a": r"\d\d"}, id="both ways to write a backslash"),
        pytest.param('{"a": "b\n\tc"}', {"a": "b\n\tc"}, id="line end"),
        pytest.param("[1, 2,]", [1, 2], id="comma in a list"),
        pytest.param('{"a": "http://b#c",}', {"a": "http://b#c"}, id="a comma at the end"),
        pytest.param("[True, False, None]", [True, False, None], id="literals of Python"),
        pytest.param("{a: 1, b-c: 2}", {"a": 1, "b-c": 2}, id="names"),
        pytest.param('{"a": ' * 98 + "[]" + "}" * 98, None, id="deep"),
        pytest.param("[" + "[], " * 200 + "1]", [[]] * 200 + [1], id="many brackets, not deep"),
    ],
)
def test_reads(text: str, value: object) -> None:
    assert read_json(text) == (json.loads(text) if value is None else value)


@table_of(
    ("text", "line", "problem"),
    [
        pytest.param("", 1, "Expecting value, found the end", id="nothing"),
        pytest.param(
            '{"a": 1\n "b": 2}', 2, "Expecting ',' delimiter, found '\"b\": 2}'", id="no comma"
        ),
        pytest.param(
            "{'a': 'it's'}", 1, "Expecting ',' delimiter, found \"s'}\"", id="a quote within"
        ),
        pytest.param(
            "{1: 2}",
            1,
            "Expecting property name enclosed in double quotes, found '1: 2}'",
            id="a number as a key",
        ),
        pytest.param('{"a": 1', 1, "Expecting ',' delimiter, found the end", id="open object"),
        pytest.param('{"a": "b\nc', 1, "never closed: '\"b'", id="open string"),
        pytest.param('{"a": 1 // b\n}', 1, "Expecting ',' delimiter, found '// b'", id="comment"),
        pytest.param("[\ud800]", 1, r"Expecting value, found '\ud800]'", id="lone surrogate"),
    ],
)
def test_refuses_what_can_only_be_guessed(text: str, line: int, problem: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_json(text)
    assert str(refused.value) == f"JSON, line {line}: {problem}; the text is {text!r}"


@table_of(
    ("text", "problem"),
    [
        pytest.param('{"a": 1, "a": 2}', "the key 'a' occurs twice", id="a key twice"),
        pytest.param("[NaN]", "NaN is not a finite number", id="NaN"),
        pytest.param("[1e999]", "1e999 is not a finite number", id="too large"),
    ],
)
def test_refuses_what_no_other_reader_could_read(text: str, problem: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_json(text)
    assert str(refused.value) == f"JSON: {problem}; the text is {text!r}"


def test_quotes_the_beginning_of_a_long_text() -> None:
    with pytest.raises(ParseError) as refused:
        read_json(f"[{'x' * 1000}]")
    assert str(refused.value) == (
        f"JSON, line 1: Expecting value, found '{'x' * 57}...'; the text is '[{'x' * 196}...'"
    )


@table_of(
    "text",
    [
        pytest.param("[" * 100 + "]" * 100, id="one bracket too many"),
        pytest.param('{"a": ' * 10_000, id="very deep objects"),
        pytest.param(f"[{'9' * 10_000}]", id="very large number"),
    ],
)
def test_refuses_what_would_break_its_readers(text: str) -> None:
    with pytest.raises(ParseError):
        read_json(text)


@settings(max_examples=50)
@given(JSON)
def test_reads_what_is_written(value: object) -> None:
    """As JSON, with what models get wrong, and as Python writes it."""
    assert read_json(json.dumps(value)) == value
    text = json.dumps([value, 0], ensure_ascii=False)
    assert read_json(f"{text[:-1]},]") == [value, 0]
    text = repr([value])
    if "\\x" not in text and "\\U" not in text:  # JSON has no such escapes
        assert read_json(text) == [value]


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_json_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        json.dumps(read_json(text), allow_nan=False)


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"a": 1}\nprose', 7, id="text behind it"),
        pytest.param('{"a": [{"b": 1}, {}]} {', 20, id="brackets in brackets"),
        pytest.param('{"a": "}"}', 9, id="in a string"),
        pytest.param(r'{"a": "\"}"}', 11, id="behind an escaped quote"),
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
        pytest.param('{path: "x"}', id="a name and a string"),
        pytest.param("{on: true}", id="a name and a literal"),
        pytest.param("{a: [b]}", id="a name and a list"),
        pytest.param('{"a": src/b.py}', id="a value that is none"),
        pytest.param('["a", b', id="list that is open"),
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
