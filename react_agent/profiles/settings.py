"""Read the settings of a person and of a repository.

The person's own file is trusted with everything. The repository's file is read from the base
commit and trusted with little: the answers to hidden tools, and the commands that test it.
"""

import configparser
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.forges.account import Configured, read_configured
from react_agent.gone import SETTINGS
from react_agent.models.endpoint import check_named
from react_agent.parsers.secrets.redaction import is_named_secret
from react_agent.parsers.settings.errors import did_you_mean, yes_or_no
from react_agent.parsers.settings.hidden import KINDS, Hidden, Protocol, Redirect, read_hidden
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.profiles.profile import Budget, with_limits
from react_agent.profiles.profile_file import is_file_name
from react_agent.profiles.section import read_section, setting
from react_agent.tools import disk
from react_agent.tools.mcp import Server

AUTO = "auto"
_COMMANDS = ("test", "lint", "prepare")
_OWN = (
    *("model", "profile", "procedure", "keep", "offer", "withhold", "embeddings"),
    *("sandbox", "network", "web", "python", "facts", "author", "co_author", "speak"),
    *("pre_commit_store", "prepare", "env_file"),
)
_SECTION = "react_agent"
_BUDGET = f"{_SECTION}:budget"
_HIDDEN = f"{_SECTION}:hidden"
_HOOK = f"{_SECTION}:hook"
_MODEL = f"{_SECTION}:model "
_FORGE = f"{_SECTION}:forge "
_MCP = f"{_SECTION}:mcp "
_SERVER = LatePattern(r"[a-z][a-z0-9_]*")
_PERSON = LatePattern(r"[^<>\x00-\x1f]*[^<>\s] <[^<>\s@]+@[^<>\s]+>")
_VARIABLE = LatePattern(
    r"(?:#.*)?|(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*"
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^'\"\s]*))(?:\s+#.*)?"
)
_HARMLESS = (Redirect, Protocol)
_OF_SERVERS = ("command", "url", "tools", "hidden", "variables", "seconds")
_SECTIONS = (_SECTION, _BUDGET, _HIDDEN, _HOOK)


class Speak(StrEnum):
    """The people whose comments are read. The author of the issue counts, too, except with NONE."""

    ALL = "all"
    CONTRIBUTORS = "contributors"
    COLLABORATORS = "collaborators"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class HookPolicy:
    """The limits that a person sets for the hook."""

    runs: int = setting(20, least=0)  # that may begin in a day
    seconds: int = setting(7200, least=0)  # of a day; once they are used, nothing is begun
    check_seconds: int = 120  # that a push may be kept waiting
    block: bool = False  # a push whose checks fail


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the person."""

    model: str | None = None
    profile: str = "issue"
    procedure: str = ""  # roles that take turns: a name, or a file
    keep: bool = False
    embeddings: str | None = None  # the model that `recall` finds by meaning with
    budget: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by their names
    offer: tuple[str, ...] = ()  # tools beside those of the profile
    withhold: tuple[str, ...] = ()
    sandbox: str = "auto"
    network: bool = False  # for commands
    pre_commit_store: bool = False  # shown to pre-commit in sandboxes but bubblewrap, too
    web: tuple[str, ...] = ()  # hosts that may be read
    python: str | None = None  # the interpreter of commands
    env_file: Path | None = None  # holds keys and tokens that the environment lacks
    facts: Path | None = None  # what `lookup` looks into
    forges: Mapping[str, Configured] = field(default_factory=dict)  # by their hosts
    mcp: tuple[Server, ...] = ()
    author: str = ""  # of commits, as NAME <EMAIL>; ours, if there is none
    co_author: tuple[str, ...] = ()
    speak: Speak = Speak.CONTRIBUTORS  # whose comments on an issue a run reads
    prepare: str = ""  # `auto`: an environment for the tests is made, as its files say
    hook: HookPolicy = field(default_factory=HookPolicy)
    gone: tuple[str, ...] = ()  # settings that it has and that are no more
    profiles: Path = field(default=Path("/nonexistent"), compare=False)  # the person's own


@dataclass(frozen=True, slots=True)
class RepositorySettings:
    """The settings of the repository, and those that it may not set."""

    commands: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


def read_settings(path: Path) -> Settings:
    """Read the person's settings; a missing file sets nothing. Raises ConfigError."""
    sections = _sections(_text(path), str(path))
    own = sections.get(_SECTION, {})
    _check_all(sections, own, path)
    models = _models(sections, path.parent)
    try:
        mcp = tuple(_servers(sections))
        check_named(models)
        forges = _forges(sections)
        with_limits(Budget(), sections.get(_BUDGET, {}))
        hook = read_section(HookPolicy(), sections.get(_HOOK, {}), _HOOK)
        _check_kinds(sections.get(_HIDDEN, {}))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return Settings(
        model=own.get("model"),
        profile=_profile(own.get("profile", "issue"), path.parent),
        procedure=_procedure(own.get("procedure", ""), path.parent),
        keep=_switch(own.get("keep", "no"), f"{path}: keep"),
        embeddings=own.get("embeddings") or None,
        budget=sections.get(_BUDGET, {}),
        hidden=_hidden(sections),
        models=models,
        offer=_words(own.get("offer", "")),
        withhold=_words(own.get("withhold", "")),
        sandbox=own.get("sandbox", "auto"),
        network=_switch(own.get("network", "no"), f"{path}: network"),
        pre_commit_store=_switch(own.get("pre_commit_store", "no"), f"{path}: pre_commit_store"),
        web=_words(own.get("web", "")),
        python=own.get("python"),
        env_file=_beside(path, own.get("env_file")),
        facts=_beside(path, own.get("facts")),
        forges=forges,
        mcp=mcp,
        author="".join(_people(own.get("author", ""), f"{path}: author")[:1]),
        co_author=_people(own.get("co_author", ""), f"{path}: co_author"),
        speak=_speak(own.get("speak", Speak.CONTRIBUTORS), f"{path}: speak"),
        prepare=_prepare(own.get("prepare", ""), f"{path}: prepare"),
        hook=hook,
        gone=tuple(name for name in own if name in SETTINGS),
        profiles=path.parent / "profiles",
    )


