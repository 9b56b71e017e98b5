"""From the files of a profile to the profile, as it is for a model."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from react_agent.errors import ConfigError
from react_agent.gone import without_gone_lines
from react_agent.parsers.settings.hidden import Alias, Hidden
from react_agent.parsers.settings.profile_text import Section
from react_agent.profiles.profile import Place, Profile
from react_agent.profiles.profile_layers import (
    Layer,
    Wanted,
    Written,
    shipped_written,
    written_for,
    written_in,
)
from react_agent.profiles.profile_sections import HEAD, MORE, NAMES, SECTIONS, Amendment, amendment

_NOTES = "notes"
_TOOLS = ("tools", "unoffered")


@dataclass(frozen=True, slots=True)
class Said:
    """What the last of the files says under a name."""

    text: str
    places: tuple[Place, ...]


Merged = dict[str, dict[str, Said]]  # by section and name


def find_profile(name: str, own: Path, model: str = "") -> Profile:
    """A file, one of the person's own folder, or a shipped one."""
    return profile_of(written_for(Wanted(name), own), model)


def shipped(name: str, model: str = "") -> Profile:
    return profile_of(shipped_written(name), model)


def read_profile(text: str, source: str, model: str = "") -> Profile:
    """What it does not say, the one says that it is based on."""
    return profile_of(written_in(text, source), model)


def is_amended(written: Written, model: str) -> bool:
    return any(
        (found := amendment(section.name)) and found.is_for(model)
        for layer in written.layers
        for section in layer.sections
    )


def profile_of(written: Written, model: str = "") -> Profile:
    """Raises ConfigError."""
    return _profile(written, lambda found: found.is_for(model))


def variants(written: Written) -> Iterator[Profile]:
    """As it is with each of its amendments: all of them can be read. Raises ConfigError."""
    for layer in written.layers:
        for section in layer.sections:
            if found := amendment(section.name):
                yield _profile(written, found.__eq__)


def _profile(written: Written, is_chosen: Callable[[Amendment], bool]) -> Profile:
    merged = _merged(written.layers, is_chosen)
    fields: dict[str, Any] = {"summary": "", "guards": ()}
    for section, names in NAMES.items():
        for name, said in merged.get(section, {}).items():
            if row := names.get(name):
                fields[row.field] = _read(row.read, said)
    gone = list[str]()
    for section, whole in SECTIONS.items():
        lines = merged.get(section, {})
        kept, told = without_gone_lines(section, {name: one.text for name, one in lines.items()})
        given = {name: replace(lines[name], text=text) for name, text in kept.items()}
        fields[whole.field] = _read_section(whole.read, given)
        gone += told
    fields["name"] = written.name or fields.get("name", "")
    missing = [name for name in ("name", "tools") if not fields.get(name)]
    if missing:
        raise ConfigError(f"profile {written.layers[-1].source}: {missing[0]!r} is missing")
    profile = Profile(**fields, gone=tuple(gone), places=_places(merged))
    unused = _tools_named(written) - {*profile.tools, *profile.unoffered}
    return replace(profile, hidden=_without(unused, profile.hidden))


def _tools_named(written: Written) -> set[str]:
    """In any of the files: they may be offered there, and not by the last one."""
    return {
        tool
        for layer in written.layers
        for section in layer.sections
        for name in _TOOLS
        if section.name == HEAD and name in section.settings
        for tool in section.settings[name].text.split()
    }


def _without(unused: set[str], hidden: Mapping[str, Hidden]) -> dict[str, Hidden]:
    """Another name of a tool goes with it."""
    return {
        name: entry
        for name, entry in hidden.items()
        if not (isinstance(entry, Alias) and entry.target in unused)
    }


def _places(merged: Merged) -> dict[tuple[str, str], tuple[Place, ...]]:
    return {
        (section, name): said.places
        for section, names in merged.items()
        for name, said in names.items()
    }


def _merged(layers: tuple[Layer, ...], is_chosen: Callable[[Amendment], bool]) -> Merged:
    """What a file says stands above all of what it is based on, amendments too."""
    merged: Merged = {}
    for layer in layers:
        amendments = [(amendment(section.name), section) for section in layer.sections]
        for found, section in amendments:
            if found is None:
                _say_all(merged, section, layer.source, Amendment("*", section.name))
        for found, section in amendments:
            if found and is_chosen(found):
                _say_all(merged, section, layer.source, found)
    return merged


def _say_all(merged: Merged, section: Section, source: str, what: Amendment) -> None:
    for name, setting in section.settings.items():
        place = Place(source, setting.line, section.name)
        _say(merged.setdefault(what.section_of(name), {}), name, setting.text, place)


def _say(section: dict[str, Said], name: str, text: str, place: Place) -> None:
    if name != MORE:
        section[name] = Said(text, (place,))
        return
    before = section.get(_NOTES, Said("", ()))
    section[_NOTES] = Said(f"{before.text}\n{text}".strip("\n"), (*before.places, place))


def _read(read: Callable[[str], Any], said: Said) -> Any:
    try:
        return read(said.text)
    except (ValueError, ConfigError) as error:
        raise ConfigError(f"profile {said.places[-1]}: {error}") from error


def _read_section(read: Callable[[Mapping[str, str]], Any], said: Mapping[str, Said]) -> Any:
    try:
        return read({name: one.text for name, one in said.items()})
    except (ValueError, ConfigError) as error:
        faulty = next(_faulty(read, said), list(said.values())[-1])
        raise ConfigError(f"profile {faulty.places[-1]}: {error}") from error


def _faulty(read: Callable[[Mapping[str, str]], Any], said: Mapping[str, Said]) -> Iterator[Said]:
    """What can't be read by itself either."""
    for name, one in said.items():
        try:
            read({name: one.text})
        except (ValueError, ConfigError):
            yield one
