"""The input of a report: the attempts of a stored experiment, and the two sides of a comparison."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.report.statistics import EmptyScore, Pair
from react_agent.eval.report.summary import is_judged, listed
from react_agent.eval.store import store as stores
from react_agent.eval.store.database import NAME
from react_agent.eval.store.files import find_experiment
from react_agent.eval.task import Arm, Instance, Record
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import experiments_folder


@dataclass(frozen=True, slots=True)
class Experiment:
    name: str
    records: Sequence[Record]
    about: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)  # a one-line description of each arm
    folder: Path | None = None
    waiting: int = 0  # attempts that are not done yet
    instances: Mapping[str, Instance] = field(default_factory=dict)  # of the set, done or not

    @property
    def title(self) -> str:
        """Return the name, with the number of finished attempts if some are still waiting."""
        done = len(self.records)
        part = f", {done:,} of {done + self.waiting:,} attempts" if self.waiting else ""
        return f"{self.name}{part}"

    @property
    def arms(self) -> dict[str, list[Record]]:
        """Return the records by arm, in the order of the experiment."""
        return by_arm(self.records)


def by_arm(records: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record.key.arm, []).append(record)
    return found


def experiment(named: str) -> Experiment:
    """Read an experiment by its folder or a name prefix. Raises UsageError or MachineError."""
    return read_experiment(find_experiment(named, experiments_folder()))


def read_experiment(folder: Path) -> Experiment:
    with closing(stores.open(folder)) as store:
        return Experiment(
            folder.name,
            store.records(),
            store.about,
            {arm.name: _way(arm) for arm in store.arms},
            folder,
            len(store.waiting()),
            {one.id: one for one in store.instances()},
        )


def _way(arm: Arm) -> str:
    without = f", without {listed(arm.without)}" if arm.without else ""
    budget = "".join(f", {name} {value}" for name, value in arm.budget.items())
    return f"{arm.model}, profile {arm.profile}{without}{budget}"


@dataclass(frozen=True, slots=True)
class Side:
    label: str  # EXP:ARM
    records: Sequence[Record]
    model: str = ""


Both = tuple[Record, Record]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two sides of a comparison. Attempts with the same number are compared if both are judged."""

    first: Side
    second: Side
    different: Collection[str] = ()  # instances whose tasks differ between the sides

    @property
    def both(self) -> list[Both]:
        first, second = (filter(is_judged, side.records) for side in (self.first, self.second))
        others = {(one.key.instance, one.key.number): one for one in second}
        found = ((one, others.get((one.key.instance, one.key.number))) for one in first)
        return [
            (one, other) for one, other in found if other and one.key.instance not in self.different
        ]

    @property
    def pairs(self) -> list[Pair]:
        tries: dict[str, list[Both]] = {}
        for one, other in self.both:
            tries.setdefault(one.key.instance, []).append((one, other))
        if not tries:
            first, second = self.first.label, self.second.label
            raise EmptyScore(f"no attempt was judged in both {first} and {second}")
        return [
            Pair(
                sum(one.is_resolved for one, _ in found),
                sum(other.is_resolved for _, other in found),
                len(found),
            )
            for found in tries.values()
        ]


def compared(first: str, second: str) -> Compared:
    """Compare two sides, given as EXP, or as EXP:ARM if an experiment has several arms."""
    (one, its), (other, others) = _side(first), _side(second)
    shared = its.keys() & others.keys()
    return Compared(
        one, other, {id for id in shared if _question(its[id]) != _question(others[id])}
    )


def _side(named: str) -> tuple[Side, Mapping[str, Instance]]:
    name, colon, arm = named.rpartition(":")
    if not colon or (Path(named) / NAME).is_file():  # a folder may have a colon in its name
        name, arm = named, ""
    found = experiment(name)
    arm = _arm(found, arm, name)
    records = found.arms.get(arm, [])
    return Side(f"{found.name}:{arm}", records, found.ways[arm]), found.instances


def _arm(found: Experiment, arm: str, named: str) -> str:
    names = list(found.ways)
    if arm in names:
        return arm
    if not arm and len(names) == 1:
        return names[0]
    said = f"{escape(named)} has the arms {escape(', '.join(names))}"
    raise UsageError(f"{said}, and no {escape(arm)}" if arm else f"{said}: say {escape(named)}:ARM")


def _question(one: Instance) -> tuple[object, ...]:
    """Return the values that define the task, wherever its repository is stored."""
    return one.base, one.problem, one.test_patch, {*one.fail_to_pass}, {*one.pass_to_pass}
