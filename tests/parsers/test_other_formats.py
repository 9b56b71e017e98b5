"""Calls as other programs write them: which are read, as what, and which are refused."""

import json

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.turn.other_formats import Call, NoCall, find_call

TOOLS = {"grep", "run", "read_file", "list_files", "write_file"}
CALL = '{"name": "grep", "arguments": {"pattern": "x"}}'
OBJECT = "a JSON object"
SHELL = "a block of shell commands"
TWO = "there are two calls: write only the first"
BEHIND = "there is text after it"
QUOTE = "it may be a quotation"
INVALID = "it is not valid JSON"
NO_NAME = "it names no tool"
CUT = "it is cut off"


def grep(form: str, thought: str = "", text: str = "x") -> Call:
    return Call("grep", text, thought, form)


Refusal = tuple[str, str, bool]


def no(form: str, reason: str, *, truncated: bool = False) -> Refusal:
    return form, reason, truncated


def read(text: str, tools: set[str] | None = TOOLS) -> Call | Refusal | None:
    try:
        return find_call(text, tools)
    except NoCall as error:
        return no(error.form, error.reason, truncated=error.truncated)


CALLS = {
    "our labels as keys": (
        '{"Thought": "Look.", "Action": "grep", "Action Input": "x"}',
        grep(OBJECT, "Look."),
    ),
    "a block of anthropic's messages": (
        '{"type": "tool_use", "id": "toolu_1", "name": "grep", "input": {"pattern": "x"}}',
        grep(OBJECT),
    ),
    "a call of openai's chat": (
        '{"id": "c1", "type": "function", "function": '
        r'{"name": "grep", "arguments": "{\"pattern\": \"x\"}"}}',
        grep(OBJECT),
    ),
    "a tool nobody has": (
        '{"name": "find", "arguments": {"path": "x"}}',
        Call("find", "x", "", OBJECT),
    ),
    "no input": ('{"action": "list_files"}', Call("list_files", "", "", OBJECT)),
    "special tokens behind it": (CALL + "<|im_end|>\n</s>", grep(OBJECT)),
    "a blank before it, behind `Thought:`": (f" {CALL}", grep(OBJECT)),
    "langchain's end is an action of that name": (
        '{"action": "Final Answer", "action_input": "done"}',
        Call("Final Answer", "done", "", OBJECT),
    ),
    "hermes in a fence": (
        f"```xml\n<tool_call>{CALL}</tool_call>\n```",
        grep("a `<tool_call>` block"),
    ),
    "qwen coder": (
        "<tool_call>\n<function=grep>\n<parameter=pattern>\nx\n</parameter>\n</function>\n"
        "</tool_call>",
        grep("a `<tool_call>` block"),
    ),
    "llama 3.1": ('<function=grep>{"pattern": "x"}</function>', grep("a `<function>` block")),
    "claude": (
        '<function_calls>\n<invoke name="grep">\n<parameter name="pattern">x</parameter>\n'
        "</invoke>\n</function_calls>",
        grep("a `<function_calls>` block"),
    ),
    "cline": (
        "<read_file>\n<path>a.py</path>\n</read_file>",
        Call("read_file", "a.py", "", "a `<read_file>` block"),
    ),
    "hermes, not closed": (f"<tool_call>{CALL}", grep("a `<tool_call>` block")),
}


OTHERS = {
    "an item of a list": f"- {CALL}",
    "a command and its output": "```console\n$ ls\na.py\n```",
    "prose": "I don't know what to do.",
    "the data of a package": '{"name": "x", "version": "1.0"}',
    "the data of an event": '{"action": "opened", "issue": {"number": 1}}',
    "a name nobody knows, alone": '{"action": "stop"}',
    "an input beside a call": '{"action": {"name": "grep"}, "action_input": "x"}',
    "quoted": f"> {CALL}",
    "an indented block alone": f"    {CALL}",
    "a line of a diff": f"```diff\n+{CALL}\n```\nThis adds it.",
}