def keys_of(settings: Settings) -> dict[str, str]:
    """Return the keys and tokens of `env_file`, which has NAME=VALUE lines. Raises ConfigError.

    Other variables are left out: PATH or OPENAI_BASE_URL would change more than a key.
    """
    if settings.env_file is None:
        return {}
    if not settings.env_file.is_file():
        raise ConfigError(f"env_file: there is no file {settings.env_file}")
    named = {model.get("key") for model in settings.models.values()}
    named |= {forge.variable for forge in settings.forges.values()}
    found = dict[str, str]()
    for number, line in enumerate(_text(settings.env_file).split("\n"), 1):
        read = _VARIABLE.fullmatch(line.strip())
        if read is None:  # it may hold a key, and is not shown
            raise ConfigError(f"{settings.env_file}, line {number}: expected NAME=VALUE")
        name = read["name"]
        if name and (name in named or is_named_secret(name)):
            found[name] = read["single"] or read["double"] or read["plain"] or ""
    return found


def _text(path: Path) -> str:
    try:
        return disk.read_text(path, encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text in UTF-8") from None


def _people(text: str, what: str) -> tuple[str, ...]:
    """Return the people that the text lists, one on each line. Raises ConfigError."""
    found = tuple(line.strip() for line in text.split("\n") if line.strip())
    for one in found:
        if _PERSON.fullmatch(one) is None:
            raise ConfigError(f"{what} must be NAME <EMAIL>, not {one!r}")
    return found


def _check_all(sections: Iterable[str], own: Iterable[str], path: Path) -> None:
    others = [name for name in sections if not name.startswith((_MODEL, _FORGE, _MCP))]
    known = (*_SECTIONS, f"{_MODEL}NAME", f"{_FORGE}HOST", f"{_MCP}NAME")
    _check_names(others, known, f"{path}: no section")
    _check_names((name for name in own if name not in SETTINGS), _OWN, f"{path}: no setting")


def _prepare(text: str, where: str) -> str:
    if text not in ("", "no", AUTO):
        raise ConfigError(f"{where} is {AUTO} or no, not {text!r}")
    return "" if text == "no" else text


def _speak(text: str, what: str) -> Speak:
    if text not in list(Speak):
        raise ConfigError(f"{what} must be one of {', '.join(Speak)}, not {text!r}")
    return Speak(text)


def _profile(named: str, folder: Path) -> str:
    """Return the profile; a file name is relative to the folder of the settings."""
    return str(folder / disk.expanduser(Path(named))) if is_file_name(named) else named


def _beside(settings: Path, named: str | None) -> Path | None:
    """Return a file that the settings name; it is relative to their folder."""
    return settings.parent / disk.expanduser(Path(named)) if named else None


def _procedure(named: str, folder: Path) -> str:
    """Return the procedure; a file name is relative to the folder of the settings, too."""
    file = folder / disk.expanduser(Path(named))
    return str(file) if named and file.is_file() else named


def _models(sections: Mapping[str, dict[str, str]], folder: Path) -> dict[str, dict[str, str]]:
    """Return the models by name; a file name is relative to the folder of the settings."""
    models = {
        name.removeprefix(_MODEL).strip(): dict(section)
        for name, section in sections.items()
        if name.startswith(_MODEL)
    }
    for section in models.values():
        if section.get("gguf"):
            section["gguf"] = str(folder / disk.expanduser(Path(section["gguf"])))
    return models


def _forges(sections: Mapping[str, dict[str, str]]) -> dict[str, Configured]:
    hosts = {
        name.removeprefix(_FORGE).strip().lower(): section
        for name, section in sections.items()
        if name.startswith(_FORGE)
    }
    return {host: read_configured(host, section) for host, section in hosts.items()}


def _servers(sections: Mapping[str, dict[str, str]]) -> Iterator[Server]:
    """Yield the MCP servers. Raises ConfigError."""
    for title, section in sections.items():
        name = title.removeprefix(_MCP).strip()
        if not title.startswith(_MCP):
            continue
        server = read_section(Server(name), section, title, _OF_SERVERS)
        if not _SERVER.fullmatch(name):
            raise ConfigError(f"[{title}]: a name has lowercase letters, digits and _")
        if bool(server.command) == bool(server.url):
            raise ConfigError(f"[{title}] needs a command or a url")
        if server.url and not server.url.startswith(("http://", "https://")):
            raise ConfigError(f"[{title}] url must be http://... or https://...")
        if server.url and server.variables:
            raise ConfigError(f"[{title}] variables are for a command, not for a url")
        yield server


def _lines(text: str) -> tuple[str, ...]:
    """Return the items, one on each line or between commas, since a label may contain spaces."""
    return tuple(filter(None, map(str.strip, text.replace(",", "\n").split("\n"))))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _check_names(given: Iterable[str], known: tuple[str, ...], complaint: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        meant = did_you_mean(unknown[0], known)
        raise ConfigError(f"{complaint} {unknown[0]!r}{meant}; there are {', '.join(known)}")


def read_repository_settings(files: Callable[[str], str | None]) -> RepositorySettings:
    """Read the repository's settings at the base, using `files`. Unreadable ones set nothing."""
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


def _check_kinds(hidden: Mapping[str, str]) -> None:
    """Refuse an answer of one or two words whose first is nearly a kind of answer."""
    for name, text in hidden.items():
        word, *more = text.split()
        if len(more) < 2 and (meant := did_you_mean(word, KINDS)):
            raise ConfigError(f"[{_HIDDEN}] {name}: {word!r} is not a kind of answer{meant}")


def _sections(text: str, source: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text, source)
    except configparser.Error as error:
        raise ConfigError(f"{source}: {error.message.splitlines()[0]}") from error
    return {name: _options(name, parser[name]) for name in parser.sections()}


def _options(section: str, given: Mapping[str, str]) -> dict[str, str]:
    """Lower the case of names, but not of hidden names: `tail -F` is not `tail -f`."""
    if section == _HIDDEN:
        return dict(given)
    return {name.lower(): value for name, value in given.items()}


def _switch(text: str, what: str) -> bool:
    try:
        return yes_or_no(text)
    except ValueError:
        raise ConfigError(f"{what} must be yes or no, not {text!r}") from None
