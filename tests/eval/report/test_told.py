"""The report of an experiment, as it stands on a screen."""

from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import table_of
from planted_records import experiment, record, transcript

from react_agent.eval.report.experiment import Experiment, link
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.report.told import report
from react_agent.eval.task import Kind, Verdict


def _told(told: Experiment, columns: int = 80, most: int | None = 5) -> str:
    return "\n".join(line.plain for line in report(told, columns, most)) + "\n"


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
or ourselves, and issues without tests. `of all` counts them as not resolved.

What each is worth
arm        won  lost  points  95 % interval      p  tokens    cost
no-hidden    0     2   -66.7  -93.9 to +5.9  0.500  x 1.17  x 1.00
Each arm against plain, over attempts that were judged in both: attempts that
only the arm resolved (won), that only plain did (lost), the difference of the
rates in percentage points, and tokens and dollars of the arm as a multiple.
What was taken out is worth something where points are below 0, and the interval
with them.

What an attempt took: the median of those that were not left out
arm        steps  prompt  cached  reply     cost  seconds
plain         10  40,000    75 %  1,000  $0.0500       60
no-hidden     10  40,000    43 %  1,000  $0.0500       60

What all of them took together
arm        steps   prompt  cached  reply      cost  seconds  each resolved
plain         40  160,000    75 %  4,000   $0.2000      240        $0.0667
no-hidden     40  140,000    43 %  3,500  $0.1000+      120       $0.1000+
`prompt` and `reply` are tokens; `cached` is the share of the prompts'.
A + stands where no price is known for some attempts.

Resolved, by repository
repository    plain  no-hidden
demo/clock   2 of 2     1 of 2
demo/ledger  1 of 2     0 of 1

Verdicts
verdict     plain  no-hidden
resolved        3          1
unresolved      1          1
no_patch        -          1
crashed         -          1

Why not
why                     plain  no-hidden
edited, the tests fail      1          1
went round                  -          1

Not resolved, attempt by attempt, with the step that shows why
edited, the tests fail: 2
  ledger-2 plain 1, step 2: 1 of 3 tests still fails:
    tests/test_units.py::test_long_names[minutes]
  clock-2 no-hidden 1, step 2: 1 of 3 tests still fails:
    tests/test_units.py::test_long_names[minutes]
