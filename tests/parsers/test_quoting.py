from fuzz_words import NASTY_LINES
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.labels import BOOKKEEPING, generous, strict
from react_agent.parsers.transcript.quoting import (
    quote_own,
    quote_world,
    unquote_own,
    unquote_world,
)

lines = st.sampled_from(NASTY_LINES) | st.text(st.characters(), max_size=20)
texts = st.lists(lines, max_size=8).map("\n".join)


@given(texts)
def test_quoting_is_undone(text: str) -> None:
    assert unquote_world(quote_world(text)) == text
    assert unquote_own(quote_own(text)) == text


@given(texts, st.sampled_from(["", " ", "\\", "\\\\"]))
def test_no_line_of_the_world_reads_as_a_label(text: str, before: str) -> None:
    _, *others = quote_world(f"\n{before}{text}").split("\n")
    assert [line for line in others if generous(line) or line.startswith(BOOKKEEPING)] == []


def test_our_own_files_are_full_of_labels_and_none_is_live(sources: dict[str, str]) -> None:
    text = "\n".join(text for text in sources.values() if "Observation" in text)
    _, *others = quote_world(f"\n{text}").split("\n")
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
