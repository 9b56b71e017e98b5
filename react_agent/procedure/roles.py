"""Look up procedures, adapt a profile to a role, and adapt a project to a procedure."""

import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from react_agent.errors import ConfigError, UsageError
from react_agent.models.endpoint import model_name
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import Phase, Procedure, Role, read_procedure
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.turn.tool_name import folded
from react_agent.profiles.profile import Profile
from react_agent.profiles.section import text_of
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, tool_named
from react_agent.runs.project import Project, for_model
from react_agent.tools import package_data as data
from react_agent.tools.registry import Kind

_PLACE = "react_agent.procedures"
_ENDING = ".txt"
PROCEDURE, SEED, LAST = "procedure", "seed", "last"  # events of a header
_ONLY_LOOKS = (Kind.READ, Kind.SEARCH)


def shipped() -> list[str]:
    """Return the names of the procedures included in the package."""
    return sorted(data.names(_PLACE, _ENDING))


def find_procedure(named: str) -> Procedure:
    """Load an included procedure by name, or a procedure from a file. Raises UsageError."""
    if named in shipped():
        return read(data.text(_PLACE, f"{named}{_ENDING}"), f"{named}{_ENDING}")
    path = Path(named)
    if path.is_file():
        return read(text_of(path) or "", str(path))
    raise UsageError(f"no procedure {named!r}: it is a file, or one of {', '.join(shipped())}")


def read(text: str, source: str) -> Procedure:
    try:
        return read_procedure(text, source, lambda name: tool_named(name) is not None)
    except ParseError as error:
        raise ConfigError(str(error)) from error


def of_header(lines: Iterable[str]) -> Procedure | None:
    """Return the procedure recorded in a transcript's header, or None if it has none."""
    text = "\n".join(lines)
    return read(text, "the procedure in the transcript") if text else None


def role_profile(
    base: Profile, procedure: Procedure, at: tuple[Phase, Role], withheld: Collection[str]
) -> Profile:
    """Return the profile of a role. Without settings in the role, this is the base profile.

    Tools of other roles still work, but are not offered, if they only read or if the role has
    tools of the same kind.
    """
    phase, role = at
    task = f"You are {role.name}. Your task: {role.task}" if role.task else base.role
    rules = "\n".join(("Rules:", *(f"- {rule}" for rule in role.rules))) if role.rules else ""
    style = f"How you write: {role.style}" if role.style else ""
    shown = role.demonstrations if procedure.shows_demonstrations else ()
    examples = (f"An example:\n{text}" for text in shown)
    said = "\n\n".join(filter(None, (phase.environment, task, rules, style, *examples)))
    profile = replace(base, role=said)
    if role.steps is not None:
        steps = min(role.steps, profile.budget.steps)
        profile = replace(profile, budget=replace(profile.budget, steps=steps))
    if not role.tools:
        return profile
    tools = [name for name in role.tools if name not in withheld]
    kinds = {_kind(name) for name in tools} | {*_ONLY_LOOKS}
    others = (name for name in (*profile.tools, *profile.unoffered) if name not in tools)
    return with_tools(profile, tools, [name for name in others if _kind(name) in kinds])


def _kind(name: str) -> Kind:
    tool = tool_named(name)
    return tool.kind if tool else Kind.NONE


def with_tools(profile: Profile, offered: Collection[str], unoffered: Collection[str]) -> Profile:
    """Return the profile with these tools, and remove hidden names that clash or have no tool."""
    there = {*offered, *unoffered}
    names = {folded(name) for name in there}
    hidden = {
        name: entry
        for name, entry in profile.hidden.items()
        if folded(name) not in names and entry.target in ("", *there)
    }
    return replace(profile, tools=tuple(offered), unoffered=tuple(unoffered), hidden=hidden)


def adapted(project: Project, procedure: Procedure | None, withheld: Collection[str]) -> Project:
    """Adapt the project to the procedure. Raises ConfigError if a role would have no tools."""
    if procedure is None:
        return project
    if phase := procedure.only_phase:
        [role] = phase.roles
        return _as(project, role_profile(project.profile, procedure, (phase, role), withheld))
    for phase in procedure.phases:
        for role in phase.roles:
            registry_for(role_profile(project.profile, procedure, (phase, role), withheld))
    # With the tools of all roles, so that each step can be done again.
    profile, roles = project.profile, [role for phase in procedure.phases for role in phase.roles]
    named = dict.fromkeys(name for role in roles for name in role.tools)
    if more := [name for name in named if name not in (*profile.tools, *profile.unoffered)]:
        profile = with_tools(profile, profile.tools, (*profile.unoffered, *more))
    return _as(project, profile)


def role_project(
    project: Project, procedure: Procedure, at: tuple[Phase, Role], settings: Settings
) -> Project:
    """Return the project adapted to a role, with the profile's amendments for the role's model."""
    if model := model_name(at[1].model, settings.models):
        own = for_model(project, model, settings)
        project = adapted(own, procedure, settings.withhold)
    return _as(project, role_profile(project.profile, procedure, at, settings.withhold))


def _as(project: Project, profile: Profile) -> Project:
    return replace(project, profile=profile, registry=registry_for(profile))


def header(procedure: Procedure | None, run: str) -> Iterator[Event]:
    """Yield the header events of a procedure, or none if the procedure has no effect."""
    phase = procedure.only_phase if procedure else None
    if procedure is None or (phase and phase.roles[0].says_nothing and not phase.environment):
        return
    for line in procedure.text.split("\n"):
        yield Event(PROCEDURE, line)
    if phase is None:
        yield Event(SEED, str(zlib.crc32(run.encode())))
    elif phase.roles[0].last:
        yield Event(LAST, one_line(phase.roles[0].last))
