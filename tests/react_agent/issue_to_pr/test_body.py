"""The text of a pull request: never long, whatever it is made of."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.issue_to_pr.pull_request import MOST, MOST_LINES, Told, body
from react_agent.parsers.answers.labelled import PullWords

LONG = "A word, <b>@somebody</b> and ünïcödé.\n\n" * 2000
MANY = [LONG] * 50
WORDS = PullWords(problem=LONG, change=LONG, uncertain=LONG)
LINES = ["`tests: 5 passed`", "run in a fresh checkout: `pytest`"]


def test_it_is_short() -> None:
    text = body(Told(WORDS, LINES, checks=MANY, open=MANY, closes="#12", number=12))
    assert len(text.encode()) <= MOST
    assert text.count("\n") <= MOST_LINES
    assert text.endswith("\n\nFixes #12\n")


def test_what_runs_by_itself_is_never_cut_with_the_rest() -> None:
    runs = {f"{'ü' * 300}/`{number}`.yml": "the forge runs it" for number in range(12)}
    text = body(Told(WORDS, LINES, automatic=runs, open=MANY, closes="#12"))
    assert len(text.encode()) <= MOST
    assert text.count("\n") <= MOST_LINES
    for number in range(10):
        assert f"ü/`{number}`.yml``: the forge runs it\n" in text
    assert "\n- and 2 more files\n" in text
    assert "A word" in text


@given(st.text(), st.text())
def test_any_words_make_a_body(said: str, more: str) -> None:
    text = body(Told(PullWords(problem=said, change=more, uncertain=more), LINES, closes="a/b#1"))
    assert text.endswith("Fixes a/b#1\n")
    assert text.count("\n") <= MOST_LINES
