"""Read the settings of the user and of the repository.

The user's own file may contain any setting. The repository's file is read from the base commit and
is less trusted. It may only set replies to hidden tools and the commands that test the repository.
"""

import configparser
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.forges.account import Configured, read_configured
from react_agent.gone import SETTINGS
from react_agent.models.endpoint import check_named
from react_agent.parsers.secrets.redaction import is_named_secret
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.parsers.settings.hidden import Hidden, HiddenKind, read_hidden
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.profiles.profile import Budget, with_limits
from react_agent.profiles.profile_file import NO_FOLDER, is_file_name
from react_agent.profiles.section import read_section, setting, text_of
from react_agent.tools import disk
from react_agent.tools.mcp import Server
from react_agent.tools.sandbox.sandbox import WORDS, is_kind

AUTO = "auto"
_COMMANDS = ("test", "lint", "prepare")
_SECTION = "react_agent"
_BUDGET = f"{_SECTION}:budget"
_HIDDEN = f"{_SECTION}:hidden"
_HOOK = f"{_SECTION}:hook"
_MODEL = f"{_SECTION}:model "
_FORGE = f"{_SECTION}:forge "
_MCP = f"{_SECTION}:mcp "
_SERVER = LatePattern(r"[a-z][a-z0-9_]*")
_OTHERS = ("budget", "hidden", "models", "forges", "mcp", "hook", "gone", "profiles")
_PERSON = LatePattern(r"[^<>\x00-\x1f]*[^<>\s] <[^<>\s@]+@[^<>\s]+>")
_VARIABLE = LatePattern(
    r"(?:#.*)?|(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*"
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^'\"\s]*))(?:\s+#.*)?"
)
_HARMLESS = (HiddenKind.REDIRECT, HiddenKind.PROTOCOL)
_OF_SERVERS = ("command", "url", "tools", "hidden", "variables", "seconds")
_SECTIONS = (_SECTION, _BUDGET, _HIDDEN, _HOOK)
_REPOSITORY, _SHARED = ".react-agent.cfg", "setup.cfg"


class Speak(StrEnum):
    """The people whose comments are read. Except with NONE, the author of the issue is included."""

    ALL = "all"
    CONTRIBUTORS = "contributors"
    COLLABORATORS = "collaborators"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class HookPolicy:
    """The user's limits for runs that are started by the git hook."""

    runs: int = setting(20, least=0)  # that may begin in a day
    seconds: int = setting(7200, least=0)  # of a day; once they are used, nothing is begun
    check_seconds: int = 120  # that a push may be kept waiting
    block: bool = False  # a push whose checks fail


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _people(text: str) -> tuple[str, ...]:
    """Parse a list of people, with one person on each line."""
    found = tuple(line.strip() for line in text.split("\n") if line.strip())
    if not all(map(_PERSON.fullmatch, found)):
        raise ValueError("must be NAME <EMAIL>")
    return found


def _sandbox(text: str) -> str:
    if not is_kind(text):
        raise ValueError(f"must be {WORDS}")
    return text


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's settings."""

    model: str | None = None
    profile: str = "issue"
    procedure: str = ""  # roles that take turns: a name, or a file
    keep: bool = False
    offer: tuple[str, ...] = setting((), read=_words)  # tools beside those of the profile
    withhold: tuple[str, ...] = setting((), read=_words)
    embeddings: str | None = None  # the model that `recall` finds by meaning with
    sandbox: str = setting(AUTO, read=_sandbox)
    network: bool = False  # for commands
    web: tuple[str, ...] = setting((), read=_words)  # hosts that may be read
    python: str | None = None  # the interpreter of commands
    facts: Path | None = None  # what `lookup` looks into
    author: str = setting("", read=lambda text: "".join(_people(text)[:1]))  # of commits
    co_author: tuple[str, ...] = setting((), read=_people)
    speak: Speak = Speak.CONTRIBUTORS  # whose comments a run reads
    pre_commit_store: bool = False  # shown in sandboxes but bubblewrap, too
    prepare: str = setting("no", known=("no", AUTO))  # an environment for the tests
    env_file: Path | None = None  # holds keys and tokens that the environment lacks
    budget: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by their names
    forges: Mapping[str, Configured] = field(default_factory=dict)  # by their hosts
    mcp: tuple[Server, ...] = ()
    hook: HookPolicy = field(default_factory=HookPolicy)
    gone: tuple[str, ...] = ()  # settings that it has and that are no more
    profiles: Path = field(default=NO_FOLDER, compare=False)  # the person's own


