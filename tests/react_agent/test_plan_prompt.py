"""What a plan costs: in a prompt, in time, and in what the compressor leaves for it."""

import time
from collections.abc import Callable, Iterator

import pytest
from check_rows import table_of

from react_agent.guards.means import Means
from react_agent.loop.guards import planned
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Profile
from react_agent.prompt.view import next_prompt, tail
from react_agent.state.state import State, fold

SHOWN = Event("prompt", "plan=yes hints=thinking,plan,failures,actions")
ALONE = estimate_tokens("Thought:")
LONG = "\n".join(f"{n:4}| a line of what was shown, number {n}" for n in range(60))


def step(tool: str, given: str, seen: str = "ok", **facts: str) -> Iterator[Entry]:
    kind = "plan" if tool.endswith("_task") else "read"
    yield Said(Turn(Kind.ACTION, "on", tool, given))
    yield Seen(seen, {"tool": tool, "kind": kind, "status": "ok", **facts})


def state_of(*steps: Iterator[Entry]) -> State:
    return fold((SHOWN, Objective("do it"), *(entry for one in steps for entry in one)))


@table_of(
    ("state", "steps"),
    [
        pytest.param(lambda: state_of(), 40, id="plan and hint"),
        pytest.param(
            lambda: state_of(step("add_task", "0\nnew"), step("modify_task", "0.0 doing")),
            40,
            id="with tasks",
        ),
        pytest.param(lambda: state_of(step("run", "x", running="1: sleep 9")), 40, id="background"),
        pytest.param(lambda: state_of(step("run", "x")), 3, id="few steps left"),
        pytest.param(lambda: fold((Objective("do it"),)), 40, id="nothing"),
    ],
)
def test_all_that_a_prompt_ends_with_is_weighed(state: Callable[[], State], steps: int) -> None:
    now = state()
    weight = next_prompt(now, 100, steps) - 100 - now.prompt_tokens
    assert abs(weight - (estimate_tokens(tail(now, steps - len(now.steps))) - ALONE)) <= 1
    assert bool(weight) is bool(now.shown)


def test_a_plan_of_500_tasks_costs_little_at_step_200() -> None:
    tasks = "\n".join(
        f"0\npart {part}\n" + "\n".join(f"- step {part}-{number}" for number in range(49))
        for part in range(3)
    )
    more = tasks.replace("part", "piece").replace("step", "stage")
    rest = more.replace("piece", "section").replace("stage", "stretch")
    reads = [step("read_file", str(number)) for number in range(190)]
    state = state_of(
        *(step("add_task", text) for text in (tasks, more, rest)),
        step("add_task", "0\nlast\n" + "\n".join(f"- end {number}" for number in range(49))),
        step("modify_task", "0.4.20 in_progress"),
        *reads,
    )
    assert state.plan is not None
    assert len(state.plan.tasks) == 501
    means = Means(Profile(), 0)
    costs = [
        _milliseconds(lambda: planned(state, means)),
        _milliseconds(lambda: tail(state, 40)),
        _milliseconds(lambda: [state.take(entry) for entry in step("modify_task", "0.5.1 done")]),
    ]
    assert max(costs) < 20  # a machine with much to do takes longer


def _milliseconds(done: Callable[[], object], times: int = 50) -> float:
    started = time.perf_counter()
    for _ in range(times):
        done()
    return (time.perf_counter() - started) * 1000 / times
