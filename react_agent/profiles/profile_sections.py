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
from react_agent.guards.points import CHECKS, GATE
from react_agent.parsers.settings.errors import yes_or_no
from react_agent.parsers.settings.hidden import Hidden, How, read_hidden
from react_agent.parsers.settings.profile_text import Section
from react_agent.profiles.profile import BackPolicy, Budget, Patience, Place, Policy
from react_agent.profiles.section import read_section
from react_agent.prompt.hints import KINDS as HINTS
from react_agent.tools.context import Limits

HEAD, PROMPT = "profile", "prompt"
COMPRESS, STUCK, BACKTRACK = "compress", "stuck", "backtrack"
HIDDEN = ("hidden", "hidden without network")
BASED_ON = "based on"
MORE = "more notes"  # behind those of the base
MODEL = "model"
ABOUT = ("environment", "user", "repo_map", "issue", "files")
OFF = ("alias", *How, "redirect", "protocol", "unoffered")
WORDS = ("never", "wanted", "always")  # where a pull request is wanted


@dataclass(frozen=True, slots=True)
class OneName:
    field: str  # of Profile
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class WholeSection:
    field: str  # of Profile
    read: Callable[[Mapping[str, str]], Any]


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _some_of(known: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        for word in text.split():
            if word not in known:
                raise ValueError(f"expected some of {', '.join(known)}, found {word!r}")
        return words(text)

    return read


def _words(text: str) -> str:
    if text not in WORDS:
        raise ValueError(f"expected one of {', '.join(WORDS)}, found {text!r}")
    return text


def _hidden(given: Mapping[str, str]) -> dict[str, Hidden]:
    return {name: read_hidden(answer) for name, answer in given.items()}


def _checks(given: Mapping[str, str]) -> tuple[str, ...]:
    """Of a Conclusion."""
    for name in given:
        if name != "checks":
            raise ValueError(f"[{GATE}] has nothing but checks, not {name!r}")
    return _some_of(CHECKS)(given.get("checks", ""))


# of [profile] and [prompt]
NAMES: Mapping[str, Mapping[str, OneName]] = {
    HEAD: {
        "name": OneName("name", str),
        "summary": OneName("summary", str),
        "tools": OneName("tools", words),
        "unoffered": OneName("unoffered", words),
        "off": OneName("off", _some_of(OFF)),
        "about": OneName("about", _some_of(ABOUT)),
        "guards": OneName("guards", words),
        "tests after edit": OneName("tests_after_edit", yes_or_no),
        "repair": OneName("repair", yes_or_no),
        "edit without label": OneName("edit_without_label", yes_or_no),
        "gate": OneName("gate", yes_or_no),
        "words": OneName("words", _words),
        "plan": OneName("plan", yes_or_no),
        "hints": OneName("hints", _some_of(HINTS)),
    },
    PROMPT: {
        "role": OneName("role", str),
        "opening": OneName("opening", str),
        "format": OneName("format", str),
        "notes": OneName("notes", str),
        "monologue": OneName("monologue", str),
    },
}
SECTIONS: Mapping[str, WholeSection] = {
    "budget": WholeSection("budget", partial(read_section, Budget(), section="budget")),
    "limits": WholeSection("limits", partial(read_section, Limits(), section="limits")),
    COMPRESS: WholeSection("policy", partial(read_section, Policy(), section=COMPRESS)),
    GATE: WholeSection("checks", _checks),
    STUCK: WholeSection("patience", partial(read_section, Patience(), section=STUCK)),
    BACKTRACK: WholeSection("back", partial(read_section, BackPolicy(), section=BACKTRACK)),
    HIDDEN[0]: WholeSection("hidden", _hidden),
    HIDDEN[1]: WholeSection("hidden_offline", _hidden),
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
