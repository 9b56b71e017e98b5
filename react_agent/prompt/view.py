"""What the model is shown: derived from the state before every call, never kept."""

from collections.abc import Sequence

from react_agent.loop.state import PLAN_CHANGES, State
from react_agent.models.contract import View
from react_agent.parsers.settings.hidden import with_tools
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.writer import objective_text
from react_agent.profiles.profile import Profile
from react_agent.prompt.tail import ANSWER, HINTS, PLAN, tail_text
from react_agent.tools.context import Limits
from react_agent.tools.registry import Registry, named

_OF_WINDOW = 10


def instructions(
    profile: Profile, registry: Registry, limits: Limits, about: Sequence[str] = ()
) -> str:
    """The part that is the same in every prompt of a run."""
    offered = "\n".join(f"{named(tool.name)}: {tool.usage}" for tool in registry.visible.values())
    texts = (profile.role, profile.opening, profile.format, profile.notes, _monologue(profile))
    role, opening, form, notes, monologue = (_filled(text, registry, limits) for text in texts)
    known = "\n".join(("About this repository:", *about)) if about else ""
    parts = (role, opening, offered, form, notes, known, monologue, "Begin!")
    return "".join(f"{part}\n\n" for part in parts if part)


def _monologue(profile: Profile) -> str:
    """None where it would take more than a tenth of the window."""
    fits = estimate_tokens(profile.monologue) * _OF_WINDOW <= profile.budget.window
    return profile.monologue if fits else ""


def _filled(text: str, registry: Registry, limits: Limits) -> str:
    """A sentence about a tool that is not offered is left out."""
    text = text.replace("{tools}", f"[{', '.join(registry.visible)}]")
    text = text.replace("{command_seconds}", f"{limits.command_seconds:g}")
    return with_tools(text, {name: named(name) for name in registry.visible})


def shows(profile: Profile, registry: Registry) -> dict[str, str]:
    """What else its prompts show, as a transcript tells it."""
    has_tools = registry.visible.keys() >= PLAN_CHANGES.keys()
    plan = {PLAN: "yes"} if profile.plan and has_tools else {}
    answer = {ANSWER: "yes"} if ANSWER in profile.guards else {}
    return plan | answer | ({HINTS: write_list(profile.hints)} if profile.hints else {})


def view(state: State, system: str, steps: int) -> View:
    """`steps` is how many there may be."""
    return View(
        system,
        objective_text(state.objective or "") + state.told + state.before,
        tuple(step.text for step in state.steps if step.text),
        tail(state, steps - len(state.steps)),
    )


def tail(state: State, left: int) -> str:
    """What changes stands last, where nothing behind it has to be read again."""
    return tail_text(state, left) + DEFAULT.write(Label.THOUGHT)
