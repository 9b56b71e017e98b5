"""What the world answered: the only shape in which a tool, or its failure, reaches the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Status(StrEnum):
    OK = "ok"
    FAILED = "failed"
    EMPTY = "empty"  # it worked and there is nothing to show: never proof of absence


@dataclass(frozen=True, slots=True)
class Observation:
    text: str
    status: Status = Status.OK
    paths: tuple[str, ...] = ()  # files read or written, relative to the workspace
    scope: str = ""  # what was searched, for guards that doubt an empty answer
    facts: Mapping[str, str] = field(default_factory=dict)  # for the fold; the model sees none


def read_as(said: str, answer: Observation) -> Observation:
    """The answer to what was meant, when something else was written."""
    return replace(answer, text=f"[{said}]\n{answer.text}") if said else answer


def failed(text: str, *paths: str) -> Observation:
    return Observation(text, Status.FAILED, paths)
