"""What the world answered: the only shape in which a tool, or its failure, reaches the model."""

from dataclasses import dataclass
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


def failed(text: str, *paths: str) -> Observation:
    return Observation(text, Status.FAILED, paths)
