"""The text of a profile: sections of named values, each with the line it stands in.

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


@dataclass(slots=True)
class _Reader:
    sections: dict[str, Section] = field(default_factory=dict)
    settings: dict[str, Setting] | None = None  # of the section that is open
    name: str = ""  # of the setting that is open
    lines: list[str] = field(default_factory=list)  # of its text
    began: int = 0

    def take(self, number: int, line: str) -> None:
        if line.lstrip().startswith("#"):
            return
        if not line.strip() or line[0].isspace():
            self._go_on(number, line)
            return
        self.close()
        if line.startswith("[") and line.endswith("]"):
            self._open(number, line[1:-1].strip())
        else:
            self._set(number, line)

    def close(self) -> None:
        if self.name and self.settings is not None:
            self.settings[self.name] = Setting(_text(self.lines), self.began)
        self.name, self.lines = "", []

    def _go_on(self, number: int, line: str) -> None:
        if self.name:
            self.lines.append(line)
        elif line.strip():
            raise parse_error(number, _EXPECTED, line.strip())

    def _open(self, number: int, name: str) -> None:
        if name in self.sections:
            raise parse_error(number, f"[{name}] once, as in line {self.sections[name].line}", name)
        self.settings = {}
        self.sections[name] = Section(name, self.settings, number)

    def _set(self, number: int, line: str) -> None:
        name, equals, text = line.partition("=")
        name = name.strip()
        if not equals or not name:
            raise parse_error(number, _EXPECTED, line)
        if self.settings is None:
            raise parse_error(number, "[SECTION] first", line)
        if name in self.settings:
            first = self.settings[name].line
            raise parse_error(number, f"{name} once, as in line {first}", line)
        self.name, self.lines, self.began = name, [text.strip()], number


def read_sections(text: str) -> tuple[Section, ...]:
    """Raises ParseError."""
    reader = _Reader()
    for number, line in enumerate(textwrap.dedent(text).split("\n"), 1):
        reader.take(number, line.rstrip())
    reader.close()
    return tuple(reader.sections.values())


def _text(lines: list[str]) -> str:
    """The indent that all lines have in common is none of the text."""
    return "\n".join([lines[0], *textwrap.dedent("\n".join(lines[1:])).split("\n")]).strip("\n")
