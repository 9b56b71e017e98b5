"""The report of an experiment, as it stands on a screen."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from planted_records import experiment, printed, record
from rich.cells import cell_len

from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.report import report
from react_agent.eval.report.summary import table
from react_agent.eval.task import Kind, Verdict


def test_report() -> None:
    expected = Path(__file__).with_name("report.txt").read_text(encoding="utf-8")
    assert printed(report(experiment(), 80)) == expected


def test_issues_without_tests_are_neither_for_nor_against() -> None:
    ungraded = replace(record("clock-2"), verdict=Verdict.UNGRADED)
    text = printed(report(Experiment("trial", [record("clock-1"), ungraded]), 80))
    assert _section(text, "Resolved")[1] == (
        "plain    1 of 1  100.0 %  20.7 to 100.0 %  50.0 %            1"
    )
    assert _section(text, "Not judged: 1 attempt") == [
        "Their issues name no tests that a fix has to pass."
    ]


def test_attempts_that_asked_no_model_have_a_known_price() -> None:
    records = [record("clock-1"), record("clock-2", kind=Kind.ENDPOINT, steps=0)]
    text = printed(report(Experiment("trial", records), 80))
    assert "$0.05       $0.05         $0.05\n" in text
    assert "A + means" not in text


def test_several_tries() -> None:
    tries = [record("clock-1"), record("clock-1", 2), record("clock-2", kind=Kind.STUCK)]
    assert _section(printed(report(Experiment("trial", tries), 80)), "Resolved")[1:] == [
        "plain    2 of 3  66.7 %  10.4 to 97.2 %  66.7 %            0",
        "Tries of one instance are correlated, so the interval counts them as fewer.",
    ]


def test_of_many_attempts_of_a_kind_the_first_are_shown() -> None:
    told = Experiment("trial", [record(f"clock-{n}", kind=Kind.STUCK) for n in range(9)])
    heading = "Not resolved, with the step that shows why"
    few, every = (_section(printed(report(told, 80, most)), heading) for most in (2, None))
    assert few == [*every[:3], "  ... and 7 more (--all)"]
    assert len(every) == 10


def test_no_line_is_wider_than_the_screen() -> None:
    arms = ("plain", "no-hidden", "no-compressor", "no-backtrack", "no-hints", "no-apply_patch")
    records = [
        replace(one, key=replace(one.key, arm=arm)) for arm in arms for one in experiment().records
    ]
    for line in printed(report(Experiment("a trial of much" * 4, records), 60), 60).split("\n"):
        assert len(line) <= 60, line


def test_what_is_foreign_is_escaped() -> None:
    one = replace(
        record(
            "\x1b[2J\u202e-1", arm="\x1b]0;", kind=Kind.STUCK, calls={"\x1b[": 1}, wishes={"\r": 1}
        ),
        repo="\x07",
        stop="\x9b",
    )
    foreign = Experiment("\x1b", [one], {"\x1b": "\x1b"}, {"\x1b": "\x1b"}, Path("\x1b"))
    text = printed(report(foreign, 80))
    assert [character for character in text if character < " " and character != "\n"] == []
    assert not set("\x9b\u202e") & set(text)


def _section(text: str, heading: str) -> list[str]:
    return text.split(f"\n{heading}\n")[1].split("\n\n")[0].rstrip("\n").split("\n")


@given(
    st.lists(st.lists(st.text(max_size=30), min_size=4, max_size=4), min_size=1, max_size=5),
    st.integers(30, 120),
)
def test_no_line_of_a_table_is_wider_than_the_screen(rows: list[list[str]], columns: int) -> None:
    for line in printed(table(("", "a", "b", "c"), rows, columns), columns).split("\n"):
        assert cell_len(line) <= columns
