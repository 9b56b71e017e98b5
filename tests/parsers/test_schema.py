"""The input of a tool that a JSON schema describes, and the schema in words."""

import json
from typing import Any

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.schema import in_words, read_input

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "words\n of it"},
        "maxResults": {"type": "integer"},
        "exact": {"type": "boolean"},
        "state": {"anyOf": [{"enum": ["open", "closed"]}, {"type": "null"}]},
        "labels": {"type": ["array", "null"], "items": {"type": "string"}},
        "near": {"$ref": "#/$defs/Point"},
        "anything": True,
    },
    "required": ["query"],
    "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "number"}}}},
}
WORDS = (
    "input, one per line: query: text, words of it; maxResults: a whole number (optional); "
    "exact: yes or no (optional); state: one of open, closed or a value (optional); "
    "labels: a list, between commas (optional); near: a JSON object (optional); "
    "anything: a value (optional)"
)


def test_says_what_a_tool_takes() -> None:
    assert in_words(SCHEMA) == WORDS.replace(
        " or a value (optional); labels", " (optional); labels"
    )
    assert in_words({"type": "object"}) == in_words(None) == "no input"


@table_of(
    ("text", "expected"),
    [
        pytest.param('query: "a b"\nmax results: 3', {"query": "a b", "maxResults": 3}, id="names"),
        pytest.param("query: a\nexact: yes\nstate: open\nlabels: x, y",
                     {"query": "a", "exact": True, "state": "open", "labels": ["x", "y"]},
                     id="types"),
        pytest.param("query: def f():\n    return 1\n\nlabels: []",
                     {"query": "def f():\n    return 1", "labels": []}, id="several lines"),
        pytest.param('{"query": "a", "maxResults": 3, "near": {"x": 1.5}}',
                     {"query": "a", "maxResults": 3, "near": {"x": 1.5}}, id="an object"),
        pytest.param('query: a\nnear: {"x": 1}\nanything: b',
                     {"query": "a", "near": {"x": 1}, "anything": "b"}, id="an object in a field"),
    ],
)  # fmt: skip
def test_reads_an_input(text: str, expected: dict[str, Any]) -> None:
    assert read_input(text, SCHEMA) == expected


@table_of(
    ("text", "reason"),
    {
        "nothing": ("", "query is missing"),
        "prose": ("find the ticket", "The input is not `name: value` lines"),
        "number": ("query: a\nmaxResults: many", "maxResults must be a whole number"),
        "switch": ("query: a\nexact: perhaps", "exact must be yes or no"),
        "choice": ("query: a\nstate: ajar", "state must be one of open, closed"),
        "name": ("query: a\nqeury: b", "qeury is no argument (did you mean query?)"),
        "no text": ('{"query": 3}', "query must be text"),
        "two": ('[{"query": "a"}, {"query": "b"}]', "The input is not"),
        "damaged": ('{"query": "a"', "JSON, line 1"),
    },
)
def test_a_wrong_input_is_answered_with_the_schema(text: str, reason: str) -> None:
    found = read_input(text, SCHEMA)
    assert isinstance(found, Unreadable)
    assert found.reason.startswith(reason)
    assert found.reason.endswith(f"The arguments: {in_words(SCHEMA)}.")


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


def test_a_schema_that_refers_to_itself() -> None:
    assert read_input("a: 1", LOOP) == {"a": "1"}
