"""A profile as it would be in a run, and who says what of it: for a person."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.parsers.settings.hidden import Alias, Hidden, Protocol, Redirect, Translated
from react_agent.parsers.turn.tool_name import read_name
from react_agent.profiles.profile import Profile, limits_of, with_limits
from react_agent.profiles.profile_file import (
    BASED_ON,
    HIDDEN,
    MODEL,
    NAMES,
    Wanted,
    profile_of,
    written_for,
)
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import check_all, registry_for, with_settings
from react_agent.prompt.view import instructions
from react_agent.runs.commands import Surroundings, prepared
from react_agent.runs.project import project_at
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import outer
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make
from react_agent.tools.registry import Answer, Registry, named

_YOURS = "your settings"
_OF_THE_FILE = ("name", BASED_ON)


@dataclass(frozen=True, slots=True)
class Told:
    profile: Profile  # with the user's settings
    prompt: str
    model: str
    settings: Settings
    source: str  # of the last of its files


def told(wanted: Wanted, settings: Settings) -> Told:
    """Raises ConfigError."""
    written = written_for(wanted, settings.profiles)
    check_all(written)
    profile = with_settings(profile_of(written, wanted.model), settings)
    profile = replace(profile, budget=with_limits(profile.budget, settings.budget))
    prompt = instructions(profile, registry_for(profile), profile.limits)
    return Told(profile, prompt, wanted.model, settings, written.layers[-1].source)


def origins(found: Told) -> list[tuple[str, list[str]]]:
    """Each place, and the names that it sets, in the order of the prompt's making."""
    by_place: dict[str, list[str]] = {}
    for (section, name), places in found.profile.places.items():
        if name in _OF_THE_FILE or _is_overruled(section, name, found):
            continue
        for place in places:
            kind = "amendment" if place.section.startswith(MODEL) else _kind(place.source, found)
            where = f"{kind} {place.source}"
            if kind == "amendment":
                where = f"amendment [{place.section}] in {place.source}"
            by_place.setdefault(where, []).append(_shown(section, name, place.line))
    if yours := list(_yours(found)):
        by_place[_YOURS] = yours
    return [(where, _in_short(names)) for where, names in by_place.items()]


def _kind(source: str, found: Told) -> str:
    return "profile" if source == found.source else "base"


def _is_overruled(section: str, name: str, found: Told) -> bool:
    if section == "budget":
        return name in found.settings.budget
    return section in HIDDEN and name in found.settings.hidden


def _shown(section: str, name: str, line: int) -> str:
    if section in HIDDEN:
        return f"[{section}]"
    short = name if section in NAMES else f"{section}.{name}"
    return f"{short} (line {line})"


def _in_short(names: list[str]) -> list[str]:
    """Hidden names are many."""
    kept = [name for name in names if not name.startswith("[")]
    counts = {f"[{section}]": names.count(f"[{section}]") for section in HIDDEN}
    return [*kept, *(f"{count} of {section}" for section, count in counts.items() if count)]


def _yours(found: Told) -> Iterator[str]:
    settings = found.settings
    limits = limits_of(found.profile.budget)
    yield from (f"budget.{name} = {limits[name]}" for name in settings.budget)
    yield from (f"offer {name}" for name in settings.offer)
    yield from (f"withhold {name}" for name in settings.withhold)
    if settings.hidden:
        yield f"{len(settings.hidden)} of [hidden]"


def tried(name: str, given: str, repo: Path, profile: str, around: Surroundings) -> Answer:
    """On the repository's last commit, in a workspace that does not stay."""
    base = find_base(repo)
    project = project_at(base, Wanted(profile), {}, around.settings, around.tell)
    meant = _as_in_a_run(name, project.registry)
    with contextlib.ExitStack() as undo:
        folder = RunFolder(disk.new_folder("react-agent-try-").resolve())
        undo.callback(remove_tree, folder.path)  # which a command may have closed
        workspace = make(base, root=folder.workspace, branch="react-agent/try", cuts=around.cuts)
        commands = prepared(folder, workspace, project.settings, outer(around), project.profile)
        undo.callback(commands.close)
        return project.registry.call(meant, given, commands.context)


def _as_in_a_run(name: str, registry: Registry) -> str:
    """A tool's name is known in any case, and with `-` for `_`."""
    read = read_name(name, registry.names)
    if read is None:
        raise UsageError(f"{name!r} is no name: write that of a tool")
    return name if read.given or read.name not in registry.names else read.name


def why(name: str, profile: Profile, settings: Settings) -> str:
    """How a name, or a command that is run, is answered, and where that is said."""
    registry = registry_for(profile)
    name = _as_in_a_run(name, registry)
    if tool := registry.visible.get(name):
        return f"{name} is offered by the profile {profile.name}.\n{tool.usage}"
    if tool := registry.unoffered.get(name):
        return f"{name} is not offered, and answers all the same.\n{tool.usage}"
    for key in (name, name.replace(" ", "_")):
        if entry := registry.hidden.get(key):
            return f"{key} is hidden, by {_origin(key, profile, settings)}.\n{_answered(entry)}"
    if barred := registry.barred(name):
        key, _ = barred
        where = _origin(key, profile, settings)
        return f"A command like {key!r} is not run, by {where}.\n{_answered(registry.hidden[key])}"
    return (
        f"{name} is neither offered nor hidden: it would be counted as a wish, and answered\n"
        + (registry.wish(name))
    )


def _origin(name: str, profile: Profile, settings: Settings) -> str:
    if name in settings.hidden:
        return "your settings"
    is_its_own = any((section, name) in profile.places for section in HIDDEN)
    return f"the profile {profile.name}" if is_its_own else "this repository"


def _answered(entry: Hidden) -> str:
    match entry:
        case Alias(target):
            return f"It is {named(target)} by another name."
        case Translated(how):
            return f"Its input is read as {how.value}; the tool that can do what it means runs."
        case Redirect(text):
            return f"Nothing runs. The answer is: {text}"
        case Protocol(text):
            return f"It is part of the format. The answer is: {text}"
