import contextlib
import json
from collections.abc import Callable

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.values.damaged_json import Json, read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda members: st.lists(members) | st.dictionaries(st.text(), members),
    max_leaves=20,
)  # fmt: skip
PIECES = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "'",
    "\\",
    "//",
    "\n",
    " ",
    "a",
    "1",
    "None",
    "\ud800",
    "NaN",
]
COMMENT, SINGLE, LINE = "a comment", "single quotes", "a line end in a string"
LITERAL, COMMA = "True, False or None", "a comma behind the last member"
NAME, BACKSLASH = "a key without quotes", "a backslash that escapes nothing"


@table_of(
    ("text", "value", "repairs"),
    [
        pytest.param(
            '{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}, "", id="strict"
        ),
        pytest.param(
            r'{"a": "\b\u00e9\n"}', {"a": "\b\u00e9\n"}, "", id="escapes are taken at their word"
        ),
        pytest.param(r'{"a": "\ud83d\ude00"}', {"a": "\U0001f600"}, "", id="surrogates"),
        pytest.param(r'{"a": "\ud83d"}', {"a": "\ud83d"}, "", id="a lone surrogate stays"),
        pytest.param("{'a': 'b'}", {"a": "b"}, SINGLE, id="single quotes"),
        pytest.param("{'a': \"it's\"}", {"a": "it's"}, SINGLE, id="both kinds"),
        pytest.param("{'a': 'say \"b\"'}", {"a": 'say "b"'}, SINGLE, id="double in single quotes"),
        pytest.param(
            r"{'a': 'it\'s'}", {"a": "it's"}, f"{SINGLE}; {BACKSLASH}", id="escaped single"
        ),
        pytest.param("{“a”: “b c”}", {"a": "b c"}, "typographic quotes", id="typographic quotes"),
        pytest.param("{‘a’: 1}", {"a": 1}, "typographic quotes", id="single typographic quotes"),
        pytest.param(
            '{"a": "it’s “b”"}', {"a": "it’s “b”"}, "", id="typographic quotes in a string"
        ),
        pytest.param(r'{"a": "\d+\.py"}', {"a": r"\d+\.py"}, BACKSLASH, id="a pattern"),
        pytest.param(r'{"a": "\u12"}', {"a": r"\u12"}, BACKSLASH, id="short escape"),
        pytest.param(r'{"a": "\x41"}', {"a": r"\x41"}, BACKSLASH, id="no escape of JSON"),
        pytest.param(
            r'{"a": "\\d\d"}', {"a": r"\d\d"}, BACKSLASH, id="both ways to write a backslash"
        ),
        pytest.param(
            '{"a": "b \\\n c"}',
            {"a": "b \\\n c"},
            f"{LINE}; {BACKSLASH}",
            id="backslash at a line's end",
        ),
        pytest.param('{"a": "b\n\tc"}', {"a": "b\n\tc"}, LINE, id="line end"),
        pytest.param('{"a": "b\tc"}', {"a": "b\tc"}, "", id="tab"),
        pytest.param("[1, 2,]", [1, 2], COMMA, id="comma in a list"),
        pytest.param('{"a": 1,\n}', {"a": 1}, COMMA, id="comma in an object"),
        pytest.param('{"a": 1, // b\n"c": 2}', {"a": 1, "c": 2}, COMMENT, id="comment"),
        pytest.param('# b\n{"a": 1}# c', {"a": 1}, COMMENT, id="comments around it"),
        pytest.param('{/* b\n*/"a": "/* c */"}', {"a": "/* c */"}, COMMENT, id="long comment"),
        pytest.param(
            '{"a": "http://b#c",}', {"a": "http://b#c"}, COMMA, id="no comment in a string"
        ),
        pytest.param("[True, False, None]", [True, False, None], LITERAL, id="literals of Python"),
        pytest.param("{a: 1, b-c: 2}", {"a": 1, "b-c": 2}, NAME, id="names"),
        pytest.param("{'a': None,}", {"a": None}, f"{SINGLE}; {LITERAL}; {COMMA}", id="several"),
        pytest.param('{"a": ' * 98 + "[]" + "}" * 98, None, "", id="deep"),
        pytest.param("[" + "[], " * 200 + "1]", [[]] * 200 + [1], "", id="many brackets, not deep"),
    ],
)
def test_reads(text: str, value: object, repairs: str) -> None:
    expected = json.loads(text) if value is None else value
    assert read_json(text) == Json(expected, tuple(repairs.split("; ") if repairs else ()))


