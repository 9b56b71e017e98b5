import pytest
from check_rows import table_of

from react_agent.parsers.turn.special import (
    cleaned,
    cleaned_name,
    end_of_turn,
    is_remnant,
    without_last_tokens,
    without_leading_tokens,
)


@table_of(
    ("line", "kept"),
    [
        pytest.param("x", "x", id="none"),
        pytest.param("x ", "x ", id="blanks stay where no token goes"),
        pytest.param("x <|im_end|>", "x", id="a token"),
        pytest.param("x<|im_end|> ", "x", id="blanks behind it"),
        pytest.param("x<|im_end|> <|endoftext|>", "x", id="two"),
        pytest.param("x<|im_start|>assistant", "x", id="the header of a turn"),
        pytest.param("x[/INST]", "x", id="in square brackets"),
        pytest.param("</s>", "", id="nothing else"),
        pytest.param("<s>x</s>", "<s>x</s>", id="markup"),
        pytest.param("<|im_end|> x", "<|im_end|> x", id="not at the end"),
        pytest.param("x</b>", "x</b>", id="another tag"),
        pytest.param("x>", "x>", id="a sign"),
        pytest.param(f"x<|{40 * 'a'}|>", "x", id="a long one"),
        pytest.param(f"x<|{41 * 'a'}|>", f"x<|{41 * 'a'}|>", id="too long for one"),
        pytest.param("", "", id="empty"),
    ],
)
def test_tokens_at_the_end_go(line: str, kept: str) -> None:
    assert without_last_tokens(line) == kept


@table_of(
    ("line", "kept"),
    [
        pytest.param("x", "x", id="none"),
        pytest.param("<|im_end|> x", "x", id="a token"),
        pytest.param("<|im_start|>assistant x", "x", id="the header of a turn"),
        pytest.param("<s>[INST] x", "x", id="two"),
        pytest.param("x<|im_end|>", "x<|im_end|>", id="not at the start"),
    ],
)
def test_tokens_at_the_start_go(line: str, kept: str) -> None:
    assert without_leading_tokens(line) == kept


@table_of(
    ("text", "kept"),
    [
        pytest.param("a<|im_end|>b", "ab", id="a token"),
        pytest.param("a[/INST]b", "ab", id="in square brackets"),
        pytest.param("a `<|im_end|>` b", "a `<|im_end|>` b", id="one that is spoken of"),
        pytest.param("a\u200bb\ufeffc", "abc", id="what nobody sees"),
        pytest.param("a\u200db", "a\u200db", id="a joiner"),
        pytest.param("a\xa0b", "a b", id="a blank that does not break"),
    ],
)
def test_prose_is_cleaned(text: str, kept: str) -> None:
    assert cleaned(text) == kept


@table_of(
    ("text", "kept"),
    [
        pytest.param("grep<|im_end|>", "grep", id="a token"),
        pytest.param("grep[/INST]", "grep", id="in square brackets"),
        pytest.param("grep<|channel|>commentary", "grep", id="a channel"),
        pytest.param("grep<br>", "grep", id="a line break of HTML"),
        pytest.param("gr\u200bep\u200d", "grep", id="what nobody sees, and a joiner"),
        pytest.param("read\xa0file", "read file", id="a blank that does not break"),
        pytest.param("read\u2011file", "read-file", id="a hyphen that does not break"),
    ],
)
def test_a_name_is_cleaned(text: str, kept: str) -> None:
    assert cleaned_name(text) == kept


@table_of(
    ("text", "at"),
    [
        pytest.param("x<|im_end|>\n<|im_start|>user", 1, id="another turn"),
        pytest.param("x\n<|im_end|>\nHello", 2, id="more text"),
        pytest.param("x<|im_end|>", None, id="nothing behind it"),
        pytest.param("<|im_end|>\n<|im_start|>user", None, id="nothing before it"),
        pytest.param("x", None, id="no token"),
    ],
)
def test_sees_where_a_turn_ends(text: str, at: int | None) -> None:
    assert end_of_turn(text) == at


@table_of(
    ("line", "remnant"),
    [
        pytest.param("Observation:", True, id="the label"),
        pytest.param(" Observ ", True, id="a part of it"),
        pytest.param("Obs", True, id="three letters of it"),
        pytest.param("Ob", False, id="two are a word"),
        pytest.param("observ", False, id="another case"),
        pytest.param("Observations", False, id="another word"),
        pytest.param("</code>", True, id="a closing tag"),
        pytest.param("</b>", False, id="another tag"),
        pytest.param("", False, id="empty"),
    ],
)
def test_knows_what_is_left_of_a_stop(line: str, remnant: bool) -> None:
    assert is_remnant(line, "Observation") is remnant
