"""What a plan and hints cost in a prompt."""

from collections.abc import Callable, Iterator

from check_rows import table_of

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import next_prompt, tail
from react_agent.state.state import State, fold

SHOWN = Event("prompt", "plan=yes hints=thinking,plan,failures,actions")
ALONE = estimate_tokens("Thought:")


def step(tool: str, given: str, seen: str = "ok", **facts: str) -> Iterator[Entry]:
    kind = "plan" if tool.endswith("_task") else "read"
    yield Said(Turn(Kind.ACTION, "on", tool, given))
    yield Seen(seen, {"tool": tool, "kind": kind, "status": "ok", **facts})


def state_of(*steps: Iterator[Entry]) -> State:
    return fold((SHOWN, Objective("do it"), *(entry for one in steps for entry in one)))


@table_of(
    ("state", "steps"),
    {
        "plan and hint": (lambda: state_of(), 40),
        "with tasks": (
            lambda: state_of(step("add_task", "0\nnew"), step("modify_task", "0.0 doing")),
            40,
        ),
        "background": (lambda: state_of(step("run", "x", running="1: sleep 9")), 40),
        "few steps left": (lambda: state_of(step("run", "x")), 3),
        "nothing": (lambda: fold((Objective("do it"),)), 40),
    },
)
def test_all_that_a_prompt_ends_with_is_weighed(state: Callable[[], State], steps: int) -> None:
    now = state()
    weight = next_prompt(now, 100, steps) - 100 - now.prompt_tokens
    assert abs(weight - (estimate_tokens(tail(now, steps - len(now.steps))) - ALONE)) <= 1
    assert bool(weight) is bool(now.shown)
