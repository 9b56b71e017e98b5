import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import DEFAULT
from react_agent.parsers.turn import words
from react_agent.parsers.turn.action_input import Input, read_input

UNQUOTED = ("the quotes around the input were taken away",)
DROPPED = ("the text behind the closing bracket was dropped",)
TOKEN_ENDED = ("what stood behind the token that ends a turn was dropped",)
OUT_OF_HEREDOC = ("the input was taken out of its here-document",)
TALK = ("the words behind the input were dropped",)


def bracketed(text: str) -> Input:
    return Input(text, DROPPED, has_ended=True)


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"a": 1}', Input('{"a": 1}', has_ended=True), id="alone"),
        pytest.param('{"a": 1}\nso', bracketed('{"a": 1}'), id="a word below it"),
        pytest.param('{"a": 1}\nXML', bracketed('{"a": 1}'), id="in capitals"),
        pytest.param(' {"a": 1}\nso', bracketed(' {"a": 1}'), id="behind a blank"),
        pytest.param('{"a": 1} so', Input('{"a": 1} so'), id="a word beside it"),
        pytest.param('{"a": 1}\n{"b": 2}', Input('{"a": 1}\n{"b": 2}'), id="JSON lines"),
        pytest.param('{"a": 1}\n["b"]', Input('{"a": 1}\n["b"]'), id="JSON lines, and a list"),
        pytest.param("[1]\nso", Input("[1]\nso"), id="a word below a list"),
        pytest.param("[1]\nThen I look at it.", bracketed("[1]"), id="a sentence below a list"),
        pytest.param(
            '{"a": 1,, }\nso', Input('{"a": 1,, }\nso'), id="a word below what is no value"
        ),
        pytest.param(
            '{"a": 1} so\nThen I look at it.',
            Input('{"a": 1} so\nThen I look at it.'),
            id="a word beside it, and a sentence",
        ),
        pytest.param(
            '{"a": 1} so\nx\nThen I look at it.',
            Input('{"a": 1} so\nx\nThen I look at it.'),
            id="a sentence further down",
        ),
        pytest.param(
            '{"a": 1} so\nThen I look at it.\nx',
            Input('{"a": 1} so\nThen I look at it.\nx'),
            id="a sentence that is not the last line",
        ),
        pytest.param(
            '{"a": 1} Then I look at it.',
            Input('{"a": 1} Then I look at it.'),
            id="a sentence beside it",
        ),
        pytest.param("{'a: 0", Input("{'a: 0"), id="open, and no JSON"),
        pytest.param("{a: 0", Input("{a: 0"), id="open, without quotes"),
        pytest.param("[a-z", Input("[a-z"), id="a pattern"),
    ],
)
def test_a_value_in_brackets_ends_an_input(text: str, expected: Input) -> None:
    assert read_input(text.split("\n"), None, DEFAULT) == expected


@table_of(
    ("lines", "expected"),
    [
        pytest.param(
            ["<<EOF", "x", "EOF"], Input("x", OUT_OF_HEREDOC, has_ended=True), id="all of it"
        ),
        pytest.param(["<<EOF x", "y", "EOF"], Input("<<EOF x\ny\nEOF"), id="words behind it"),
        pytest.param(["<<EOF", "x", "y"], Input("<<EOF\nx\ny"), id="not closed"),
        pytest.param(["<<A <<B", "x", "B"], Input("<<A <<B\nx\nB"), id="two of them"),
        pytest.param(["x", "y", "</code>"], Input("x\ny"), id="a tag that nothing opened"),
        pytest.param(
            ["x<|im_end|>", "<|im_start|>user", "more"],
            Input("x", TOKEN_ENDED, has_ended=True),
            id="another's turn",
        ),
        pytest.param(["", "Observation:"], Input(""), id="a stop, and nothing else"),
        pytest.param(['"x y"'], Input("x y", UNQUOTED), id="quotes"),
        pytest.param(["```x```"], Input("x", UNQUOTED), id="code"),
        pytest.param(["``````"], Input("``````"), id="no code"),
        pytest.param(["``````x```"], Input("``````x```"), id="more marks than behind it"),
        pytest.param(["```a``` b ```c```"], Input("```a``` b ```c```"), id="twice code"),
        pytest.param(["a b c```"], Input("a b c```"), id="marks behind it only"),
        pytest.param(
            ["x", "y", "Then I look at it."],
            Input("x\ny\nThen I look at it."),
            id="a sentence at its end",
        ),
        pytest.param(
            ["x", "", "Then I look at it."],
            Input("x", TALK),
            id="a sentence apart from it",
        ),
        pytest.param([*12 * ["x"], "</code>"], Input("\n".join(12 * ["x"])), id="a tag far down"),
    ],
)
def test_what_surrounds_an_input_goes(lines: list[str], expected: Input) -> None:
    assert read_input(lines, None, DEFAULT) == expected


BEHIND_FENCE = ("the text behind the closing fence was dropped",)


@table_of(
    ("lines", "behind", "expected"),
    [
        pytest.param(["```", "x", "```"], [], Input("x", has_ended=True), id="nothing"),
        pytest.param(["```", "```"], [""], Input("", has_ended=True), id="an empty fence"),
        pytest.param(["```"], [], Input("```", has_ended=True), id="half a fence"),
        pytest.param(
            ["```", "x", "```"], ["so"], Input("x", BEHIND_FENCE, has_ended=True), id="a word"
        ),
        pytest.param(
            ["```", "x", "```"],
            ["so", "Then I look at it."],
            Input("x", BEHIND_FENCE, has_ended=True),
            id="a sentence",
        ),
        pytest.param(
            ["```", "x", "```"],
            ["```", "y", "```"],
            Input(problem=words.two_blocks()),
            id="another fence",
        ),
    ],
)
def test_what_stands_behind_a_fence(lines: list[str], behind: list[str], expected: Input) -> None:
    assert read_input(lines, behind, DEFAULT) == expected
