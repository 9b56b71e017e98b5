"""The project that a run works on: the repository at the base commit, and the settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.gone import told_of_gone
from react_agent.parsers.turn.tool_name import folded
from react_agent.profiles.profile import Profile, limits_of, with_limits
from react_agent.profiles.profile_file import Wanted, is_amended, profile_of, written_for
from react_agent.profiles.settings import RepositorySettings, Settings, read_repository_settings
from react_agent.profiles.toolbox import check_all, registry_for, with_settings
from react_agent.tools.git.repository import Base, file_at
from react_agent.tools.registry import Registry


@dataclass(frozen=True, slots=True)
class Project:
    base: Base
    settings: RepositorySettings
    profile: Profile
    registry: Registry
    wanted: Wanted  # with the profile's text, for the transcript
    amended: str = ""  # the model that its amendments are for, if it has such


def project_at(
    base: Base,
    wanted: Wanted,
    budget: Mapping[str, str],
    settings: Settings,
    tell: Callable[[str], None],
) -> Project:
    repository = read_repository_settings(lambda name: file_at(base, name))
    written = written_for(wanted, settings.profiles)
    check_all(written)
    plain = profile_of(written, wanted.model)
    limited = with_limits(with_limits(plain.budget, settings.budget), budget)
    profile = replace(with_settings(plain, settings), budget=limited)
    named = (*plain.tools, *plain.unoffered, *settings.offer, *settings.withhold)
    # A repository sets answers only for names that can't be taken for one of our tools.
    ours = {folded(name) for name in (*profile.tools, *profile.unoffered, *profile.hidden)}
    hidden = repository.hidden.items()
    free = {name: entry for name, entry in hidden if folded(name) not in ours}
    taken = (f"the name {name!r} is taken" for name in repository.hidden if name not in free)
    gone = (*told_of_gone(named, settings.gone), *plain.gone)
    for refusal in (*repository.refused, *taken, *gone):
        tell(f"not used: {refusal}")
    profile = replace(profile, hidden={**free, **profile.hidden})
    amended = wanted.model if is_amended(written, wanted.model) else ""
    registry = registry_for(profile)
    wanted = replace(wanted, kept=tuple(written.kept))
    return Project(base, repository, profile, registry, wanted, amended)


def for_model(project: Project, model: str, settings: Settings) -> Project:
    """Return the project with its profile and limits adapted to another model."""
    wanted = replace(project.wanted, model=model)
    changed = changed_limits(wanted, project.wanted.model, settings.profiles)
    limits = {**limits_of(project.profile.budget), **changed}
    return project_at(project.base, wanted, limits, settings, lambda line: None)


def changed_limits(wanted: Wanted, before: str, own: Path) -> dict[str, str]:
    """Return the limits that differ between this model's budget and the previous model's budget."""
    written = written_for(wanted, own)
    now, then = (limits_of(profile_of(written, one).budget) for one in (wanted.model, before))
    return {name: value for name, value in now.items() if then.get(name) != value}
