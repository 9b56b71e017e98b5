"""A profile: what a model is told, offered and allowed, read from a plain-text file."""

import configparser
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from react_agent.errors import ConfigError
from react_agent.parsers.hidden import Hidden, read_hidden
from react_agent.tools.context import Limits


@dataclass(frozen=True, slots=True)
class Budget:
    steps: int = 40
    prompt_tokens: int = 2_000_000  # sent in all calls of a run
    seconds: float = 3600.0
    money: float | None = None  # counts only where a price is known
    window: int = 100_000  # of one prompt with the reply to it
    reply: int = 4_000  # tokens of one reply
    malformed: int = 3  # unreadable replies in a row
    overuse: int = 3  # the same call, with the same result, in a row


@dataclass(frozen=True, slots=True)
class Profile:
    name: str
    summary: str
    tools: tuple[str, ...]  # offered
    guards: tuple[str, ...]
    unoffered: tuple[str, ...] = ()  # tools that answer all the same
    about: tuple[str, ...] = ()  # what a prompt tells of the repository
    budget: Budget = Budget()
    role: str = ""
    opening: str = ""
    format: str = ""
    notes: str = ""
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    hidden_offline: Mapping[str, Hidden] = field(default_factory=dict)  # without a network
    limits: Limits = field(default_factory=Limits)  # of what tools show
    off: tuple[str, ...] = ()  # kinds of hidden tools that do not answer
    tests_after_edit: bool = False  # run the nearest ones


def find_profile(name: str, own: Path) -> Profile:
    """One of the person's own folder, or a shipped one."""
    file = own / f"{name}.cfg"
    if "/" in name or not file.is_file():
        return shipped(name)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not text in UTF-8") from None
    return replace(read_profile(text, str(file)), name=name)


def shipped(name: str) -> Profile:
    return read_profile(_shipped_text(name), name)


def _shipped_text(name: str) -> str:
    source = resources.files("react_agent.profiles") / f"{name}.cfg"
    if "/" in name or not source.is_file():
        raise ConfigError(f"there is no profile {name!r}")
    return source.read_text(encoding="utf-8")


def read_profile(text: str, source: str) -> Profile:
    """What it does not say, the shipped one says that it is based on."""
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes="#", delimiters="=")
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text, source)
        if based_on := parser.get("profile", "based on", fallback=""):
            parser.clear()
            parser.read_string(_base_text(based_on, source), based_on)
            parser.read_string(text, source)
        _check_names(parser, source)
        head, prompt = parser["profile"], parser["prompt"]
        return Profile(
            name=head["name"],
            summary=head.get("summary", ""),
            tools=tuple(head["tools"].split()),
            guards=tuple(head.get("guards", "").split()),
            unoffered=tuple(head.get("unoffered", "").split()),
            about=tuple(head.get("about", "").split()),
            budget=_budget(_section(parser, "budget"), source),
            **{part: _block(prompt.get(part, "")) for part in _PROMPT_PARTS},
            hidden=_hidden(parser, "hidden"),
            hidden_offline=_hidden(parser, "hidden without network"),
            limits=_limits(_section(parser, "limits"), source),
            off=tuple(head.get("off", "").split()),
            tests_after_edit=head.getboolean("tests after edit", fallback=False),
        )
    except ValueError as error:
        raise ConfigError(f"profile {source}: {error}") from error
    except configparser.Error as error:
        raise ConfigError(f"profile {source}: {error.message.splitlines()[0]}") from error
    except KeyError as error:
        raise ConfigError(f"profile {source}: {error} is missing") from error


def _base_text(name: str, source: str) -> str:
    try:
        return _shipped_text(name)
    except ConfigError:
        raise ConfigError(f"profile {source}: {name!r} is no profile to be based on") from None


def _check_names(parser: configparser.ConfigParser, source: str) -> None:
    """What is misspelled would silently be as if it were not there."""
    unknown = [f"[{name}]" for name in parser.sections() if name not in _SECTIONS]
    for section, known in (("profile", _HEAD), ("prompt", _PROMPT_PARTS)):
        unknown += [name for name in _section(parser, section) if name not in known]
    about = parser.get("profile", "about", fallback="").split()
    unknown += [f"about = {word}" for word in about if word not in ABOUT]
    if unknown:
        raise ConfigError(f"profile {source}: nothing is known of {unknown[0]!r}")


_HEAD = (
    *("name", "summary", "based on", "tools", "unoffered", "off", "about", "guards"),
    "tests after edit",
)
ABOUT = ("environment", "repo_map")
_SECTIONS = ("profile", "budget", "limits", "prompt", "hidden", "hidden without network")
_PROMPT_PARTS = ("role", "opening", "format", "notes")


def _budget(given: Mapping[str, str], source: str) -> Budget:
    try:
        return with_limits(Budget(), given)
    except ConfigError as error:
        raise ConfigError(f"profile {source}: {error}") from None


_WHOLE = ("steps", "prompt_tokens", "window", "reply", "malformed", "overuse")


def with_limits(budget: Budget, given: Mapping[str, str]) -> Budget:
    """The budget with the given ones in place of its own. Raises ConfigError."""
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if name not in Budget.__dataclass_fields__:
            raise ConfigError(f"there is no budget {name!r}")
        try:
            number = int(value) if name in _WHOLE else float(value)
        except ValueError:
            kind = "whole number" if name in _WHOLE else "number"
            raise ConfigError(f"the budget {name} must be a {kind}, not {value!r}") from None
        if not 0 < number < math.inf:
            raise ConfigError(f"the budget {name} must be more than nothing, not {value!r}")
        changed[name] = number
    return replace(budget, **changed)


def _limits(given: Mapping[str, str], source: str) -> Limits:
    """Of what tools show, and how long a command may take."""
    known: dict[str, Any] = {name: getattr(Limits(), name) for name in Limits.__dataclass_fields__}
    for name, value in given.items():
        if name not in known or not value.isdecimal() or not int(value):
            names = ", ".join(known)
            raise ConfigError(f"profile {source}: limits are whole numbers of {names}")
        known[name] = type(known[name])(value)
    return Limits(**known)


def limits_of(budget: Budget) -> dict[str, str]:
    """What `with_limits` reads back."""
    values = {name: getattr(budget, name) for name in Budget.__dataclass_fields__}
    return {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in values.items()
        if value is not None
    }


def _hidden(parser: configparser.ConfigParser, section: str) -> dict[str, Hidden]:
    return {name: read_hidden(answer) for name, answer in _section(parser, section).items()}


def _section(parser: configparser.ConfigParser, name: str) -> Mapping[str, str]:
    return parser[name] if name in parser else {}  # noqa: SIM401 - `get` gives no section


def _block(text: str) -> str:
    """configparser keeps the line ends of an indented block and takes its indent away."""
    return text.strip("\n")