@table_of(
    ("text", "line", "problem"),
    [
        pytest.param("", 1, "expected a value, found the end", id="nothing"),
        pytest.param('{"a": b/c}', 1, "expected a value, found 'b/c}'", id="text without quotes"),
        pytest.param('{"a": b}', 1, "expected a value, found 'b}'", id="a word"),
        pytest.param(
            '{"a": 1\n "b": 2}', 2, "expected a comma or }, found '\"b\": 2}'", id="no comma"
        ),
        pytest.param("[1 2]", 1, "expected a comma or ], found '2]'", id="no comma in a list"),
        pytest.param(
            "{'a': 'it's'}", 1, 'expected a comma or }, found "s\'}"', id="a quote within"
        ),
        pytest.param(
            '{"a": "b "c" d"}', 1, "expected a comma or }, found 'c\" d\"}'", id="quotes within"
        ),
        pytest.param('{"a" 1}', 1, "expected a colon, found '1}'", id="no colon"),
        pytest.param(
            "{1: 2}", 1, "expected a key in quotes, found '1: 2}'", id="a number as a key"
        ),
        pytest.param("[1,,]", 1, "expected a value, found ',]'", id="two commas"),
        pytest.param("{,}", 1, "expected a key in quotes, found ',}'", id="a comma only"),
        pytest.param("[1}", 1, "expected a comma or ], found '}'", id="wrong bracket"),
        pytest.param(
            '{"a": 1}\n{}', 2, "expected nothing behind the value, found '{}'", id="two values"
        ),
        pytest.param('{"a": 1', 1, "expected a comma or }, found the end", id="open object"),
        pytest.param('{"a": [1,', 1, "expected a value, found the end", id="open list"),
        pytest.param('{"a": "b\nc', 1, "this never ends: '\"b'", id="open string"),
        pytest.param('{"a": /* b', 1, "this never ends: '/* b'", id="open comment"),
        pytest.param(
            '{"a": 1, "a": 2}', 1, "this key stands there twice: '\"a\": 2}'", id="a key twice"
        ),
        pytest.param("[NaN]", 1, "expected a value, found 'NaN]'", id="NaN"),
        pytest.param("[-Infinity]", 1, "expected a value, found '-Infinity]'", id="infinity"),
        pytest.param("[1e999]", 1, "expected a value, found '1e999]'", id="too large"),
        pytest.param("[01]", 1, "expected a value, found '01]'", id="octal"),
        pytest.param("[.5]", 1, "expected a value, found '.5]'", id="no digit before the point"),
        pytest.param("[\ud800]", 1, r"expected a value, found '\ud800]'", id="lone surrogate"),
    ],
)
def test_refuses_what_can_only_be_guessed(text: str, line: int, problem: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_json(text)
    assert str(refused.value) == f"JSON, line {line}: {problem}; the text is {text!r}"


def test_quotes_the_beginning_of_a_long_text() -> None:
    with pytest.raises(ParseError) as refused:
        read_json(f"[{'x' * 1000}]")
    assert str(refused.value) == (
        f"JSON, line 1: expected a value, found '{'x' * 57}...'; the text is '[{'x' * 196}...'"
    )


@table_of(
    "text",
    [
        pytest.param("[" * 100 + "]" * 100, id="one bracket too many"),
        pytest.param("[" * 100_000, id="very deep"),
        pytest.param('{"a": ' * 100_000, id="very deep objects"),
        pytest.param(f"[{'9' * 100_000}]", id="very large number"),
    ],
)
def test_refuses_what_would_break_its_readers(text: str) -> None:
    with pytest.raises(ParseError):
        read_json(text)


@given(JSON)
def test_reads_json_as_it_is(value: object) -> None:
    assert read_json(json.dumps(value, ensure_ascii=False)) == Json(value)
    assert read_json(json.dumps(value)) == Json(value)


@given(JSON)
def test_damage_changes_no_value(value: object) -> None:
    text = json.dumps([value, 0], ensure_ascii=False)
    assert read_json(f"{text[:-1]}, /* ] */ ] # {text}".replace("\n", " ")).value == [value, 0]


@given(JSON.filter(lambda value: isinstance(value, (dict, list))))
def test_reads_what_python_writes(value: object) -> None:
    text = repr(value)
    if "\\x" not in text and "\\U" not in text:  # JSON has no such escapes
        assert read_json(text).value == value


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_json_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        json.dumps(read_json(text).value, allow_nan=False)


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        ("[", "'a\\d', "), ("", "{"), ("", '{"a": '), ("[", '"'), ('["', "\\"), ("[1, ", "/*"),
        ("[1, ", "// a\n"), ("[", "1,\n"), ('{"a": ', '"b'), ("[", "[],"), ("{'a': ", "\n "),
    ],
)  # fmt: skip
def test_time_grows_with_the_text(begin: str, piece: str, calls: Callable[..., int]) -> None:
    once, ten_times = (calls(_read, begin + piece * times) for times in (200, 2000))
    assert ten_times <= 10 * once + 200


def test_time_grows_with_the_members(calls: Callable[..., int]) -> None:
    texts = [f"{{{','.join(f'a{n}: 1' for n in range(members))}}}" for members in (200, 2000)]
    once, ten_times = (calls(_read, text) for text in texts)
    assert ten_times <= 10 * once + 200


def _read(text: str) -> None:
    with contextlib.suppress(ParseError):
        read_json(text)
