"""What a person, and what a repository, may set.

The person's own file is trusted with everything. The repository's is as it was at the base commit
and trusted with little: how hidden tools answer, and which commands test it.
"""

import configparser
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.models.endpoint import check_named
from react_agent.parsers.hidden import Hidden, Protocol, Redirect, read_hidden
from react_agent.profile import Budget, with_limits

_COMMANDS = ("test", "lint", "prepare")
_OWN = (
    *("model", "profile", "keep", "offer", "withhold"),
    *("sandbox", "network", "web", "python"),
)
_SECTION = "react_agent"
_BUDGET = f"{_SECTION}:budget"
_HIDDEN = f"{_SECTION}:hidden"
_MODEL = f"{_SECTION}:model "
_HARMLESS = (Redirect, Protocol)
_SECTIONS = (_SECTION, _BUDGET, _HIDDEN)


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's own."""

    model: str | None = None
    profile: str = "issue"
    keep: bool = False
    budget: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by their names
    offer: tuple[str, ...] = ()  # tools beside those of the profile
    withhold: tuple[str, ...] = ()
    sandbox: str = "auto"
    network: bool = False  # for commands
    web: tuple[str, ...] = ()  # hosts that may be read
    python: str | None = None  # the interpreter of commands
    profiles: Path = field(default=Path("/nonexistent"), compare=False)  # the person's own


@dataclass(frozen=True, slots=True)
class RepositorySettings:
    """The repository's, with what it said and may not say."""

    commands: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


def read_settings(path: Path) -> Settings:
    """A file that is not there sets nothing."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return Settings(profiles=path.parent / "profiles")
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text in UTF-8") from None
    sections = _sections(text, str(path))
    own = sections.get(_SECTION, {})
    others = [name for name in sections if not name.startswith(_MODEL)]
    _check_names(others, (*_SECTIONS, f"{_MODEL}NAME"), f"{path}: no section")
    _check_names(own, _OWN, f"{path}: no setting")
    models = {
        name.removeprefix(_MODEL).strip(): section
        for name, section in sections.items()
        if name.startswith(_MODEL)
    }
    try:
        check_named(models)
        with_limits(Budget(), sections.get(_BUDGET, {}))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return Settings(
        model=own.get("model"),
        profile=own.get("profile", "issue"),
        keep=_switch(own.get("keep", "no"), f"{path}: keep"),
        budget=sections.get(_BUDGET, {}),
        hidden=_hidden(sections),
        models=models,
        offer=_words(own.get("offer", "")),
        withhold=_words(own.get("withhold", "")),
        sandbox=own.get("sandbox", "auto"),
        network=_switch(own.get("network", "no"), f"{path}: network"),
        web=_words(own.get("web", "")),
        python=own.get("python"),
        profiles=path.parent / "profiles",
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _check_names(given: Iterable[str], known: tuple[str, ...], complaint: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ConfigError(f"{complaint} {unknown[0]!r}; there are {', '.join(known)}")


def read_repository_settings(files: Callable[[str], str | None]) -> RepositorySettings:
    """`files` gives the text of a file at the base commit. What can't be read sets nothing."""
    for name in (".react-agent.cfg", "setup.cfg"):
        text = files(name)
        if text is None or f"[{_SECTION}" not in text:
            continue
        try:
            return _repository_settings(_sections(text, name), name)
        except ConfigError as error:
            return RepositorySettings(refused=(str(error),))
    return RepositorySettings()


def _repository_settings(
    sections: Mapping[str, Mapping[str, str]], source: str
) -> RepositorySettings:
    own = sections.get(_SECTION, {})
    hidden = _hidden(sections)
    refused = [name for name in own if name not in _COMMANDS]
    refused += [name for name in sections if name.startswith(f"{_SECTION}:") and name != _HIDDEN]
    harmless = {name: entry for name, entry in hidden.items() if isinstance(entry, _HARMLESS)}
    refused += [name for name in hidden if name not in harmless]
    return RepositorySettings(
        {name: value for name, value in own.items() if name in _COMMANDS},
        harmless,
        tuple(f"{source} may not set {name!r}" for name in refused),
    )


def _hidden(sections: Mapping[str, Mapping[str, str]]) -> dict[str, Hidden]:
    return {name: read_hidden(text) for name, text in sections.get(_HIDDEN, {}).items()}


def _sections(text: str, source: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text, source)
    except configparser.Error as error:
        raise ConfigError(f"{source}: {error.message.splitlines()[0]}") from error
    return {name: _options(name, parser[name]) for name in parser.sections()}


def _options(section: str, given: Mapping[str, str]) -> dict[str, str]:
    """In any case; but a hidden name is as a model writes it, and `tail -F` is not `tail -f`."""
    if section == _HIDDEN:
        return dict(given)
    return {name.lower(): value for name, value in given.items()}


def _switch(text: str, what: str) -> bool:
    if text.casefold() not in configparser.ConfigParser.BOOLEAN_STATES:
        raise ConfigError(f"{what} must be yes or no, not {text!r}")
    return configparser.ConfigParser.BOOLEAN_STATES[text.casefold()]
