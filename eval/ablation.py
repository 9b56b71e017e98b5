"""The arms of an ablation: all of an agent, and for each part of it the agent without."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.task import PLAIN, Arm
from react_agent.eval.without import profile_without

_SEVERAL = "+"  # a+b: one arm without both


def arms(arm: Arm, without: Sequence[str], profiles: Path) -> list[Arm]:
    """`without`: lists like `hidden,repair`. Raises UsageError, ConfigError: there is no such part.

    `profiles` is the folder of a person's own.
    """
    named = list(dict.fromkeys(_names(without)))
    if not named:
        raise UsageError("nothing to go without: say --without hidden,repair,TOOL,...")
    for parts in named:
        profile_without(arm.profile, parts, profiles)
    plain = replace(arm, name=PLAIN, without=())
    others = (replace(arm, name=f"no-{_SEVERAL.join(parts)}", without=parts) for parts in named)
    return [plain, *others]


def _names(without: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The order in which parts are taken away makes no difference."""
    for one in ",".join(without).split(","):
        if parts := tuple(sorted({part for name in one.split(_SEVERAL) if (part := name.strip())})):
            yield parts
