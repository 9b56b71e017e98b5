"""Read the files of a profile, and create the profile for a specific model."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from react_agent.errors import ConfigError
from react_agent.gone import without_gone_words
from react_agent.parsers.settings.errors import ParseError, did_you_mean
from react_agent.parsers.settings.hidden import read_hidden
from react_agent.parsers.settings.profile_text import Section, Setting, read_sections
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Place, Profile
from react_agent.profiles.section import read_section, text_of
from react_agent.state.findings import GATE
from react_agent.state.state import PROFILE_FILE as FILE
from react_agent.state.state import PROFILE_TEXT as TEXT
from react_agent.tools import disk, package_data
from react_agent.tools.context import SIZES, Limits

HEAD, PROMPT = "profile", "prompt"
COMPRESS, STUCK, BACKTRACK = "compress", "stuck", "backtrack"
HIDDEN = ("hidden", "hidden without network")
BASED_ON = "based on"
MORE = "more notes"  # behind those of the base
MODEL = "model"


# Names of [profile] and [prompt]; the field of Profile has `_` for each space.
NAMES: Mapping[str, tuple[str, ...]] = {
    HEAD: (
        *("name", "summary", "tools", "unoffered", "off", "about", "guards"),
        *("repair", "edit without label", "gate", "words", "final tests", "plan", "hints"),
    ),
    PROMPT: ("role", "opening", "format", "notes", "monologue"),
}
# Sections that are a field of Profile.
SECTIONS = {
    "budget": "budget",
    "limits": "limits",
    COMPRESS: "policy",
    GATE: "checks",
    STUCK: "patience",
    BACKTRACK: "back",
    HIDDEN[0]: "hidden",
    HIDDEN[1]: "hidden_offline",
}
_LIMITS = tuple(one.name for one in fields(Limits) if one.name not in SIZES)


@dataclass(frozen=True, slots=True)
class Amendment:
    """A section of a profile that overrides settings for models that match a pattern.

    `[model PATTERN]` overrides settings of [profile] and [prompt]. `[model PATTERN SECTION]`
    overrides settings of another section.
    """

    pattern: str
    section: str

    def is_for(self, model: str) -> bool:
        return bool(model) and fnmatchcase(model.casefold(), self.pattern.casefold())

    def section_of(self, name: str) -> str:
        """Return the section to which a setting in the amendment belongs."""
        return self.section or (HEAD if name in NAMES[HEAD] else PROMPT)


def amendment(section: str) -> Amendment | None:
    word, _, rest = section.partition(" ")
    pattern, _, of = rest.strip().partition(" ")
    return Amendment(pattern, of.strip()) if word == MODEL and pattern else None


def _check_section(section: Section, source: str) -> None:
    """Raise ConfigError for an unknown section, which would otherwise be ignored."""
    amended = amendment(section.name)
    known = (*SECTIONS, "") if amended else (*NAMES, *SECTIONS)
    if (amended.section if amended else section.name) not in known:
        sections = ", ".join(f"[{name}]" for name in (*NAMES, *SECTIONS))
        raise ConfigError(
            f"profile {Place(source, section.line)}: expected one of {sections}, "
            f"[{MODEL} PATTERN], [{MODEL} PATTERN SECTION], found '[{section.name}]'"
        )


SUFFIX = ".cfg"
_PLACE = "react_agent.profiles"
NO_FOLDER = Path("/nonexistent")  # for those who have no profiles of their own


@dataclass(frozen=True, slots=True)
class Layer:
    """One of the files that a profile consists of."""

    source: str
    text: str
    sections: tuple[Section, ...]
    folder: Path | None = None  # none: it is shipped


@dataclass(frozen=True, slots=True)
class Written:
    """The source text of a profile, in layers: its own file and the files that it is based on."""

    name: str
    layers: tuple[Layer, ...]  # the base first

    @property
    def kept(self) -> Iterator[Event]:
        """The events that record the profile in a transcript, without the files of the package."""
        for layer in self.layers:
            if layer.folder:
                yield Event(FILE, layer.source)
                yield from (Event(TEXT, line) for line in layer.text.rstrip("\n").split("\n"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The name of the profile to read, and the model that it is read for."""

    profile: str  # a name, or a file
    model: str = ""  # without its provider
    kept: tuple[Event, ...] = field(default=(), repr=False)  # of the run that it was chosen for


