"""A run that answers a review, at its Conclusion."""

from typing import Any

from react_agent.guards.gate import refused
from react_agent.parsers.transcript.entries import Event
from react_agent.state.state import Stop

THREADS = (Event("thread", "n=1 key=a said=1"), Event("thread", "n=2 key=b said=1"))


def test_is_refused_once_while_a_thread_has_no_answer(gated: Any) -> None:
    first = " look\nConclusion: Thread 1: it is right as it is."
    outcome = gated.solve(first, f"{first}\nThread 2: this, too.", also=THREADS)
    assert (outcome.stop, outcome.branch, outcome.is_success) == (Stop.CONCLUDED, "", True)
    step = refused(outcome.state)
    assert step is not None
    assert step.seen.text.split("\n")[:2] == [
        "Not accepted yet:",
        "- no answer to thread 2: a line for each in the Conclusion, "
        "`Thread 1: what you did, or why not`",
    ]
