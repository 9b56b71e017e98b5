"""A profile as it would be in a run, and who says what of it: for a person."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from react_agent.profiles.profile import Profile, limits_of, with_limits
from react_agent.profiles.profile_file import profile_of
from react_agent.profiles.profile_layers import Wanted, written_for
from react_agent.profiles.profile_sections import BASED_ON, HIDDEN, MODEL, NAMES
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import check_all, registry_for, with_settings
from react_agent.prompt.view import instructions

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
