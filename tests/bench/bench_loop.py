"""What the loop itself costs a step, in CPU time, while the prompt grows: no model, no tool.

Beside it: putting a prompt of that length together and encoding it, which any client must do.
"""

import math
import sys
import tempfile
import time
from pathlib import Path

from beside import INTERPRETED_US, interpret
from looking import looking_agent

from react_agent.agent import run
from react_agent.guards import GUARDS
from react_agent.models.contract import Completion, Usage, View, Why
from react_agent.profile import Budget

STEPS = 800
AROUND = 50  # steps that a figure is the mean of
YARDSTICKS = 20  # loops a step
BUDGET = Budget(steps=STEPS, prompt_tokens=10**12, window=10**9, seconds=1e9)
BAR_MS = 2.0  # at step 200, with observations of 2 kB
BAR_EXPONENT = 1.0


def main() -> int:
    model = Instant()
    with tempfile.TemporaryDirectory() as folder:
        run(looking_agent(Path(folder), model, tuple(GUARDS.values()), BUDGET))
    steps = [then - left for left, then in zip(model.left, model.entered[1:], strict=False)]
    yardstick = [taken / YARDSTICKS * 1000 for taken in model.yardstick]  # a thousandth of it
    at_200, late = (_undisturbed(steps, yardstick, step) for step in (200, STEPS - AROUND))
    exponent = math.log(late / at_200) / math.log((STEPS - AROUND) / 200)
    print("The loop, CPU time a step (model and tool do nothing)")
    for step in (50, 200, 400, STEPS - AROUND):
        taken = _mean(steps, step)
        print(
            f"  step {step:4}  {taken * 1000:6.3f} ms"
            f"  {taken / _mean(model.joining, step):6.1f} x joining and encoding the prompt"
            f"  {taken / _mean(yardstick, step):.3f} x a thousand loops in Python"
        )
    met = at_200 <= BAR_MS and exponent <= BAR_EXPONENT
    print(
        f"  {'met' if met else 'MISSED'}: {at_200:.3f} ms at step 200 where a thousand loops take "
        f"{INTERPRETED_US} ms, the bar is {BAR_MS};"
        f" grows as steps^{exponent:.2f}, the bar is {BAR_EXPONENT}"
    )
    return int(not met)


def _undisturbed(steps: list[float], yardstick: list[float], step: int) -> float:
    return _mean(steps, step) / _mean(yardstick, step) * INTERPRETED_US


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
        for _ in range(YARDSTICKS):
            interpret()
        self.yardstick.append(time.process_time() - joined)
        text = f" one more look\nAction: look\nAction Input: function_{len(self.left)}\n"
        self.left.append(time.process_time())
        return Completion(text, Why.STOP, usage=Usage(1, 1))


def _mean(values: list[float], step: int) -> float:
    window = values[step - AROUND // 2 : step + AROUND // 2]
    return sum(window) / len(window)


if __name__ == "__main__":
    sys.exit(main())
