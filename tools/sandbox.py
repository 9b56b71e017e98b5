"""What a command is started in: a function from its argv, and the folder it runs in, to an argv."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

Sandbox: TypeAlias = Callable[[Sequence[str], Path], list[str]]


def unconfined(argv: Sequence[str], cwd: Path) -> list[str]:
    return list(argv)
