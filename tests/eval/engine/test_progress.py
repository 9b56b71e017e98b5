"""What is shown while an experiment goes on."""

import io

from react_agent.cli.terminal.screen import console
from react_agent.eval.engine.runner import Job, Progress, Spent
from react_agent.eval.task import Key, Kind, Record, Used, Verdict

FIRST, SECOND, THIRD = (Key(f"o__r-{number}", "plain", 1) for number in (1, 2, 3))
RESOLVED = Record(FIRST, "o/r", Verdict.RESOLVED, used=Used(4, 1000, 200, cost=0.0125))
FAILED = Record(SECOND, "o/r", Verdict.UNRESOLVED, Kind.TESTS_FAIL, 7, used=Used(1, 1))
CRASHED = Record(THIRD, "o/r", Verdict.CRASHED, Kind.WORKER, is_infrastructure=True)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _progress() -> tuple[Progress, Clock, io.StringIO]:
    clock, out = Clock(), io.StringIO()
    progress = Progress(10, console(out), clock)
    progress.start([FAILED, CRASHED], Spent(500))
    return progress, clock, out


def _shown(progress: Progress) -> list[str]:
    return [line.plain for line in progress.shown()]


def test_tells_how_far_it_is_and_who_is_at_what() -> None:
    progress, clock, out = _progress()
    assert _shown(progress)[0] == "1/10 done  0 resolved  500 tokens"  # nothing to guess by
    progress.began(1, Job(FIRST, is_solved=False))
    progress.began(2, Job(Key("\x1b[2J" + "x" * 60, "plain", 1), is_solved=True))
    clock.now += 60
    progress.ended(1, RESOLVED, Spent(12_000, 1.5))
    progress.began(1, Job(THIRD, is_solved=False))
    assert _shown(progress) == [
        "2/10 done  1 resolved  12,000 tokens  1.50 $  8:00 to go",
        "  1  solving  o__r-3 plain 1",
        f"  2  judging  <U+001B>[2J{'x' * 60} plain 1",
        "not resolved: 1 edited, the tests fail",
    ]
    assert out.getvalue() == "2/10  o__r-1 plain 1: resolved, 4 steps, 1,200 tokens, 0.0125 $\n"


def test_a_line_says_what_became_of_it() -> None:
    progress, _, out = _progress()
    for record in (FAILED, CRASHED):
        progress.ended(1, record, Spent())
    assert out.getvalue() == (
        "2/10  o__r-2 plain 1: unresolved, edited, the tests fail (step 7), 1 step, 1 token\n"
        "3/10  o__r-3 plain 1: crashed, the worker died, 0 steps, 0 tokens\n"
    )
