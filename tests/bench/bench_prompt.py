"""What keeping a prompt short costs: tokens that an endpoint reads anew, and what gets lost.

Recorded runs, played under our policy and under those of others, without a model: our stage
`condense` asks none here, so it does nothing. Where a step needs a line that was taken out, a
step that looks at it again comes first, in every way. Then: how long it takes.
"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from beside import judge, least_seconds, loops, machine, share, tried
from recorded import LENGTHS, Recorded, recorded
from ways import CLASSIC, OURS, SYSTEM_TOKENS, WAYS, Cost, cost

from react_agent.guards.means import Means
from react_agent.loop.guards import GUARDS
from react_agent.parsers.transcript.entries import Objective
from react_agent.profiles.profile import Budget, Profile
from react_agent.prompt.view import next_prompt
from react_agent.state.state import State

WINDOWS = (8_000, 16_000, 32_000)
STEPS = 500
BAR_MS = 50
LOOPS = 5_000  # of the yardstick: about as long as what it stands beside
ROUNDS = 9
WIDTHS = {"fit": 5, "sent": 8, "new": 7, "cuts": 6, "again": 6, "held": 5, "back": 5}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(os.cpu_count()) as workers:
        runs = list(workers.map(partial(recorded, folder=Path(folder)), range(share(len(LENGTHS)))))
        steps = sum(len(run.made) for run in runs)
        print(f"Keeping a prompt short: {len(runs)} recorded runs of {steps:,} steps together\n")
        asked = [(way, window) for window in WINDOWS for way in WAYS]
        found = workers.map(partial(_cost, runs), *zip(*asked, strict=True))
        costs = dict(zip(asked, found, strict=True))
    missed = [_judged(window, {way: costs[way, window] for way in WAYS}) for window in WINDOWS]
    print(EXPLAINED)
    return int(any(missed) or tried(_speed, runs))


def _cost(runs: Sequence[Recorded], way: str, window: int) -> Cost:
    return cost(runs, WAYS[way], window)


EXPLAINED = """\
  fit     runs of which every prompt fits its window, with room for the reply
  sent    tokens in thousands; new: those behind what the prompt before began with
  cuts    how often something was taken out; again: looks at what had been
  held    facts of the first third that the last prompt shows; back: those that
          it shows or says how to get"""


def _judged(window: int, costs: Mapping[str, Cost]) -> int:
    print(_row(f"window {window:,}", tuple(WIDTHS)))
    for way, found in costs.items():
        print(_row(way, _figures(found)))
    ours = costs[OURS]
    rivals = [one.uncached for way, one in costs.items() if way != OURS and _keeps_all(one)]
    met = _keeps_all(ours) and all(ours.uncached < uncached for uncached in rivals)
    times = ours.uncached / costs[CLASSIC].uncached
    fewest = "the fewest new tokens of all that fit and lose no fact"
    return judge(met, f"{fewest} ({times:.1f} x classic)\n")


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:20}" + "".join(f"{c:>{w}}" for c, w in zip(cells, WIDTHS.values(), strict=True))


def _keeps_all(found: Cost) -> bool:
    return found.fit == found.runs and found.back == found.facts


def _figures(found: Cost) -> tuple[str, ...]:
    return (
        f"{found.fit}/{found.runs}",
        *(f"{tokens / 1000:,.0f}" for tokens in (found.sent, found.uncached)),
        f"{found.times}",
        f"{found.again}",
        *(f"{part / max(found.facts, 1):.0%}" for part in (found.held, found.back)),
    )


def _speed(runs: Sequence[Recorded]) -> int:
    """The guard, and what its events make of the state: all at once, the worst that can be."""
    states = iter([_long_state(runs, turn) for turn in range(ROUNDS + 1)])

    def compressed() -> None:
        state = next(states)
        budget = Budget(window=state.prompt_tokens // 2)
        profile, prompt = Profile(budget=budget), next_prompt(state, SYSTEM_TOKENS)
        means = Means(profile, prompt, SYSTEM_TOKENS, frozenset({"recall"}))
        events = GUARDS["compress"](state, means)
        for event in events:
            state.take(event)
        assert events

    taken, yardstick = least_seconds({"it": compressed, "yardstick": loops(LOOPS)}, ROUNDS).values()
    times = machine(yardstick, LOOPS)
    print(f"\n  compressing {STEPS} steps: {taken * 1000:.1f} ms, {taken / yardstick:.2f} loops")
    bar = f"{BAR_MS} ms, times {times:.1f} for the machine"
    return judge(taken * 1000 <= BAR_MS * times, f"the bar is {bar}")


def _long_state(runs: Sequence[Recorded], turn: int) -> State:
    """With texts of its own, so that nothing is known from an earlier turn."""
    state = State()
    state.take(Objective(runs[0].objective))
    made = [made.step for run in runs for made in run.made]
    for number in range(STEPS):
        step = made[number % len(made)]
        state.take(step.said)
        state.take(replace(step.seen, text=f"{step.seen.text}\n[{turn}]"))
    return state


if __name__ == "__main__":
    sys.exit(main())
