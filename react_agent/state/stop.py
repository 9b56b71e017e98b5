"""The reasons why a run ended. Every ended run has one."""

from enum import StrEnum

from react_agent.parsers.transcript.entries import Event

REFUSES = "the model refuses to answer"  # the reason of a refusal; else the endpoint failed


class Stop(StrEnum):
    CONCLUDED = "concluded"
    GAVE_UP = "gave_up"
    OUT_OF_STEPS = "out_of_steps"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_TIME = "out_of_time"
    OUT_OF_MONEY = "out_of_money"
    STUCK = "stuck"
    MODEL_FAILED = "model_failed"
    INTERRUPTED = "interrupted"
    PROMPT_EXHAUSTED = "prompt_exhausted"

    @property
    def is_final(self) -> bool:
        """Return whether the model itself ended the run; any other run can be resumed."""
        return self in (Stop.CONCLUDED, Stop.GAVE_UP)


class Ending(StrEnum):
    """What is wrong with a run that has concluded."""

    TESTS_FAILED = "tests_failed"  # with the run's change, but not without it
    NO_CHANGE = "no_change"


def stop_event(stop: Stop, reason: str) -> Event:
    return Event("stop", f"{stop} {reason}".rstrip())
