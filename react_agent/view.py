"""What the model is shown: derived from the state before every call, never kept."""

from react_agent.models.contract import View
from react_agent.parsers.labels import DEFAULT, Label
from react_agent.parsers.transcript_writer import objective_text
from react_agent.profile import Profile
from react_agent.state import State
from react_agent.tools.context import Limits
from react_agent.tools.naming import named
from react_agent.tools.registry import Registry


def instructions(profile: Profile, registry: Registry, limits: Limits) -> str:
    """The part that is the same in every prompt of a run."""
    offered = "\n".join(f"{named(tool.name)}: {tool.usage}" for tool in registry.visible.values())
    names = ", ".join(registry.visible)
    form = profile.format.replace("{tools}", f"[{names}]")
    notes = profile.notes.replace("{command_seconds}", f"{limits.command_seconds:g}")
    parts = (profile.role, profile.opening, offered, form, notes, "Begin!")
    return "".join(f"{part}\n\n" for part in parts if part)


def view(state: State, system: str) -> View:
    return View(
        system,
        objective_text(state.objective or ""),
        tuple(step.text for step in state.steps),
        _tail(state.hint),
    )


def _tail(hint: str) -> str:
    """The hint stands last, where nothing behind it has to be read again."""
    thought = DEFAULT.write(Label.THOUGHT)
    return f"({hint})\n{thought}" if hint else thought
