"""What the loop itself costs a step, in CPU time, while the prompt grows: no model, no tool.

Beside it: putting a prompt of that length together and encoding it, which any client must do.
"""

import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

from beside import INTERPRETED_US, judge, loop_us, slower, tried
from looking import looking_agent

from react_agent.loop.agent import run
from react_agent.loop.guards import GUARDS
from react_agent.models.contract import Completion, Usage, View, Why
from react_agent.profiles.profile import Budget
from react_agent.profiles.profile_file import shipped

STEPS = 800
AROUND = 50  # steps that a figure is the median of
YARDSTICKS = 20  # loops a step
BUDGET = Budget(steps=STEPS, prompt_tokens=10**12, window=10**9, seconds=1e9)
BAR_MS = 2.0  # at step 200, with observations of 2 kB
BAR_EXPONENT = 1.0


def main() -> int:
    print("The loop, CPU time a step (model and tool do nothing)")
    return tried(_played)


def _played() -> int:
    model = Instant()
    with tempfile.TemporaryDirectory() as folder:
        guards = tuple(GUARDS[name] for name in shipped("issue").guards)
        run(looking_agent(Path(folder), model, guards, BUDGET))
    steps = [then - left for left, then in zip(model.left, model.entered[1:], strict=False)]
    pairs = list(zip(steps, model.yardstick, strict=False))
    undisturbed = [taken / slower(loop * 1e6) for taken, loop in pairs]
    at_200, late = (_typical(undisturbed, step) * 1000 for step in (200, STEPS - AROUND))
    exponent = math.log(late / at_200) / math.log((STEPS - AROUND) / 200)
    for step in (50, 200, 400, STEPS - AROUND):
        taken = _typical(steps, step)
        print(
            f"  step {step:4}  {taken * 1000:6.3f} ms"
            f"  {taken / _typical(model.joining, step):6.1f} x joining and encoding the prompt"
            f"  {taken / _typical(model.yardstick, step) / 1000:.3f} x a thousand loops in Python"
        )
    met = at_200 <= BAR_MS and exponent <= BAR_EXPONENT
    return judge(
        met,
        f"{at_200:.3f} ms at step 200 if a thousand loops take "
        f"{INTERPRETED_US} ms or less, the bar is {BAR_MS};"
        f" grows as steps^{exponent:.2f}, the bar is {BAR_EXPONENT}",
    )


class Instant:
    """A model that answers at once, and notes when it was asked."""

    def __init__(self) -> None:
        self.entered: list[float] = []  # a step ends where this one is asked
        self.left: list[float] = []
        self.joining: list[float] = []
        self.yardstick: list[float] = []

    def complete(self, view: View, **options: object) -> Completion:
        self.entered.append(time.process_time())
        view.text.encode()
        joined = time.process_time()
        self.joining.append(joined - self.entered[-1])
        self.yardstick.append(loop_us(YARDSTICKS, time.process_time) / 1e6)
        text = f" one more look\nAction: look\nAction Input: function_{len(self.left)}\n"
        self.left.append(time.process_time())
        return Completion(text, Why.STOP, usage=Usage(1, 1))


def _typical(values: list[float], step: int) -> float:
    return statistics.median(values[step - AROUND // 2 : step + AROUND // 2])


if __name__ == "__main__":
    sys.exit(main())
