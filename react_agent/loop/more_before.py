"""The line that a prompt has for steps that it does not show at all."""

from collections.abc import Sequence

from react_agent.loop.steps import RECALL, Shown, Step
from react_agent.parsers.text.counted import counted
from react_agent.tools.registry import named

_LISTED = 8  # their files


def more_before(steps: Sequence[Step], *, can_recall: bool) -> str:
    gone = [step for step in steps if step.shown is Shown.SHELVED]
    if not gone:
        return ""
    files = list(dict.fromkeys(path for step in gone for path in step.paths))
    named_files = ", ".join(files[:_LISTED]) + (", ..." if len(files) > _LISTED else "")
    about = f", about {named_files}" if files else ""
    they = "it" if len(gone) == 1 else "they"
    found = f"; {named(RECALL)} finds what {they} showed" if can_recall else ""
    return f"(More happened before that: {counted(len(gone), 'step')}{about}{found}.)\n"
