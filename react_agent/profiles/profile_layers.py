"""Where the text of a profile comes from: its own file, and those that it is based on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.loop.events import PROFILE_FILE as FILE
from react_agent.loop.events import PROFILE_TEXT as TEXT
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.profile_text import Section, Setting, read_sections
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Place
from react_agent.profiles.profile_sections import BASED_ON, HEAD, check_names
from react_agent.tools import disk, package_data

SUFFIX = ".cfg"
_PLACE = "react_agent.profiles"


@dataclass(frozen=True, slots=True)
class Layer:
    """One file."""

    source: str
    text: str
    sections: tuple[Section, ...]
    folder: Path | None = None  # none: it is shipped


@dataclass(frozen=True, slots=True)
class Written:
    """A profile as it is written."""

    name: str
    layers: tuple[Layer, ...]  # the base first

    @property
    def kept(self) -> Iterator[Event]:
        """What a transcript keeps of it: all that is not shipped."""
        for layer in self.layers:
            if layer.folder:
                yield Event(FILE, layer.source)
                yield from (Event(TEXT, line) for line in layer.text.rstrip("\n").split("\n"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which profile, and of which model it is to hold."""

    profile: str  # a name, or a file
    model: str = ""  # without its provider
    kept: tuple[Event, ...] = field(default=(), repr=False)  # of the run that it was chosen for


def is_file_name(profile: str) -> bool:
    return "/" in profile or profile.endswith(SUFFIX)


def written_for(wanted: Wanted, own: Path) -> Written:
    """As it was when the run began; else as it is now. Raises ConfigError."""
    name = Path(wanted.profile).stem if is_file_name(wanted.profile) else wanted.profile
    if wanted.kept:
        return Written(name, _kept_layers(wanted.kept))
    if is_file_name(wanted.profile):
        return Written(name, _on_its_base(_given_layer(wanted.profile)))
    file = own / f"{name}{SUFFIX}"
    return Written(name, _on_its_base(_read(file) if file.is_file() else shipped_layer(name)))


def shipped_names() -> list[str]:
    return sorted(package_data.names(_PLACE, SUFFIX))


def shipped_layer(name: str) -> Layer:
    if name not in shipped_names():
        raise ConfigError(f"there is no profile {name!r}")
    return layer_of(package_data.text(_PLACE, f"{name}{SUFFIX}"), name)


def shipped_written(name: str) -> Written:
    return Written(name, _on_its_base(shipped_layer(name)))


def written_in(text: str, source: str) -> Written:
    return Written("", _on_its_base(layer_of(text, source)))


def layer_of(text: str, source: str, folder: Path | None = None) -> Layer:
    try:
        layer = Layer(source, text, read_sections(text), folder)
    except ParseError as error:
        raise ConfigError(f"profile {source}, {error}") from error
    for section in layer.sections:
        check_names(section, source)
    return layer


def _given_layer(name: str) -> Layer:
    file = disk.expanduser(Path(name))
    if not file.is_file():
        raise ConfigError(f"there is no profile {name!r}")
    return _read(file.absolute())


def _read(file: Path) -> Layer:
    try:
        text = disk.read_text(file, encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not text in UTF-8") from None
    return layer_of(text, str(file), file.parent)


def _on_its_base(layer: Layer, above: tuple[str, ...] = ()) -> tuple[Layer, ...]:
    """The base first."""
    setting = _based_on(layer)
    if setting is None:
        return (layer,)
    seen = (*above, layer.source)
    base = _base(setting, layer, seen)
    if base is None:
        where = Place(layer.source, setting.line)
        raise ConfigError(f"profile {where}: {setting.text!r} is no profile to be based on")
    return (*_on_its_base(base, seen), layer)


def _based_on(layer: Layer) -> Setting | None:
    for section in layer.sections:
        if section.name == HEAD and BASED_ON in section.settings:
            return section.settings[BASED_ON]
    return None


def _base(setting: Setting, layer: Layer, above: tuple[str, ...]) -> Layer | None:
    """A file beside it, or a shipped one; nothing that is itself based on this."""
    name = setting.text
    if layer.folder:
        file = layer.folder / (name if is_file_name(name) else f"{name}{SUFFIX}")
        if file.is_file() and str(file) not in above:
            return _read(file)
    return shipped_layer(name) if name in shipped_names() and name not in above else None


def _kept_layers(kept: Iterable[Event]) -> tuple[Layer, ...]:
    """The first of them may be based on a shipped one; each other is on the one before it."""
    texts: list[tuple[str, list[str]]] = []
    for event in kept:
        if event.name == FILE or not texts:
            texts.append((event.text if event.name == FILE else "the transcript", []))
        if event.name == TEXT:
            texts[-1][1].append(event.text)
    layers = [layer_of("\n".join(lines), source, Path()) for source, lines in texts]
    based_on = _based_on(layers[0])
    shipped = based_on and based_on.text in shipped_names()
    base = _on_its_base(shipped_layer(based_on.text)) if based_on and shipped else ()
    return (*base, *layers)
