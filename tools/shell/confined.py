"""Programs that are not ours: the model's commands, the repository's own, and what looks at them.

All of them go through here: in the run's sandbox, with its environment, watched by a keeper.
"""

from collections.abc import Sequence
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.shell import process

_KEPT_BYTES = 200_000


def run(
    argv: Sequence[str],
    context: Context,
    *,
    timeout_s: float,
    cwd: Path | None = None,
    keep_bytes: int = _KEPT_BYTES,
) -> process.Done:
    """In the root, if no other folder is named. Raises CannotStart."""
    place = cwd or context.root
    return process.run(
        context.sandbox(argv, place),
        cwd=place,
        env=context.environment,
        timeout_s=timeout_s,
        keep_bytes=keep_bytes,
        limits=context.allowance,
    )
