"""The text of a pull request: never long, whatever it is made of."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.issue_to_pr.change import Automatic
from react_agent.issue_to_pr.pull_request import MOST, Compared, Told, body
from react_agent.loop.steps import Step, whole
from react_agent.parsers.transcript.entries import Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn

LONG = "A word, <b>@somebody</b> and ünïcödé. " * 2000


def step(number: int, text: str) -> Step:
    return whole(number, Said(Turn(Kind.ACTION, text, "run", text)), Seen(text, {"status": "ok"}))


def test_it_is_short_without_the_steps() -> None:
    tests = [Compared(LONG, LONG[:120], LONG[:120])] * 50
    text = body(
        Told(LONG, LONG, LONG, tests, checks=[LONG] * 50, open=[LONG] * 50, closes="#12", number=12)
    )
    assert len(text.encode()) <= MOST
    assert text.endswith("\n\nFixes #12\n")


def test_what_runs_by_itself_is_never_cut_with_the_rest() -> None:
    runs = [Automatic(f"{'ü' * 300}/`{number}`.yml", "the forge runs it") for number in range(12)]
    tests = [Compared(LONG, LONG[:120], LONG[:120])] * 50
    text = body(Told(LONG, LONG, LONG, tests, automatic=runs, open=[LONG] * 50, closes="#12"))
    assert len(text.encode()) <= MOST
    for number in range(10):
        assert f"ü/`{number}`.yml``: the forge runs it\n" in text
    assert "\n- and 2 more files\n" in text
    assert "A word" in text


def test_the_steps_are_capped() -> None:
    text = body(Told("x", steps=[step(number, LONG[:4000]) for number in range(300)]))
    assert len(text) < 13_000
    assert "left out here" in text


def test_before_and_after() -> None:
    tests = [
        Compared("pytest", "1 failed", "2 passed"),
        Compared("tox", "", "passed"),
        Compared("x", "y"),
    ]
    assert body(Told("It was so.", tests=tests, closes="a/b#1")) == (
        "It was so.\n\n**Tested**\n\n"
        "- `pytest`: before: 1 failed; now: 2 passed\n"
        "- `tox`: now: passed\n"
        "- `x`: before: y; not run since the last change\n\n"
        "Fixes a/b#1\n"
    )


@given(st.text(), st.text())
def test_any_words_make_a_body(said: str, more: str) -> None:
    assert body(Told(said, more, more, steps=[step(1, said)])).endswith("</details>\n")
