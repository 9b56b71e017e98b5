"""The input of a tool that a JSON schema describes, and the schema in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.schema import in_words, read_input

LOOP = {
    "properties": {"a": {"$ref": "#/$defs/A"}},
    "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}},
}
NAMES = ("type", "properties", "anyOf", "enum", "$ref", "items", "required", "a")
WORDS_OF_SCHEMAS = st.sampled_from(("string", "array", "integer", "#/a", "#/properties"))


def _around(inner: st.SearchStrategy) -> st.SearchStrategy:
    names = st.sampled_from(NAMES)
    return st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)


# Not `st.recursive`: a draw that takes long meets threads of other tests that use `random`.
LEAVES = st.none() | st.booleans() | st.integers() | st.text() | WORDS_OF_SCHEMAS
JSON = LEAVES | _around(LEAVES | _around(LEAVES | _around(LEAVES)))


@given(JSON, st.text() | st.just("a: 1"))
def test_any_schema_and_any_text(schema: object, text: str) -> None:
    found = read_input(text, schema)
    assert "\n" not in in_words(schema) or "\n" in json.dumps(schema)
    assert isinstance(found, Unreadable | dict)


def test_a_number_is_one_that_json_can_hold() -> None:
    schema = {"properties": {"a": {"type": "number"}, "b": {"type": "object"}}}
    for text in ("a: nan", "a: inf", 'b: {"x": NaN}'):
        assert isinstance(read_input(text, schema), Unreadable)
    assert read_input("a: 1.5", schema) == {"a": 1.5}


def test_a_schema_that_refers_to_itself() -> None:
    assert read_input("a: 1", LOOP) == {"a": "1"}


@pytest.mark.attack("a schema of a million alternatives", by="MCP server", wall="limits")
def test_a_schema_that_refers_to_itself_many_times() -> None:
    many = {**LOOP, "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}] * 1_000}}}
    assert read_input("a: 1", many) == {"a": "1"}
    assert in_words(many) == "input, one per line: a: a value (optional)"


@pytest.mark.attack("a schema of arrays in arrays without end", by="MCP server", wall="limits")
def test_arrays_in_each_other() -> None:
    arrays = {"type": "array", "items": {"$ref": "#/$defs/A"}, "enum": []}
    schema = {**LOOP, "$defs": {"A": {"anyOf": [arrays] * 20}}}
    assert isinstance(read_input("a: 1", schema), Unreadable)
    nested = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    assert read_input("a: 1, 2", {"properties": {"a": nested}}) == {"a": [[1], [2]]}
