"""Read the text of a profile: sections of named values, each with its line number.

file    = (blank | comment | section)*
section = "[" name "]" (blank | comment | setting)*
setting = name "=" text (indented line | blank)*
comment = "#" anything, in a line of its own
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from react_agent.parsers.settings.errors import parse_error

_EXPECTED = "[SECTION] or NAME = VALUE"


@dataclass(frozen=True, slots=True)
class Setting:
    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    settings: Mapping[str, Setting]
    line: int = field(default=0, compare=False)


def read_sections(text: str) -> tuple[Section, ...]:
    """Return the sections. Raises ParseError."""
    found: dict[str, tuple[int, dict[str, tuple[int, list[str]]]]] = {}
    settings: dict[str, tuple[int, list[str]]] = {}  # of the section that is open
    lines: list[str] | None = None  # of the setting that is open
    for number, raw in enumerate(textwrap.dedent(text).split("\n"), 1):
        line = raw.rstrip()
        if line.lstrip().startswith("#"):
            continue
        name, equals, rest = line.partition("=")
        name = name.strip()
        if not line or line[0].isspace():
            if line and lines is None:
                raise parse_error(number, _EXPECTED, line.strip())
            (lines if lines is not None else []).append(line)
        elif line[0] == "[" and line[-1] == "]":
            name = line[1:-1].strip()
            if name in found:
                raise parse_error(number, f"[{name}] once, as in line {found[name][0]}", name)
            settings, lines = {}, None
            found[name] = (number, settings)
        elif not equals or not name:
            raise parse_error(number, _EXPECTED, line)
        elif not found:
            raise parse_error(number, "[SECTION] first", line)
        elif name in settings:
            raise parse_error(number, f"{name} once, as in line {settings[name][0]}", line)
        else:
            lines = [rest.strip()]
            settings[name] = (number, lines)
    return tuple(
        Section(name, {key: Setting(_text(lines), at) for key, (at, lines) in own.items()}, number)
        for name, (number, own) in found.items()
    )


def _text(lines: list[str]) -> str:
    """Return the text of a setting, without the common indentation of its continuation lines."""
    return "\n".join([lines[0], *textwrap.dedent("\n".join(lines[1:])).split("\n")]).strip("\n")
