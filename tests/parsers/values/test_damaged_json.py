import contextlib
import json

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.values.damaged_json import read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda members: st.lists(members) | st.dictionaries(st.text(), members),
    max_leaves=20,
)  # fmt: skip
PIECES = [*"{}[]:,\"'\\ \na1", "None", "\ud800", "NaN"]


def test_reads_brackets_that_are_many_or_deep() -> None:
    deep = '{"a": ' * 98 + "[]" + "}" * 98
    assert read_json(deep) == json.loads(deep)
    assert read_json("[" + "[], " * 200 + "1]") == [[]] * 200 + [1]


def test_quotes_the_beginning_of_a_long_text() -> None:
    assert refusal(ParseError, read_json, f"[{'x' * 1000}]") == (
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
