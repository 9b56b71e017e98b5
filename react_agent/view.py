"""What the model is shown: derived from the state before every call, never kept."""

from collections.abc import Sequence

from react_agent.models.contract import View
from react_agent.parsers.hidden import with_tools
from react_agent.parsers.labels import DEFAULT, Label
from react_agent.parsers.transcript_writer import objective_text
from react_agent.profile import Profile
from react_agent.state import State
from react_agent.tools.clip import counted
from react_agent.tools.context import Limits
from react_agent.tools.naming import named
from react_agent.tools.registry import Registry

_FEW_STEPS = 3


def instructions(
    profile: Profile, registry: Registry, limits: Limits, about: Sequence[str] = ()
) -> str:
    """The part that is the same in every prompt of a run."""
    offered = "\n".join(f"{named(tool.name)}: {tool.usage}" for tool in registry.visible.values())
    names = ", ".join(registry.visible)
    form = profile.format.replace("{tools}", f"[{names}]")
    notes = with_tools(
        profile.notes.replace("{command_seconds}", f"{limits.command_seconds:g}"),
        {name: named(name) for name in registry.visible},
    )
    told = "\n".join(("About this repository:", *about)) if about else ""
    parts = (profile.role, profile.opening, offered, form, notes, told, "Begin!")
    return "".join(f"{part}\n\n" for part in parts if part)


def view(state: State, system: str, steps: int) -> View:
    """`steps` is how many there may be."""
    return View(
        system,
        objective_text(state.objective or ""),
        tuple(step.text for step in state.steps),
        _tail(state.hint, steps - len(state.steps)),
    )


def _tail(hint: str, left: int) -> str:
    """What changes stands last, where nothing behind it has to be read again."""
    warning = f"{counted(left, 'step')} left: finish, and conclude" if left <= _FEW_STEPS else ""
    lines = "".join(f"({line})\n" for line in (hint, warning) if line)
    return lines + DEFAULT.write(Label.THOUGHT)