def is_file_name(profile: str) -> bool:
    return "/" in profile or profile.endswith(SUFFIX)


def written_for(wanted: Wanted, own: Path) -> Written:
    """Return the profile recorded in the run, or else the current one. Raises ConfigError."""
    name = Path(wanted.profile).stem if is_file_name(wanted.profile) else wanted.profile
    if wanted.kept:
        return Written(name, _kept_layers(wanted.kept))
    if is_file_name(wanted.profile):
        file = disk.expanduser(Path(wanted.profile)).absolute()
        if not file.is_file():
            raise ConfigError(f"there is no profile {wanted.profile!r}")
        return Written(name, _on_its_base(_read(file)))
    file = own / f"{name}{SUFFIX}"
    if not file.is_file() and name not in shipped_names():
        theirs = (one.stem for one in (own.glob(f"*{SUFFIX}") if own.is_dir() else ()))
        meant = did_you_mean(name, (*shipped_names(), *theirs))
        raise ConfigError(f"there is no profile {name!r}{meant}")
    return Written(name, _on_its_base(_read(file) if file.is_file() else _shipped_layer(name)))


def shipped_names() -> list[str]:
    return sorted(package_data.names(_PLACE, SUFFIX))


def _shipped_layer(name: str) -> Layer:
    return layer_of(package_data.text(_PLACE, f"{name}{SUFFIX}"), name)


def layer_of(text: str, source: str, folder: Path | None = None) -> Layer:
    try:
        layer = Layer(source, text, read_sections(text), folder)
    except ParseError as error:
        raise ConfigError(f"profile {source}, {error}") from error
    for section in layer.sections:
        _check_section(section, source)
    return layer


def _read(file: Path) -> Layer:
    return layer_of(text_of(file) or "", str(file), file.parent)


def _on_its_base(layer: Layer, above: tuple[str, ...] = ()) -> tuple[Layer, ...]:
    """Return the layer and all layers that it is based on, starting with the base.

    A base is a file in the same folder or a profile of the package. Circular references are errors.
    """
    setting = _based_on(layer)
    if setting is None:
        return (layer,)
    name, seen = setting.text, (*above, layer.source)
    file = (layer.folder or Path()) / (name if is_file_name(name) else f"{name}{SUFFIX}")
    if layer.folder and file.is_file() and str(file) not in seen:
        return (*_on_its_base(_read(file), seen), layer)
    if name in shipped_names() and name not in seen:
        return (*_on_its_base(_shipped_layer(name), seen), layer)
    where = Place(layer.source, setting.line)
    raise ConfigError(f"profile {where}: {name!r} is not a valid base profile")


def _based_on(layer: Layer) -> Setting | None:
    for section in layer.sections:
        if section.name == HEAD and BASED_ON in section.settings:
            return section.settings[BASED_ON]
    return None


def _kept_layers(kept: Iterable[Event]) -> tuple[Layer, ...]:
    """Return the layers recorded in a transcript, and the packaged profile they are based on."""
    texts: list[tuple[str, list[str]]] = []
    for event in kept:
        if event.name == FILE or not texts:
            texts.append((event.text if event.name == FILE else "the transcript", []))
        if event.name == TEXT:
            texts[-1][1].append(event.text)
    layers = [layer_of("\n".join(lines), source, Path()) for source, lines in texts]
    based_on = _based_on(layers[0])
    shipped = based_on and based_on.text in shipped_names()
    base = _on_its_base(_shipped_layer(based_on.text)) if based_on and shipped else ()
    return (*base, *layers)


