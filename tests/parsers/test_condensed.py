"""What is read of notes that a model wrote in place of steps, and what is left out of them."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers import condensed

NOTE = condensed.Condensed(3, 7, "It looked.")
FENCED = "```text\nSteps 3-7: It looked.\n```"
THINKING = "<think>\nSteps 3-5: perhaps?\n</think>\nSteps 3-7: It looked."


@table_of(
    "answer",
    [
        pytest.param("**Steps 3-7**: It looked.", id="bold, the colon outside"),
        pytest.param("1. **Steps 3–7**: It looked.", id="a numbered list"),
        pytest.param("Thought: Steps 3-7: It looked.", id="behind a label"),
        pytest.param("Steps 3-7: Thought: It looked.", id="a label in between"),
        pytest.param(FENCED, id="a fence"),
        pytest.param(THINKING, id="reasoning"),
        pytest.param("it looks so\n</think>\nSteps 3-7: It looked.", id="reasoning left open"),
        pytest.param("Steps 3-7: It **looked**.<|im_end|>", id="a token"),
        pytest.param("Steps 3-7: It looked.\n%% stop: now", id="bookkeeping behind it"),
        pytest.param("Steps 1-2: before\nSteps 3-7: It looked.", id="one outside before it"),
        pytest.param("Steps 3-7: It looked.\nSteps 5-8: again", id="one that overlaps"),
    ],
)
def test_a_note_is_read(answer: str) -> None:
    assert condensed.read_condensed(answer, 3, 9) == [NOTE]


@table_of(
    "answer",
    [
        pytest.param("Thought: I look\nAction: grep\nAction Input: x", id="a turn"),
        pytest.param("Steps 3-7: Action: grep", id="a label for a note"),
        pytest.param("Step 3 fails 12 tests.", id="a sentence that begins like a head"),
        pytest.param("<think>Steps 3-7: It looked.", id="reasoning alone"),
    ],
)
def test_what_is_no_note_is_none(answer: str) -> None:
    assert condensed.read_condensed(answer, 3, 12) == []


def test_notes_that_follow_each_other_are_all_read() -> None:
    answer = "Steps 3-4: one\nStep 5: two\n\nSteps 6-9:\nthree\n"
    notes = [
        condensed.Condensed(3, 4, "one"),
        condensed.Condensed(5, 5, "two"),
        condensed.Condensed(6, 9, "three"),
    ]
    assert condensed.read_condensed(answer, 3, 9) == notes


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


SOURCE = condensed.Source("""\
I look for parse_date in src/dates.py, lines 40 to 44.
class DateParser: raise ValueError("bad date 2024-13-01") # sha256, e.g. and or
tests/test_dates.py::test_leap failed; `git log --oneline`; version 3.12; update.py
""")


@table_of(
    "sentence",
    [
        "It looked for `parse_date()` in src/dates.py.",
        "parse_date's body is at dates.py:40.",
        "`git log` shows it, e.g. and/or the sha256.",
        "There were 3 of them, i.e. the 1st, 2nd and 4th.",
        "The dates.py-like update.py is left.",
    ],
)
def test_a_sentence_with_names_of_the_source_stays(sentence: str) -> None:
    assert condensed.without_invented(sentence, SOURCE) == sentence


@table_of(
    "sentence",
    [
        pytest.param("It is in date.py.", id="the end of another file's name"),
        pytest.param("It raises HTTPError.", id="a name that begins in capitals"),
        pytest.param("It is line 45.", id="a number"),
        pytest.param("It ran `pytest`.", id="in backticks"),
    ],
)
def test_a_sentence_with_an_invented_name_goes(sentence: str) -> None:
    said = f"It looked. {sentence} It stopped."
    assert condensed.without_invented(said, SOURCE) == "It looked. It stopped."
