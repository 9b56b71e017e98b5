"""What a tool may reach: the workspace, and how much it may take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    window_lines: int = 100  # lines of a file shown at once
    line_chars: int = 400  # a longer line is clipped around what matters, and counted
    result_lines: int = 60  # lines of a search or a listing
    output_chars: int = 8_000  # of any one Observation
    command_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Context:
    root: Path  # the workspace's work tree; every path of the model's is relative to it
    limits: Limits = Limits()
    environment: Mapping[str, str] = field(default_factory=dict)  # for commands; an allow-list
