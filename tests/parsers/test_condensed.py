"""What is read of notes that a model wrote in place of steps, and what is left out of them."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers import condensed

HEADS = ("Steps 3-4:", "Step 5", "[6-9]", "\n", "\n\n", " ", "- ", "**", "1. ", "```", "`", ":")
OTHERS = ("Action:", "%%", "Thought:", "a", "b.py", "<think>", "</think>", "<|im_end|>", "[", "12")
PIECES = st.sampled_from((*HEADS, *OTHERS))


@given(st.lists(PIECES, max_size=20).map("".join))
def test_what_was_read_reads_the_same_once_it_is_written(answer: str) -> None:
    notes = condensed.read_condensed(answer, 3, 9)
    assert all("\n" not in note.text for note in notes)
    kept = [
        one
        for one in notes
        if [one] == condensed.read_condensed(condensed.write_condensed([one]), 3, 9)
    ]
    assert condensed.read_condensed(condensed.write_condensed(kept), 3, 9) == kept


@given(st.text())
def test_any_text_is_read(answer: str) -> None:
    assert all(3 <= note.first <= note.last <= 9 for note in condensed.read_condensed(answer, 3, 9))
