"""The result for a model's text that could not be read. It is returned, not raised."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    reason: str  # shown to the model as a repair hint
