"""How an endpoint is talked to, to text and back; lessons of a call; hints."""

from dataclasses import fields

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.models.endpoint import NAMES, TOKENS, Manner, find_endpoint, hinted

manners = st.builds(
    Manner,
    tokens=st.sampled_from(TOKENS),
    temperature=st.none() | st.floats(0, 2),
    thinking=st.sampled_from(["", "off", "low"]),
    window=st.none() | st.integers(0, 10**9 - 1),
    reply=st.none() | st.integers(0, 10**9 - 1),
)


def _facts(manner: Manner, beside: Manner) -> dict[str, str]:
    """Where it is not like the other, as a person writes it."""
    pairs = ((field.name, getattr(manner, field.name)) for field in fields(manner))
    return {
        name: {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        for name, value in pairs
        if value != getattr(beside, name) and value is not None
    }


@given(manners)
def test_reads_what_it_writes(manner: Manner) -> None:
    assert Manner().changed(_facts(manner, Manner())) == manner


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=9), st.text(max_size=9)))
def test_any_text_is_a_value_or_left_out(given: dict[str, str]) -> None:
    changed = Manner().changed(given)
    assert Manner().changed(_facts(changed, Manner())) == changed


@table_of(
    ("given", "expected"),
    [
        pytest.param({"stop": "no", "prefill": "yes"}, Manner(stop=False, prefill=True), id="both"),
        pytest.param({"stop": "No", "stream": "", "cache": "0"}, Manner(), id="no switches"),
        pytest.param({"tokens": "max_output_tokens"}, Manner(), id="no such limit"),
        pytest.param({"temperature": "0.5"}, Manner(temperature=0.5), id="number"),
        pytest.param({"temperature": "nan"}, Manner(), id="no number"),
        pytest.param({"window": "4096"}, Manner(window=4096), id="whole"),
        pytest.param({"window": "²"}, Manner(), id="other digits"),
        pytest.param({"thinking": "max"}, Manner(thinking="max"), id="effort"),
        pytest.param({"colour": "red"}, Manner(), id="no such name"),
    ],
)
def test_changes(given: dict[str, str], expected: Manner) -> None:
    assert Manner().changed(given) == expected


@table_of(
    ("spec", "expected"),
    [
        pytest.param("openai/gpt-4.1", {}, id="takes a stop"),
        pytest.param("openai/o3-mini", {"stop": "no", "tokens": TOKENS[1]}, id="takes none"),
        pytest.param("openai/openai/gpt-5", {"stop": "no", "tokens": TOKENS[1]}, id="router"),
        pytest.param("completions/gpt-5", {}, id="another API"),
        pytest.param("responses/any", {"stop": "no"}, id="responses"),
        pytest.param("anthropic/claude-haiku-4-5", {"window": "200000"}, id="the first that fits"),
        pytest.param("anthropic/claude-9", {"window": "1000000"}, id="the last that fits"),
        pytest.param("anthropic/other", {}, id="what speaks like it"),
    ],
)
def test_hints(spec: str, expected: dict[str, str]) -> None:
    assert _facts(hinted(find_endpoint(spec, {}, {})), Manner()) == expected
