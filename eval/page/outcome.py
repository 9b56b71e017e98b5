"""What became of an attempt, in the few ways that the page tells apart."""

from enum import StrEnum

from react_agent.eval.record import Record
from react_agent.eval.verdict import Verdict


class Outcome(StrEnum):
    RESOLVED = "resolved"
    FAILED = "not resolved"
    LEFT_OUT = "left out"  # what surrounds the model failed
    UNGRADED = "not judged"

    @property
    def word(self) -> str:
        """As a class of the style sheet."""
        return self.name.lower().replace("_", "-")


JUDGED = (Outcome.RESOLVED, Outcome.FAILED)
UNRESOLVED = (Outcome.FAILED, Outcome.LEFT_OUT)  # what a reason is told of


def outcome(record: Record) -> Outcome:
    if record.is_resolved:
        return Outcome.RESOLVED
    if record.is_infrastructure:
        return Outcome.LEFT_OUT
    return Outcome.UNGRADED if record.verdict is Verdict.UNGRADED else Outcome.FAILED
