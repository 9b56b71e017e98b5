"""Real tools in a real workspace: what a model really gets to see when it goes round."""

from typing import Any

from check_rows import each_of
from replies import DONE, call

from react_agent.parsers.transcript.entries import Event
from react_agent.runs.report import Outcome
from react_agent.state.state import Stop


def patch(old: str, new: str, at: int = 10) -> str:
    return call(
        "apply_patch",
        "--- a/stopwatch/parsing.py\n+++ b/stopwatch/parsing.py\n"
        f"@@ -{at} +{at} @@\n-{old}\n+{new}\n",
    )


TOTAL = "    total = 0"
WRONG = "    totals = [0, 0, 0]"


def stuck_in(desk: Any) -> list[str]:
    return [one.text for one in desk.entries if isinstance(one, Event) and one.name == "stuck"]


REAL = {
    "a file that is not there": (
        [
            call("read_file", path)
            for path in (
                "stopwatch/zones.py",
                "./stopwatch/zones.py:1-40",
                "/repo/stopwatch/zones.py",
            )
        ],
        "reworded steps=1-3",
    ),
    "lines that the file does not hold": (
        [patch(WRONG, f"    totals = [{n}]", n) for n in (3, 12, 14)],
        "reworded steps=1-3",
    ),
    "a time that goes on": (
        [call("run", "python3 -c 'import time; print(f\"up {time.time() % 60:.6f} s\")'")] * 3,
        "again steps=1-3",
    ),
}


@each_of(("replies", "event"), REAL)
def test_it_is_seen(desk: Any, replies: list[str], event: str) -> None:
    desk.solve(*replies, DONE)
    assert stuck_in(desk) == [f"pattern={event} answer=hint"]


def test_tests_that_fail_as_before(demo_desk: Any) -> None:
    replies = [call("run_tests", "")]
    line = TOTAL
    for n in range(3):
        replies += [patch(line, f"{TOTAL}  # {n}", at=15), call("run_tests", "")]
        line = f"{TOTAL}  # {n}"
    outcome: Outcome = demo_desk.solve(*replies, DONE)
    assert stuck_in(demo_desk) == ["pattern=failing steps=1,3,5,7 answer=hint"]
    ids = {
        step.seen.facts.get("failing") for step in outcome.state.steps if step.tool == "run_tests"
    }
    assert ids == {"tests.test_parsing.TestParsing.test_a_space_before_the_unit"}
    (hint,) = (
        one.text for one in demo_desk.entries if isinstance(one, Event) and one.name == "hint"
    )
    assert hint.startswith(
        "after 3 rounds of edits the same tests fail in the same way: "
        "tests.test_parsing.TestParsing.test_a_space_before_the_unit. Your edits"
    )


def test_a_sound_run_gets_no_event(demo_desk: Any) -> None:
    """Parts of one file, a wrong path once, a wrong edit once, tests after each edit."""
    broken = patch(TOTAL, "    total = 1", at=15)
    mended = patch("    total = 1", "    total = 0", at=15)
    right = patch(
        'PART = re.compile(r"(\\d+)([hms]?)")', 'PART = re.compile(r"(\\d+) *([hms]?)")', at=7
    )
    outcome: Outcome = demo_desk.solve(
        call("run_tests", ""),
        call("read_file", "parsing.py"),
        call("read_file", "stopwatch/parsing.py:1-8"),
        call("read_file", "stopwatch/parsing.py:9-18"),
        call("grep", "PART"),
        broken,
        call("run_tests", ""),
        mended,
        call("run_tests", ""),
        right,
        call("run_tests", ""),
        call("run", "git diff"),
        DONE,
    )
    assert (stuck_in(demo_desk), outcome.stop) == ([], Stop.CONCLUDED)


def test_the_end_says_why(desk: Any) -> None:
    outcome: Outcome = desk.solve(*[call("read_file", "nosuch.py")] * 9)
    assert outcome.stop is Stop.STUCK
    report = outcome.folder.report.read_text(encoding="utf-8")
    assert "Ended as `stuck` (the same call with the same result: 6 times, steps 1-6)" in report
