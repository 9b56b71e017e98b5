"""Calls as other programs write them: which are read, as what, and which are refused."""

import json

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.turn.other_formats import Call, NoCall, find_call

TOOLS = {"grep", "run", "read_file", "list_files", "write_file"}
CALL = '{"name": "grep", "arguments": {"pattern": "x"}}'


Refusal = tuple[str, str, bool]


def read(text: str, tools: set[str] | None = TOOLS) -> Call | Refusal | None:
    try:
        return find_call(text, tools)
    except NoCall as error:
        return error.form, error.reason, error.truncated


PIECES = [
    *("<tool_call>", "</tool_call>", "<function=grep>", "</function>", "<parameter=a>", "<grep>"),
    *("</parameter>", "<arg_key>", "</arg_key>", "<arg_value>", "<tool>", "</tool>", "<name>"),
    *("<|python_tag|>", "<|message|>", "</s>"),
    *("```", "```json\n", "```bash\n", "{", "}", "[", "]", '"name": "grep"', '"action":', ", "),
    *('"', "'", "\\", "\n", " ", "x", "grep", ": ", ">", "<<EOF", "EOF", "1", "\ud800", "\x00"),
    CALL,
]
texts = st.text() | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(texts, st.none() | st.just(TOOLS))
def test_what_is_quoted_or_followed_by_a_sentence_is_not_obeyed(
    text: str, tools: set[str] | None
) -> None:
    read(text, tools)  # whatever it is
    assert read("\n".join(f"> {line}" for line in text.split("\n"))) is None
    assert not isinstance(read(f"{text}\nThis is what it wrote"), Call)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=3))
def test_every_format_gives_the_same_input(arguments: dict[str, object]) -> None:
    given_text = json.dumps(arguments)
    texts = [
        f'{{"action": "grep", "action_input": {given_text}}}',
        f'<tool_call>{{"name": "grep", "arguments": {given_text}}}</tool_call>',
        f"<function=grep>{given_text}</function>",
    ]
    found = [read(text) for text in texts]
    assert len({call.input for call in found if isinstance(call, Call)}) == 1
    assert all(isinstance(call, Call) for call in found)
