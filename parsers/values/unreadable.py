"""Text of a model's that could not be read: an answer, not an exception."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    reason: str  # shown to the model as a repair hint