_NOTES = "notes"
_TOOLS = ("tools", "unoffered")


@dataclass(frozen=True, slots=True)
class Said:
    """The text of a setting, taken from the last file that contains the setting."""

    text: str
    place: Place


Merged = dict[str, dict[str, Said]]  # by section and name


def find_profile(name: str, own: Path) -> Profile:
    """Load a profile from a file, from the user's own folder, or from the package."""
    return profile_of(written_for(Wanted(name), own))


def shipped(name: str) -> Profile:
    return find_profile(name, NO_FOLDER)


def is_amended(written: Written, model: str) -> bool:
    return any(
        (found := amendment(section.name)) and found.is_for(model)
        for layer in written.layers
        for section in layer.sections
    )


def profile_of(written: Written, model: str = "") -> Profile:
    """Return the profile with the amendments for this model. Raises ConfigError."""
    return _profile(written, lambda found: found.is_for(model))


def variants(written: Written) -> Iterator[Profile]:
    """Yield one profile for each amendment, so that all can be checked. Raises ConfigError."""
    for layer in written.layers:
        for section in layer.sections:
            if found := amendment(section.name):
                yield _profile(written, found.__eq__)


def _profile(written: Written, is_chosen: Callable[[Amendment], bool]) -> Profile:
    merged = _merged(written.layers, is_chosen)
    values, gone = dict[str, Any](), dict[str, None]()
    for section, lines in merged.items():
        for name, said in lines.items():
            text, told = without_gone_words(section, name, said.text)
            gone |= dict.fromkeys(told)
            try:
                if text is not None and (section, name) != (HEAD, BASED_ON):
                    _set(values, section, name, text)
            except ConfigError as error:
                raise ConfigError(f"profile {said.place}: {error}") from error
    profile = Profile(**values)
    unused = _unused_tools(written, profile)
    profile = replace(
        profile,
        name=written.name,
        hidden={
            name: entry for name, entry in profile.hidden.items() if entry.target not in unused
        },
        gone=tuple(gone),
        places={(at, name): one.place for at in merged for name, one in merged[at].items()},
    )
    if not profile.tools:
        raise ConfigError(f"profile {written.layers[-1].source}: 'tools' is missing")
    return profile


def _set(values: dict[str, Any], section: str, name: str, text: str) -> None:
    """Add a setting to the field values of a Profile."""
    if section in HIDDEN:
        values.setdefault(SECTIONS[section], {})[name] = read_hidden(text)
        return
    if section in NAMES or section == GATE:
        names = NAMES.get(section, (SECTIONS[GATE],))
        field = name.replace(" ", "_")
        values[field] = getattr(read_section(Profile(), {name: text}, section, names), field)
        return
    field = SECTIONS[section]
    before = values.get(field) or getattr(Profile(), field)
    names = _LIMITS if section == "limits" else ()
    values[field] = read_section(before, {name: text}, section, names)


def _unused_tools(written: Written, profile: Profile) -> set[str]:
    """Return the tools that a file of the profile lists but the final profile does not use."""
    named = {
        tool
        for layer in written.layers
        for section in layer.sections
        for name in _TOOLS
        if section.name == HEAD and name in section.settings
        for tool in section.settings[name].text.split()
    }
    return named - {*profile.tools, *profile.unoffered}


def _merged(layers: tuple[Layer, ...], is_chosen: Callable[[Amendment], bool]) -> Merged:
    """Merge the layers. A file overrides the files that it is based on and their amendments."""
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
        place = Place(source, setting.line)
        said = merged.setdefault(what.section_of(name), {})
        if name == MORE:
            before = said[_NOTES].text if _NOTES in said else ""
            said[_NOTES] = Said(f"{before}\n{setting.text}".strip("\n"), place)
        else:
            said[name] = Said(setting.text, place)