REFUSED = {
    "a quotation": (f"The page says:\n```json\n{CALL}\n```", no(OBJECT, QUOTE)),
    "what it won't do": (f"I will not run:\n{CALL}", no(OBJECT, QUOTE)),
    "behind a result of its own": (
        f"<tool_response>1</tool_response>\nI look.\n{CALL}",
        no(OBJECT, QUOTE),
    ),
    "text behind it in a fence": (f"```json\n{CALL}\nsee\n```", no(OBJECT, BEHIND)),
    "cut in a string": ('{"action": "grep", "action_input": "x', no(OBJECT, CUT, truncated=True)),
    "an input and more": (
        '{"action": "grep", "action_input": "x", "path": "y"}',
        no(OBJECT, "it has keys besides a name and an input"),
    ),
    "broken arguments": ('{"name": "grep", "arguments": "{\\"pattern\\": "}', no(OBJECT, INVALID)),
    "empty name": ('{"action": "\\n", "action_input": "x"}', no(OBJECT, NO_NAME)),
    "two blocks": (
        f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>",
        no("a `<tool_call>` block", BEHIND),
    ),
    "no name in a block": ('<tool_call>{"a": 1}</tool_call>', no("a `<tool_call>` block", NO_NAME)),
    "elements in a wrapper": (
        "<tool_call><name>grep</name><input>x</input></tool_call>",
        no("a `<tool_call>` block", "it can't be read"),
    ),
    "an element twice": (
        "<read_file><path>a</path><path>b</path></read_file>",
        no("a `<read_file>` block", "`path` is in it twice"),
    ),
    "two invoked": (
        '<function_calls><invoke name="grep">a</invoke><invoke name="run">b</invoke>'
        "</function_calls>",
        no("a `<function_calls>` block", TWO),
    ),
    "cut in a parameter": (
        "<function=grep>\n<parameter=pattern>\nx",
        no("a `<function>` block", CUT, truncated=True),
    ),
}


@table_of(("text", "expected"), CALLS | REFUSED)
def test_reads_a_call_and_refuses_what_may_not_be_meant(
    text: str, expected: Call | Refusal
) -> None:
    assert read(text) == expected


@table_of("text", OTHERS)
def test_takes_no_text_for_a_call(text: str) -> None:
    assert read(text) is None


@table_of(
    ("arguments", "expected"),
    {
        "null": (None, ""),
        "one object": ({"where": {"path": "é"}}, 'where: {"path": "é"}'),
        "several lines last": ({"new": "a\nb", "path": "x"}, "path: x\nnew: a\nb"),
        "two of several lines": (
            {"old": "a\nb", "new": "c\nd"},
            '{\n  "old": "a\\nb",\n  "new": "c\\nd"\n}',
        ),
        "a line like a field": (
            {"path": "a", "new": "b\npath: c"},
            '{\n  "path": "a",\n  "new": "b\\npath: c"\n}',
        ),
        "quotes that count": (
            {"path": "a", "pattern": '"x"'},
            '{\n  "path": "a",\n  "pattern": "\\"x\\""\n}',
        ),
        "a colon in a key": ({"a:b": 1, "c": 2}, '{\n  "a:b": 1,\n  "c": 2\n}'),
        "a list": ([1, {"a": 2}], '[1, {"a": 2}]'),
    },
)
def test_arguments_become_text(arguments: object, expected: str) -> None:
    text = json.dumps({"action": "grep", "action_input": arguments})
    assert read(text) == grep(OBJECT, text=expected)


@table_of(
    ("text", "tools", "expected"),
    [
        pytest.param("```sh\nls\n```", {"bash", "sh"}, Call("sh", "ls", "", SHELL), id="its own"),
        pytest.param("```bash\nls\n```", {"a"}, no(SHELL, "no tool takes commands"), id="none"),
        pytest.param(CALL, None, grep(OBJECT), id="json, nobody said"),
        pytest.param("<grep>x</grep>", None, None, id="a tag that could be anything"),
        pytest.param("<call>x</call>", {"call"}, Call("call", "x", "", "a `<call>` block"),
            id="a tool with the name of a wrapper"),
    ],
)  # fmt: skip
def test_tools_decide(text: str, tools: set[str] | None, expected: Call | Refusal | None) -> None:
    assert read(text, tools) == expected


@table_of(
    ("before", "obeyed"),
    [
        *((text, True) for text in ("Let me look:", "I'll look:", "I’ll look:", "**Tool call:**")),
        *((text, True) for text in ("Searching for x:", "It fails. Now I run it:", "It fails.")),
        *((text, False) for text in ("The issue says I should run:", "An example call:", "It is:")),
        *(
            (text, False)
            for text in ("I would run:", "Let me quote: it reads:", "说：", "I will never run:")
        ),
    ],
)
def test_a_colon_announces_an_act_or_a_quotation(before: str, obeyed: bool) -> None:
    expected = grep(OBJECT, before) if obeyed else no(OBJECT, QUOTE)
    assert read(f"{before}\n{CALL}") == expected


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
