"""The reasons why a run stops. Each stopped run has exactly one of them."""

from enum import StrEnum

from react_agent.parsers.transcript.entries import Event

REFUSES = "the model refuses to answer"  # the reason of a stop by the model, not by the endpoint


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
        """Whether the model itself ended the run. After any other stop, the run can be resumed."""
        return self in (Stop.CONCLUDED, Stop.GAVE_UP)


class Ending(StrEnum):
    """The problems that the result of a concluded run can have."""

    TESTS_FAILED = "tests_failed"  # they fail with the change only
    NO_CHANGE = "no_change"


def stop_event(stop: Stop, reason: str) -> Event:
    return Event("stop", f"{stop} {reason}".rstrip())
