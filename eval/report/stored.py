"""Experiments by their names, as reports want them."""

import contextlib
from dataclasses import replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.report.compared import Compared, Side
from react_agent.eval.report.experiment import Experiment
from react_agent.eval.report.sections import short_names
from react_agent.eval.report.table import listed
from react_agent.eval.store import store as stores
from react_agent.eval.store.database import NAME
from react_agent.eval.store.files import find_experiment
from react_agent.eval.task import Arm, Instance
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import experiments_folder


def experiment(named: str) -> Experiment:
    """Its folder, or the start of its name. Raises UsageError, MachineError."""
    return read(find_experiment(named, experiments_folder()))


def read(folder: Path) -> Experiment:
    with contextlib.closing(stores.open(folder)) as store:
        ways = {arm.name: way(arm) for arm in store.arms}
        records, waiting, instances = store.records(), store.waiting(), store.instances()
        names = short_names(one.repo for one in instances)
        records = [replace(one, repo=names[one.repo]) for one in records]
        sizes = len(waiting), len(instances)
        return Experiment(folder.name, records, store.about, ways, folder, *sizes)


def compared(first: str, second: str) -> Compared:
    """EXP, or EXP:ARM where it has several."""
    (one, its), (other, others) = _side(first), _side(second)
    same = {id for id in its.keys() & others.keys() if _asks_the_same(its[id], others[id])}
    return Compared(one, other, frozenset(its.keys() & others.keys() - same))


def way(arm: Arm) -> str:
    """An arm in a line."""
    without = f", without {listed(arm.without)}" if arm.without else ""
    budget = "".join(f", {name} {value}" for name, value in arm.budget.items())
    return f"{arm.model}, profile {arm.profile}{without}{budget}"


def _side(named: str) -> tuple[Side, dict[str, Instance]]:
    name, arm = _parts(named)
    folder = find_experiment(name, experiments_folder())
    told = read(folder)
    arm = _arm(told, arm, name)
    with contextlib.closing(stores.open(folder)) as store:
        instances = {one.id: one for one in store.instances()}
    records = told.arms.get(arm, [])
    return Side(f"{told.name}:{arm}", records, told.ways[arm], folder), instances


def _parts(named: str) -> tuple[str, str]:
    """A folder may have a colon in its name."""
    name, colon, arm = named.rpartition(":")
    return (name, arm) if colon and not (Path(named) / NAME).is_file() else (named, "")


def _arm(told: Experiment, arm: str, named: str) -> str:
    names = list(told.ways)
    if arm in names:
        return arm
    if not arm and len(names) == 1:
        return names[0]
    shown = escape(", ".join(names))
    if arm:
        raise UsageError(f"{escape(named)} has no arm {escape(arm)}, only {shown}")
    raise UsageError(f"{escape(named)} has {len(names)} arms, {shown}: say {escape(named)}:ARM")


def _asks_the_same(one: Instance, other: Instance) -> bool:
    """Where the repository is found makes no difference."""
    return _asked(one) == _asked(other)


def _asked(one: Instance) -> tuple[object, ...]:
    tests = (set(one.fail_to_pass), set(one.pass_to_pass), one.test_patch)
    return (one.base, one.problem, *tests)
