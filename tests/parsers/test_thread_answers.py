"""What a Conclusion answers to the threads of a review, in the ways that models write it."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import read_answers

_LINE = st.text("ab .,", min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(st.integers(1, 9), _LINE, min_size=1))
def test_reads_back_what_it_writes(answers: dict[int, str]) -> None:
    written = "\n".join(f"Thread {number}: {text}" for number, text in answers.items())
    assert read_answers(written, 9) == answers


@given(st.text(), st.integers(1, 5))
def test_any_text_has_answers_or_none(text: str, count: int) -> None:
    assert set(read_answers(text, count)) <= set(range(1, count + 1))
