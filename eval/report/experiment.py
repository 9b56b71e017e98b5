"""What is reported on: the attempts of an experiment, and what was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.text import Text

from react_agent.eval.report.statistics import Group
from react_agent.eval.report.table import shown
from react_agent.eval.task import Record, Verdict
from react_agent.loop.transcript import NAME
from react_agent.parsers.transcript.entries import Close
from react_agent.parsers.transcript.labels import BOOKKEEPING
from react_agent.tools import disk


@dataclass(frozen=True, slots=True)
class Experiment:
    name: str
    records: Sequence[Record]
    about: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)  # what each arm is, in a line
    folder: Path | None = None
    waiting: int = 0  # attempts that are not done yet
    instances: int = 0  # of the set, done or not

    @property
    def title(self) -> str:
        """In which a part is not taken for all."""
        done = len(self.records)
        part = f", {done:,} of {done + self.waiting:,} attempts" if self.waiting else ""
        return f"{self.name}{part}"

    @property
    def arms(self) -> dict[str, list[Record]]:
        """In the order in which they were asked for."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.key.arm, []).append(record)
        return found


def is_judged(record: Record) -> bool:
    """Counted for or against the model: what surrounds it did not fail, and there are tests."""
    return not record.is_infrastructure and record.verdict is not Verdict.UNGRADED


def judged(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if is_judged(record)]


def groups(records: Sequence[Record]) -> list[Group]:
    """The tries of each instance that were judged."""
    found: dict[str, list[bool]] = {}
    for record in judged(records):
        found.setdefault(record.key.instance, []).append(record.is_resolved)
    return [Group(sum(tries), len(tries)) for tries in found.values()]


_ENDS = tuple(f"{BOOKKEEPING} {close}:".encode() for close in (Close.OBJECTIVE, Close.SEEN))
_MARK = BOOKKEEPING.encode()


def link(record: Record, below: Path | None, indent: str) -> list[Text]:
    """Its path below a folder that was named, and the line; no line where there is no file."""
    if record.folder is None or not (file := record.folder / NAME).is_file():
        return []
    path = file.relative_to(below) if below and file.is_relative_to(below) else file
    line = f":{_line(file, record.step)}" if record.step else ""
    address = file.absolute().as_uri()
    return [Text.assemble(indent, (shown(f"{path}{line}"), f"link {address}"))]


def _line(file: Path, step: int) -> int:
    """On which it begins: behind the end of the one before, or of the objective."""
    ended = 0
    with disk.opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith(_ENDS):
                ended += 1
            elif ended == step and not line.startswith(_MARK):
                return number
    return 1