@dataclass(frozen=True, slots=True)
class RepositorySettings:
    """The repository's settings, and messages about settings that it is not allowed to change."""

    commands: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


def read_settings(path: Path) -> Settings:
    """Read the user's settings, or return defaults without a file. Raises ConfigError."""
    sections, folder = _sections(text_of(path) or "", str(path)), path.parent
    given = sections.get(_SECTION, {})
    models = _named(sections, _MODEL)
    for model in models.values():
        if model.get("gguf"):
            model["gguf"] = str(_beside(folder, model["gguf"]))
    try:
        _check_names(sections)
        own = read_section(
            Settings(),
            {name: text for name, text in given.items() if name not in SETTINGS},
            _SECTION,
            [one.name for one in fields(Settings) if one.name not in _OTHERS],
        )
        check_named(models)
        forges = _named(sections, _FORGE)
        with_limits(Budget(), sections.get(_BUDGET, {}))
        procedure = _beside(folder, own.procedure)
        return replace(
            own,
            profile=str(_beside(folder, own.profile)) if is_file_name(own.profile) else own.profile,
            procedure=str(procedure) if own.procedure and procedure.is_file() else own.procedure,
            facts=own.facts and _beside(folder, own.facts),
            env_file=own.env_file and _beside(folder, own.env_file),
            budget=sections.get(_BUDGET, {}),
            hidden=_hidden(sections),
            models=models,
            forges={one.lower(): read_configured(one.lower(), forges[one]) for one in forges},
            mcp=tuple(_servers(sections)),
            hook=read_section(HookPolicy(), sections.get(_HOOK, {}), _HOOK),
            gone=tuple(name for name in given if name in SETTINGS),
            profiles=folder / "profiles",
        )
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def keys_of(settings: Settings) -> dict[str, str]:
    """Return the keys and tokens in `env_file`, which has NAME=VALUE lines. Raises ConfigError.

    Other variables such as PATH or OPENAI_BASE_URL are ignored, since they could change more
    than credentials.
    """
    if settings.env_file is None:
        return {}
    if not settings.env_file.is_file():
        raise ConfigError(f"env_file: there is no file {settings.env_file}")
    named = {model.get("key") for model in settings.models.values()}
    named |= {forge.variable for forge in settings.forges.values()}
    found = dict[str, str]()
    for number, line in enumerate((text_of(settings.env_file) or "").split("\n"), 1):
        read = _VARIABLE.fullmatch(line.strip())
        if read is None:  # it may hold a key, and is not shown
            raise ConfigError(f"{settings.env_file}, line {number}: expected NAME=VALUE")
        name = read["name"]
        if name and (name in named or is_named_secret(name)):
            found[name] = read["single"] or read["double"] or read["plain"] or ""
    return found


