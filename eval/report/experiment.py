"""What is reported on: the attempts of an experiment, and what was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.eval.record import Record
from react_agent.eval.report.intervals import Group
from react_agent.eval.verdict import Verdict


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
