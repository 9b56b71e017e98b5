"""The sections and names of a profile: who reads each, and which field it becomes.

A reader raises ValueError or ConfigError with a line that says what is wrong; where it stands is
found out by whoever calls it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from react_agent.errors import ConfigError
from react_agent.guards.points import GATE
from react_agent.parsers.settings.hidden import Hidden, read_hidden
from react_agent.parsers.settings.profile_text import Section
from react_agent.profiles.profile import BackPolicy, Budget, Patience, Place, Policy, Profile
from react_agent.profiles.section import read_section
from react_agent.tools.context import Limits

HEAD, PROMPT = "profile", "prompt"
COMPRESS, STUCK, BACKTRACK = "compress", "stuck", "backtrack"
HIDDEN = ("hidden", "hidden without network")
BASED_ON = "based on"
MORE = "more notes"  # behind those of the base
MODEL = "model"


Read = Callable[[Mapping[str, str]], Any]


def _hidden(given: Mapping[str, str]) -> dict[str, Hidden]:
    return {name: read_hidden(answer) for name, answer in given.items()}


def _checks(given: Mapping[str, str]) -> tuple[str, ...]:
    """Of a Conclusion."""
    return read_section(Profile(), given, GATE, ("checks",)).checks


# Names of [profile] and [prompt]; the field of Profile has `_` for each space.
NAMES: Mapping[str, tuple[str, ...]] = {
    HEAD: (
        *("name", "summary", "tools", "unoffered", "off", "about", "guards", "tests after edit"),
        *("repair", "edit without label", "gate", "words", "final tests", "plan", "hints"),
    ),
    PROMPT: ("role", "opening", "format", "notes", "monologue"),
}
# Sections that are a field, and their readers.
SECTIONS: Mapping[str, tuple[str, Read]] = {
    "budget": ("budget", partial(read_section, Budget(), section="budget")),
    "limits": ("limits", partial(read_section, Limits(), section="limits")),
    COMPRESS: ("policy", partial(read_section, Policy(), section=COMPRESS)),
    GATE: ("checks", _checks),
    STUCK: ("patience", partial(read_section, Patience(), section=STUCK)),
    BACKTRACK: ("back", partial(read_section, BackPolicy(), section=BACKTRACK)),
    HIDDEN[0]: ("hidden", _hidden),
    HIDDEN[1]: ("hidden_offline", _hidden),
}
# names of a section that are no field
ALSO = {HEAD: (BASED_ON,), PROMPT: (MORE,)}
_NOT_AMENDED = ("name", "summary")


@dataclass(frozen=True, slots=True)
class Amendment:
    """`[model PATTERN]` is of [profile] and [prompt], `[model PATTERN SECTION]` of another."""

    pattern: str
    section: str

    def is_for(self, model: str) -> bool:
        return bool(model) and fnmatchcase(model.casefold(), self.pattern.casefold())

    def section_of(self, name: str) -> str:
        """The one that a name of it stands for."""
        return self.section or (HEAD if name in NAMES[HEAD] else PROMPT)


def amendment(section: str) -> Amendment | None:
    word, _, rest = section.partition(" ")
    pattern, _, of = rest.strip().partition(" ")
    return Amendment(pattern, of.strip()) if word == MODEL and pattern else None


def check_names(section: Section, source: str) -> None:
    """What is misspelled would silently be as if it were not there. Raises ConfigError."""
    known = _known_names(section.name)
    if known is None:
        sections = ", ".join(f"[{name}]" for name in (*NAMES, *SECTIONS))
        raise ConfigError(
            f"profile {Place(source, section.line)}: expected one of {sections}, "
            f"[{MODEL} PATTERN], [{MODEL} PATTERN SECTION], found '[{section.name}]'"
        )
    for name, setting in section.settings.items():
        if known and name not in known:
            where = Place(source, setting.line)
            raise ConfigError(
                f"profile {where}: expected one of {', '.join(known)}, found {name!r}"
            )


def _known_names(section: str) -> tuple[str, ...] | None:
    """Empty: its own reader knows them; none: there is no such section."""
    if section in NAMES:
        return (*NAMES[section], *ALSO[section])
    amended = amendment(section)
    if amended and not amended.section:
        names = (*NAMES[HEAD], *NAMES[PROMPT], MORE)
        return tuple(name for name in names if name not in _NOT_AMENDED)
    return () if (amended.section if amended else section) in SECTIONS else None
