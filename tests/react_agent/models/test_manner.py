"""How an endpoint is talked to, to text and back; lessons of a call; hints."""

from dataclasses import fields

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
    {
        "both": ({"stop": "no", "prefill": "yes"}, Manner(stop=False, prefill=True)),
        "no switches": ({"stop": "No", "stream": "", "cache": "0"}, Manner()),
        "no such limit": ({"tokens": "max_output_tokens"}, Manner()),
        "number": ({"temperature": "0.5"}, Manner(temperature=0.5)),
        "no number": ({"temperature": "nan"}, Manner()),
        "whole": ({"window": "4096"}, Manner(window=4096)),
        "other digits": ({"window": "²"}, Manner()),
        "effort": ({"thinking": "max"}, Manner(thinking="max")),
        "no such name": ({"colour": "red"}, Manner()),
    },
)
def test_changes(given: dict[str, str], expected: Manner) -> None:
    assert Manner().changed(given) == expected


@table_of(
    ("spec", "expected"),
    {
        "takes a stop": ("openai/gpt-4.1", {}),
        "takes none": ("openai/o3-mini", {"stop": "no", "tokens": TOKENS[1]}),
        "router": ("openai/openai/gpt-5", {"stop": "no", "tokens": TOKENS[1]}),
        "another API": ("completions/gpt-5", {}),
        "responses": ("responses/any", {"stop": "no"}),
        "the first that fits": ("anthropic/claude-haiku-4-5", {"window": "200000"}),
        "the last that fits": ("anthropic/claude-9", {"window": "1000000"}),
        "what speaks like it": ("anthropic/other", {}),
        "a file": ("gguf/a.gguf", {"prefill": "yes", "temperature": "0.0", "seed": "1"}),
    },
)
def test_hints(spec: str, expected: dict[str, str]) -> None:
    assert _facts(hinted(find_endpoint(spec, {}, {})), Manner()) == expected
