"""What a model says of its change: read as it is asked for, and in many other ways."""

from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import PullWords, read_pull_words


def _written(words: PullWords) -> str:
    return "\n".join(f"{name.capitalize()}: {text}" for name, text in asdict(words).items())


line = (
    st.text(alphabet="abc XYZ`.()'", min_size=1).map(str.strip).filter(lambda one: one.strip("`. "))
)


@given(st.builds(PullWords, line.map(lambda one: f"a{one}b"), st.just("fix"), line, line, line))
def test_reads_back_what_it_writes(words: PullWords) -> None:
    assert read_pull_words(_written(words)) == words


@given(st.text())
def test_any_text_is_an_answer(text: str) -> None:
    words = read_pull_words(text)
    assert "\n" not in words.subject
    assert len(words.problem) <= 2600
