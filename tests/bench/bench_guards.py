"""What each guard of the issue profile costs a step, around step 200 of a run.

Two runs: one that looks at something else in each step, and one in which all that the guards watch
for happens again and again. Nothing is compressed in them; `bench prompt` times that.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice

from beside import INTERPRETED_US, judge, loop_us
from looking import SEEN

from react_agent.guards.means import Means
from react_agent.loop.guards import GUARDS
from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget, Patience, Profile
from react_agent.profiles.profile_file import shipped
from react_agent.prompt.view import next_prompt
from react_agent.state.state import State

FIRST, LAST = 175, 225
ROUNDS = 3  # whole runs, of which the least disturbed counts for each step
LOOPS = 100  # of the yardstick, at each step
BAR_MS = 1.0
BUDGET = Budget(steps=10**6, prompt_tokens=10**12, window=10**9, seconds=1e9, overuse=2)
PATIENT = Patience(ladder=("hint", "demote"))  # so that the run goes on
PROFILE = Profile(budget=BUDGET, patience=PATIENT)
LOG = "FAILED t.py::test_{0} - assert {0} == 2\n1 failed, 20 passed in 0.{1}s"
Made = tuple[Said, Seen]
Steps = Callable[[int], Iterator[Made]]


def main() -> int:
    names = shipped("issue").guards
    runs = {"looking around": _looking, "going round": _going_round}
    missed = [
        _told(name, {one: _milliseconds(one, steps) for one in names})
        for name, steps in runs.items()
    ]
    return int(any(missed))


def _told(title: str, taken: dict[str, float]) -> bool:
    print(f"{title}, steps {FIRST} to {LAST}")
    for name, milliseconds in {**taken, "all of them": sum(taken.values())}.items():
        times = milliseconds * 1000 / INTERPRETED_US
        print(f"  {name:12} {milliseconds:7.3f} ms a step  {times:7.1f} x a loop in Python")
    worst = max(taken.values())
    return bool(judge(worst <= BAR_MS, f"{worst:.3f} ms, the bar is {BAR_MS} for each\n"))


def _milliseconds(name: str, steps: Steps) -> float:
    """On a core of the kind that the bars were set on, if nothing disturbs it: the mean step."""
    rounds = [_played(name, list(islice(steps(turn), LAST))) for turn in range(ROUNDS)]
    least = [min(each) for each in zip(*rounds, strict=True)]
    return sum(least) / len(least) * INTERPRETED_US / 1000


def _played(name: str, made: Sequence[Made]) -> list[float]:
    """What the guard takes at each step, in loops of the yardstick."""
    state, taken = State(), list[float]()
    state.take(Objective("mend the ranges"))
    guard = GUARDS[name]
    for number, entries in enumerate(made, 1):
        for entry in entries:
            state.take(entry)
        means = Means(PROFILE, next_prompt(state, 700), 700, remind=lambda thought, most: [])
        started = time.perf_counter()
        said = guard(state, means)
        seconds = time.perf_counter() - started
        for one in said:
            state.take(one)
        if number > FIRST:
            taken.append(seconds * 1e6 / loop_us(LOOPS))
    return taken


def _looking(turn: int) -> Iterator[Made]:
    """With texts of its own in each round, so that nothing is known from an earlier one."""
    for number in range(10**6):
        yield _made("look", f"function_{turn}_{number}", f"{turn}.{number}\n{SEEN}", kind="read")


def _going_round(turn: int) -> Iterator[Made]:
    texts = cycle(range(4))
    for number in range(10**6):
        again = next(texts) % 3
        tree = {"tree": f"{turn}{again}"}
        shown = f"{turn}.{again} at 12:00:{number % 60:02}\n{SEEN}"
        failed = LOG.format(turn, number)
        yield from (
            _made(
                "grep", f"word_{turn}(", f"nothing {turn} {number}", status="empty", kind="search"
            ),
            _made("run", f"make {turn}", shown, kind="run", **tree),
            _made("edit", f"{turn} {again}", f"wrote {turn}", kind="write", **tree),
            _made("run", f"pytest -q {turn}", failed, kind="run", status="failed", **tree),
            _made(
                "apply_patch",
                f"a.py\n-{turn}\n+{number}",
                f"no {number}",
                status="failed",
                kind="write",
            ),
            _made("think", f"{number}", "Noted.", kind="think"),
        )


def _made(tool: str, given: str, text: str, **facts: str) -> Made:
    turn = Turn(Kind.ACTION, "one more look", tool, given)
    return Said(turn), Seen(text, {"status": "ok", "tool": tool, **facts})


if __name__ == "__main__":
    sys.exit(main())
