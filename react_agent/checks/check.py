"""What a repository's own checks say of a change."""

from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line

_NAME, _NOTE = 60, 300  # characters


class Verdict(StrEnum):
    PASSED = "passed"
    FIXED = "fixed"  # it has changed files, and that was taken
    FAILED = "failed"
    BEFORE = "failed before too"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    verdict: Verdict
    note: str = ""  # on one line: why, or what it changed
    said: str = ""  # in its own words, a few lines, where it failed

    @property
    def line(self) -> str:
        """Of a configuration that anybody may have written: one line, of no great length."""
        name, note = _plain(self.name, _NAME), _plain(self.note, _NOTE)
        return f"{name}: {self.verdict}" + (f": {note}" if note else "")


def _plain(text: str, most: int) -> str:
    return clip_line(escape(one_line(text)), most)


@dataclass(frozen=True, slots=True)
class Checked:
    tree: str  # with what formatters made of it
    checks: tuple[Check, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(check.line for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """What the change is to blame for."""
        return tuple(check for check in self.checks if check.verdict is Verdict.FAILED)
