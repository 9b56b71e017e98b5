"""The report of an experiment, as it stands on a screen."""

from dataclasses import replace
from pathlib import Path

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from planted_records import experiment, printed, record
from rich.cells import cell_len

from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.report import report
from react_agent.eval.report.summary import table
from react_agent.eval.task import Kind, Verdict

REPORT = """\
trial: 4 instances and 2 arms, 8 attempts done, 1 not yet
set: bundled
react-agent: 0.1.0
plain: openai/gpt-6
no-hidden: openai/gpt-6, without hidden

Resolved
arm        resolved    rate   95 % interval  of all  not counted
plain        3 of 4  75.0 %  30.1 to 95.4 %  75.0 %            0
no-hidden    1 of 3  33.3 %   6.1 to 79.2 %  25.0 %            1
The rate leaves out what was not counted: failures of the endpoint, the machine
or react-agent, and issues without tests. `of all` counts them as not resolved.

What each is worth
arm        won  lost  points  95 % interval      p  tokens    cost
no-hidden    0     2   -66.7  -93.9 to +5.9  0.500  x 1.17  x 1.00
Each arm against plain, over attempts that were judged in both: attempts that
only the arm resolved (won), that only plain did (lost), the difference of the
rates in percentage points, and tokens and dollars of the arm as a multiple.
What was taken out is worth something where points are below 0, and the interval
with them.

What an attempt took
arm        steps  prompt  reply  cached  time   cost  total cost  per resolved
plain         10     40k     1k    75 %  60 s  $0.05       $0.20        $0.067
no-hidden     10     40k     1k    43 %  60 s  $0.05      $0.10+        $0.10+
The median of an attempt that was counted: steps, tokens of prompts and replies,
the share of prompts that was cached, time and cost. The total cost is that of
all attempts; `per resolved` divides it by those that were resolved.
A + means that the price of some attempts is unknown.

Why not
why                     plain  no-hidden
edited, the tests fail      1          1
went round                  -          1

Not resolved, with the step that shows why
edited, the tests fail: 2
  ledger-2 plain 1, step 2: 1 of 3 tests still fails:
    tests/test_units.py::test_long_names[minutes]
  clock-2 no-hidden 1, step 2: 1 of 3 tests still fails:
    tests/test_units.py::test_long_names[minutes]
went round: 1
  ledger-1 no-hidden 1, step 2: the same grep 5 times<U+001B>[2J

Not counted: 1 attempt
Failures of the endpoint, the machine or react-agent itself. They are not
counted for or against the model; `eval resume` tries them again.
the endpoint failed: 1
  ledger-2 no-hidden 1: 503 Service Unavailable

How runs ended
             plain  no-hidden
concluded        4          2
stuck            -          1
(broke off)      -          1

What happened during the attempts
                plain  no-hidden
repaired steps      4          2

Calls of each tool
           plain  no-hidden
read_file     24         12
grep          12          6

Calls that failed
      plain  no-hidden
grep      4          2

Hidden tools that answered
           plain  no-hidden
cat alias      8          4

Calls to tools that do not exist
            plain  no-hidden
web_search      4          2

Tokens of all prompts, by what they were for
              plain  no-hidden
observations  12000       6000
instructions   4000       2000
"""


def test_report() -> None:
    assert printed(report(experiment(), 80)) == REPORT


def test_issues_without_tests_are_neither_for_nor_against() -> None:
    ungraded = replace(record("clock-2"), verdict=Verdict.UNGRADED)
    text = printed(report(Experiment("trial", [record("clock-1"), ungraded]), 80))
    assert _section(text, "Resolved")[1] == (
        "plain    1 of 1  100.0 %  20.7 to 100.0 %  50.0 %            1"
    )
    assert _section(text, "Not judged: 1 attempt") == [
        "Their issues name no tests that a fix has to pass."
    ]


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
    told = Experiment("a trial of much" * 4, records)
    for line in printed(report(told, 60), 60).split("\n"):
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


@table_of(
    ("rows", "columns", "expected"),
    {
        "fits": ([["a", "1", "22"]], 20, "arm  of  all\na     1   22\n"),
        "goes on below": ([["a", "1", "22"]], 9, "arm  of\na     1\n\narm  all\na     22\n"),
        "nothing is obeyed": (
            [["\x1b[2Ja\nb", "1", "2"]],
            30,
            "arm             of  all\n<U+001B>[2Ja b   1    2\n",
        ),
        "wide letters": ([["日本", "1", "2"]], 30, "arm   of  all\n日本   1    2\n"),
    },
)
def test_table(rows: list[list[str]], columns: int, expected: str) -> None:
    assert printed(table(["arm", "of", "all"], rows, columns), columns) == expected


@given(
    st.lists(st.lists(st.text(max_size=30), min_size=4, max_size=4), min_size=1, max_size=5),
    st.integers(30, 120),
)
def test_no_line_of_a_table_is_wider_than_the_screen(rows: list[list[str]], columns: int) -> None:
    for line in printed(table(("", "a", "b", "c"), rows, columns), columns).split("\n"):
        assert cell_len(line) <= columns
