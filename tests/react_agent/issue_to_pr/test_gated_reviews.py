"""A run that answers a review, at its Conclusion."""

from dataclasses import replace
from typing import Any

from react_agent.guards.gate import refused
from react_agent.parsers.transcript.entries import Event
from react_agent.runs.solve import solve
from react_agent.state.state import Stop
from react_agent.testing import ScriptedModel

THREADS = (Event("thread", "n=1 key=a said=1"), Event("thread", "n=2 key=b said=1"))


def solved(desk: Any, *replies: str) -> Any:
    around = desk.around()
    model = ScriptedModel(replies)
    around = replace(around, open_model=lambda spec: model)
    return solve(desk.request(also=THREADS), around)


def test_is_refused_once_while_a_thread_has_no_answer(gated: Any) -> None:
    first = " look\nConclusion: Thread 1: it is right as it is."
    both = f"{first}\nThread 2: this, too."
    outcome = solved(gated, first, both)
    assert (outcome.stop, outcome.branch, outcome.is_success) == (Stop.CONCLUDED, "", True)
    step = refused(outcome.state)
    assert step is not None
    assert step.seen.text.split("\n")[:2] == [
        "Not accepted yet:",
        "- no answer to thread 2: a line for each in the Conclusion, "
        "`Thread 1: what you did, or why not`",
    ]
