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
    {
        "strict": ('{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        "escapes are taken at their word": (r'{"a": "\b\u00e9\n"}', {"a": "\b\u00e9\n"}),
        "a lone surrogate stays": (r'{"a": "\ud83d"}', {"a": "\ud83d"}),
        "single quotes": ("{'a': 'b'}", {"a": "b"}),
        "escaped single": (r"{'a': 'it\'s'}", {"a": "it's"}),
        "a pattern": (r'{"a": "\d+\.py"}', {"a": r"\d+\.py"}),
        "no escape of JSON": (r'{"a": "\x41"}', {"a": r"\x41"}),
        "both ways to write a backslash": (r'{"a": "\\d\d"}', {"a": r"\d\d"}),
        "line end": ('{"a": "b\n\tc"}', {"a": "b\n\tc"}),
        "comma in a list": ("[1, 2,]", [1, 2]),
        "a comma at the end": ('{"a": "http://b#c",}', {"a": "http://b#c"}),
        "literals of Python": ("[True, False, None]", [True, False, None]),
        "names": ("{a: 1, b-c: 2}", {"a": 1, "b-c": 2}),
        "deep": ('{"a": ' * 98 + "[]" + "}" * 98, None),
        "many brackets, not deep": ("[" + "[], " * 200 + "1]", [[]] * 200 + [1]),
    },
)
def test_reads(text: str, value: object) -> None:
    assert read_json(text) == (json.loads(text) if value is None else value)


@table_of(
    ("text", "line", "problem"),
    {
        "nothing": ("", 1, "Expecting value, found the end"),
        "no comma": ('{"a": 1\n "b": 2}', 2, "Expecting ',' delimiter, found '\"b\": 2}'"),
        "a quote within": ("{'a': 'it's'}", 1, "Expecting ',' delimiter, found \"s'}\""),
        "a number as a key": (
            "{1: 2}",
            1,
            "Expecting property name enclosed in double quotes, found '1: 2}'",
        ),
        "open object": ('{"a": 1', 1, "Expecting ',' delimiter, found the end"),
        "open string": ('{"a": "b\nc', 1, "never closed: '\"b'"),
        "comment": ('{"a": 1 // b\n}', 1, "Expecting ',' delimiter, found '// b'"),
        "lone surrogate": ("[\ud800]", 1, r"Expecting value, found '\ud800]'"),
    },
)
def test_refuses_what_can_only_be_guessed(text: str, line: int, problem: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_json(text)
    assert str(refused.value) == f"JSON, line {line}: {problem}; the text is {text!r}"


@table_of(
    ("text", "problem"),
    {
        "a key twice": ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        "NaN": ("[NaN]", "NaN is not a finite number"),
        "too large": ("[1e999]", "1e999 is not a finite number"),
    },
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
    {
        "one bracket too many": "[" * 100 + "]" * 100,
        "very deep objects": '{"a": ' * 10_000,
        "very large number": f"[{'9' * 10_000}]",
    },
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
    {
        "text behind it": ('{"a": 1}\nprose', 7),
        "brackets in brackets": ('{"a": [{"b": 1}, {}]} {', 20),
        "in a string": ('{"a": "}"}', 9),
        "behind an escaped quote": (r'{"a": "\"}"}', 11),
        "a string without its end": ('{"a": don", }', None),
        "brackets of the wrong kind": ('{"a": [1}}', 9),
        "open at the end": ('{"a": {"b": 1}', None),
        "a closing one only": ("}", 0),
    },
)
def test_finds_where_the_first_bracket_closes(text: str, expected: int | None) -> None:
    assert closing(text) == expected


@table_of(
    "text",
    {
        "object": '{"a": 1}',
        "a name and a string": '{path: "x"}',
        "a name and a literal": "{on: true}",
        "a name and a list": "{a: [b]}",
        "a value that is none": '{"a": src/b.py}',
        "list that is open": '["a", b',
        "list of objects": '[{"a": 1}, 2]',
        "brackets in a string": '["a[0]"]',
    },
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