def _check_names(sections: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse an unknown section, and a short answer of a hidden tool that misspells its kind."""
    known = (*_SECTIONS, f"{_MODEL}NAME", f"{_FORGE}HOST", f"{_MCP}NAME")
    for name in sorted(sections):
        if name not in _SECTIONS and not name.startswith((_MODEL, _FORGE, _MCP)):
            meant = did_you_mean(name, known)
            raise ConfigError(f"no section {name!r}{meant}; choose from {', '.join(known)}")
    for name, text in sections.get(_HIDDEN, {}).items():
        word, *more = text.split() or [""]
        if len(more) < 2 and (meant := did_you_mean(word, HiddenKind)):
            raise ConfigError(f"[{_HIDDEN}] {name}: {word!r} is not a kind of answer{meant}")
        if not more and word in tuple(HiddenKind) and read_hidden(word).text:
            raise ConfigError(f"[{_HIDDEN}] {name}: {word} needs a tool or a text behind it")


def _beside(folder: Path, named: str | Path) -> Path:
    """Return the path of a file in the settings, relative to the folder of the settings file."""
    return folder / disk.expanduser(Path(named))


def _named(sections: Mapping[str, dict[str, str]], kind: str) -> dict[str, dict[str, str]]:
    """Return the sections of one kind, keyed by the names in their titles."""
    return {
        title.removeprefix(kind).strip(): dict(section)
        for title, section in sections.items()
        if title.startswith(kind)
    }


def _servers(sections: Mapping[str, dict[str, str]]) -> Iterator[Server]:
    """Yield the configured MCP servers. Raises ConfigError."""
    for name, section in _named(sections, _MCP).items():
        title = f"{_MCP}{name}"
        server = read_section(Server(name), section, title, _OF_SERVERS)
        if not _SERVER.fullmatch(name):
            raise ConfigError(f"[{title}]: a name has lowercase letters, digits and _")
        try:
            words = shlex.split(server.command)
        except ValueError as error:
            raise ConfigError(f"[{title}] command: {error}") from None
        if bool(words) == bool(server.url):
            raise ConfigError(f"[{title}] needs a command or a url")
        if server.url and not server.url.startswith(("http://", "https://")):
            raise ConfigError(f"[{title}] url must be http://... or https://...")
        if server.url and server.variables:
            raise ConfigError(f"[{title}] variables are for a command, not for a url")
        yield server


def read_repository_settings(files: Callable[[str], str | None]) -> RepositorySettings:
    """Read the repository's settings at the base commit. Invalid settings are not applied."""
    for name in (_REPOSITORY, _SHARED):
        text = files(name) or ""
        if not text.strip() or (name == _SHARED and f"[{_SECTION}" not in text):
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
    harmless = {name: entry for name, entry in hidden.items() if entry.kind in _HARMLESS}
    refused += [name for name in hidden if name not in harmless]
    told = [f"{source} may not set {name!r}" for name in refused]
    if source == _REPOSITORY:
        others = (name for name in sections if name.partition(":")[0] != _SECTION)
        told += [
            f"{source} has no section {name!r}{did_you_mean(name, (_SECTION, _HIDDEN))}"
            for name in others
        ]
    commands = {name: value for name, value in own.items() if name in _COMMANDS}
    return RepositorySettings(commands, harmless, tuple(told))


def _hidden(sections: Mapping[str, Mapping[str, str]]) -> dict[str, Hidden]:
    return {name: read_hidden(text) for name, text in sections.get(_HIDDEN, {}).items()}


def _sections(text: str, source: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text, source)
    except configparser.MissingSectionHeaderError as error:
        expected = f"expected a section such as [{_SECTION}]"
        raise ConfigError(f"{source}, line {error.lineno}: {expected}") from error
    except configparser.ParsingError as error:  # the line may hold a key, and is not shown
        raise ConfigError(f"{source}, line {error.errors[0][0]}: expected NAME = VALUE") from error
    except (configparser.DuplicateSectionError, configparser.DuplicateOptionError) as error:
        said = error.message.partition("]: ")[2]
        raise ConfigError(f"{source}, line {error.lineno}: {said}") from error
    # Hidden names keep their case: `tail -F` is not `tail -f`.
    return {
        title: {
            name if title == _HIDDEN else name.lower(): text for name, text in parser[title].items()
        }
        for title in parser.sections()
    }
