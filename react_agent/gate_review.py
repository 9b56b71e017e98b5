"""A check of a Conclusion: the threads of a review that it says nothing to."""

from collections.abc import Iterator

from react_agent.address.threads import threads_of
from react_agent.gate_known import Known, listed
from react_agent.parsers.answers.labelled import read_answers
from react_agent.points import Fault


def threads(known: Known) -> Iterator[Fault]:
    wanted = threads_of(known.state.threads)
    answers = read_answers(known.state.conclusion, max(wanted, default=0))
    left = [f"thread {number}" for number in wanted if number not in answers]
    if left:
        yield Fault(
            f"no answer to {listed(left)}",
            "a line for each in the Conclusion, `Thread 1: what you did, or why not`",
        )