went round: 1
  ledger-1 no-hidden 1, step 2: the same grep 5 times<U+001B>[2J

Not counted: 1 attempt
Failures of what surrounds the model. They count neither for nor against it, and
a resume tries them again.
the endpoint failed: 1
  ledger-2 no-hidden 1: 503 Service Unavailable

How runs ended
end          plain  no-hidden
concluded        4          2
stuck            -          1
(broke off)      -          1

What happened on the way, and in how many attempts
                           plain  no-hidden
calls of tools           36 in 4    18 in 2
of these, failed          4 in 4     2 in 2
answers of hidden tools   8 in 4     4 in 2
wishes: no such tool      4 in 4     2 in 2
steps that were mended    4 in 4     2 in 2
unreadable replies             -          -
compressions                   -          -
backtracks                     -          -
steps taken back               -          -
told to be stuck               -          -

Calls of each tool (of these, failed)
tool        plain  no-hidden
read_file      24         12
grep       12 (4)      6 (2)

Hidden tools that answered
name       plain  no-hidden
cat alias      8          4

Tools that were wished for
name        plain  no-hidden
web_search      4          2

What the tokens of all prompts were for
part          plain  no-hidden
instructions   25 %       25 %
observations   75 %       75 %
"""


def test_report() -> None:
    assert _told(experiment()) == REPORT


def test_a_link_is_the_line_where_the_step_begins(tmp_path: Path) -> None:
    (tmp_path / "transcript.txt").write_text(transcript(3))
    failed = replace(record("clock-1", kind=Kind.TESTS_FAIL), folder=tmp_path)
    lines = (tmp_path / "transcript.txt").read_text().split("\n")
    found = {
        step: [line.plain for line in link(replace(failed, step=step), tmp_path, "> ")]
        for step in (0, 1, 2, 3, 9)
    }
    assert found == {
        0: ["> transcript.txt"],
        1: ["> transcript.txt:5"],
        2: ["> transcript.txt:12"],
        3: ["> transcript.txt:19"],
        9: ["> transcript.txt:1"],
    }
    assert [lines[number - 1] for number in (5, 12, 19)] == ["Thought: Look."] * 3


def test_there_is_no_link_to_a_file_that_there_is_not(tmp_path: Path) -> None:
    assert link(replace(record("clock-1"), folder=tmp_path), None, "") == []


def test_nothing_done_is_no_score() -> None:
    with pytest.raises(EmptyScore, match=r"^nothing of trial is done: there is no score$"):
        _told(Experiment("trial", ()))


def test_where_nothing_was_judged_it_says_why_and_gives_no_score() -> None:
    said: list[str] = []
    failed = [record("clock-1", kind=Kind.ENDPOINT)]
    with pytest.raises(EmptyScore, match=r"^no attempt of trial was judged: there is no score$"):
        said.extend(line.plain for line in report(Experiment("trial", failed), 80))
    assert said == [
        "trial: 1 instance and 1 arm, 1 attempt done",
        "",
        "Not counted: 1 attempt",
        "Failures of what surrounds the model. They count neither for nor against it, and",
        "a resume tries them again.",
        "the endpoint failed: 1",
        "  clock-1 plain 1: 503 Service Unavailable",
    ]


def test_issues_without_tests_are_neither_for_nor_against() -> None:
    ungraded = replace(record("clock-2"), verdict=Verdict.UNGRADED)
    text = _told(Experiment("trial", [record("clock-1"), ungraded]))
    assert _section(text, "Resolved") == [
        "arm    resolved     rate    95 % interval  of all  not counted",
        "plain    1 of 1  100.0 %  20.7 to 100.0 %  50.0 %            1",
        "The rate leaves out what was not counted: failures of the endpoint, the machine",
        "or ourselves, and issues without tests. `of all` counts them as not resolved.",
    ]
    assert _section(text, "Not judged: 1 attempt") == [
        "Their issues name no tests that a fix has to pass."
    ]


def test_several_tries() -> None:
    kinds = {
        "clock-1": (None, None, None),
        "clock-2": (None, Kind.TESTS_FAIL, Kind.TESTS_FAIL),
        "clock-3": (Kind.STUCK, Kind.STUCK, Kind.ENDPOINT),
    }
    tries = [
        record(instance, number, kind=kind)
        for instance, found in kinds.items()
        for number, kind in enumerate(found, start=1)
    ]
    text = _told(Experiment("trial", tries))
    assert _section(text, "Resolved by one of k tries (pass@k)")[:4] == [
        "arm    k   pass@k    95 % interval  instances",
        "plain  1   44.4 %   10.2 to 84.9 %          3",
        "plain  2   55.6 %   15.1 to 89.8 %          3",
        "plain  3  100.0 %  34.2 to 100.0 %          2",
    ]


def test_of_many_attempts_of_a_kind_the_first_are_shown() -> None:
    failed = [record(f"clock-{number}", kind=Kind.STUCK) for number in range(9)]
    told = Experiment("trial", failed)
    heading = "Not resolved, attempt by attempt, with the step that shows why"
    few, every = (_section(_told(told, most=most), heading) for most in (2, None))
    assert few == [*every[:3], "  ... and 7 more (--all)"]
    assert len(every) == 10


@table_of("columns", [60, 80, 120])
def test_no_line_is_wider_than_the_screen(columns: int) -> None:
    arms = ("plain", "no-hidden", "no-compressor", "no-backtrack", "no-hints", "no-apply_patch")
    records = [
        replace(one, key=replace(one.key, arm=arm)) for arm in arms for one in experiment().records
    ]
    for line in report(Experiment("a trial of much" * 4, records), columns):
        assert line.cell_len <= columns, line.plain


def test_what_is_foreign_is_escaped() -> None:
    one = replace(
        record(
            "\x1b[2J\u202e-1", arm="\x1b]0;", kind=Kind.STUCK, calls={"\x1b[": 1}, wishes={"\r": 1}
        ),
        repo="\x07",
        stop="\x9b",
    )
    others = [replace(one, repo="other"), one]
    text = _told(Experiment("\x1b", others, {"\x1b": "\x1b"}, {"\x1b": "\x1b"}, Path("\x1b")))
    assert [character for character in text if character < " " and character != "\n"] == []
    assert not set("\x9b\u202e") & set(text)


def _section(text: str, heading: str) -> list[str]:
    return text.split(f"\n{heading}\n")[1].split("\n\n")[0].rstrip("\n").split("\n")
