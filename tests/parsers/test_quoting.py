from check_rows import table_of
from fuzz_words import NASTY_LINES
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.labels import BOOKKEEPING, generous, strict
from react_agent.parsers.transcript.quoting import (
    escape,
    quote_lines,
    quote_own,
    quote_world,
    unescape,
    unquote_own,
    unquote_world,
)

lines = st.sampled_from(NASTY_LINES) | st.text(st.characters(), max_size=20)
texts = st.lists(lines, max_size=8).map("\n".join)


@table_of(
    ("line", "written"),
    {
        "what is seen": ("plain, ä, 漢, 👩‍👧, \ttab", "plain, ä, 漢, 👩‍👧, \ttab"),
        "line ends of others": ("\x85\u2028\u2029", "<U+0085><U+2028><U+2029>"),
        "lone surrogates": ("\ud800\udcff", "<U+D800><U+DCFF>"),
        "bidirectional": ("a\u202eb\u2066\u061c", "a<U+202E>b<U+2066><U+061C>"),
        "no width": ("pass\u200bword\xad", "pass<U+200B>word<U+00AD>"),
        "a joiner that joins nothing": ("pass\u200dword", "pass<U+200D>word"),
        "at the ends": ("\u200cنص\u200c", "<U+200C>نص<U+200C>"),
        "a joiner at home": ("می\u200cخواهم", "می\u200cخواهم"),
        "emoji": ("❤️\u200d🔥 1\ufe0f\u20e3", "❤️\u200d🔥 1\ufe0f\u20e3"),
        "bytes as variants": ("a\ufe0f❤\ufe0f\ufe00\ufe01", "a<U+FE0F>❤\ufe0f<U+FE00><U+FE01>"),
        "a flood of marks": ("a" + "\u0301" * 7, "a" + "\u0301" * 5 + "<U+0301><U+0301>"),
        "marks at home": ("Việt, שָׁלוֹם", "Việt, שָׁלוֹם"),
        "our own form": ("<U+000C>", "<U+003C>U+000C>"),
        "not quite ours": ("<U+00c>, <U+000c>, <U+C>", "<U+00c>, <U+000c>, <U+C>"),
    },
)
def test_makes_visible_what_is_hidden(line: str, written: str) -> None:
    assert (escape(line), unescape(written)) == (written, line)


def test_a_number_that_is_no_character_stays() -> None:
    assert unescape("<U+1FFFFF>") == "<U+1FFFFF>"


@table_of(
    ("text", "world", "own"),
    {
        "the first line has its label": ("Action: x", "Action: x", "Action: x"),
        "label": ("\nAction: x", "\n\\Action: x", "\n\\Action: x"),
        "indented line": ("\n action: x", "\n action: x", "\n action: x"),
        "hidden": ("\n\u200bAction: x", "\n\\<U+200B>Action: x", "\n<U+200B>Action: x"),
        "no label": ("\nInput: x", "\nInput: x", "\nInput: x"),
        "bookkeeping": ("\n%% x", "\n\\%% x", "\n\\%% x"),
        "CR": ("a\rAction: x", "a<U+000D>Action: x", "a<U+000D>Action: x"),
    },
)
def test_quotes(text: str, world: str, own: str) -> None:
    assert (quote_world(text), quote_own(text)) == (world, own)
    assert (unquote_world(world), unquote_own(own)) == (text, text)


@given(texts)
def test_quoting_is_undone(text: str) -> None:
    assert unquote_world(quote_world(text)) == text
    assert unquote_own(quote_own(text)) == text


@given(texts, st.sampled_from(["", " ", "\\", "\\\\"]))
def test_no_line_of_the_world_reads_as_a_label(text: str, before: str) -> None:
    _, *others = quote_world(f"\n{before}{text}").split("\n")
    assert [line for line in others if generous(line) or line.startswith(BOOKKEEPING)] == []


@given(texts, st.sampled_from(["", " ", "\\", "\\\\"]))
def test_no_line_of_the_model_reads_as_a_label_of_the_file(text: str, before: str) -> None:
    _, *others = quote_own(f"\n{before}{text}").split("\n")
    assert [line for line in others if strict(line) or line.startswith(BOOKKEEPING)] == []


@given(texts)
def test_lines_are_the_same_to_every_reader(text: str) -> None:
    for quoted in (quote_world(text), quote_own(text)):
        assert f"{quoted}.".splitlines() == f"{quoted}.".split("\n")
        assert quoted.encode().decode() == quoted


@given(st.text())
def test_any_text_can_be_unquoted(text: str) -> None:
    assert unquote_world(text).count("\n") >= text.count("\n")
    assert unquote_own(text).count("\n") >= text.count("\n")


def test_no_line_is_a_label_where_none_stands_before_the_text() -> None:
    assert quote_lines("Action: x\n%% y\nz") == "\\Action: x\n\\%% y\nz"
