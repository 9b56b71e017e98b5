"""A coordinator to be killed: an experiment of quick fake tasks, begun or gone on with.

python coordinator.py FOLDER WORKERS: the experiment is FOLDER/exp, its tasks note what they do in
FOLDER/notes, and FOLDER/synced says how much of the log was on the disk by the last word of it.
"""

import os
import sys
from pathlib import Path

import fakes

from react_agent.errors import UsageError
from react_agent.eval.engine.runner import Runner, Work
from react_agent.eval.engine.worker import LocalExecutor
from react_agent.eval.store import store as stores
from react_agent.eval.store.database import NAME
from react_agent.eval.store.store import Store
from react_agent.eval.task import Graded, Record, Solved

PROBLEMS = ("takes 0.01", "fine", "wrong", "nothing", "takes 0.05", "endpoint 1")
SYNCED = "synced"


class Noting(Store):
    """Notes what has to be there after the power was lost."""

    def solved(self, solved: Solved) -> None:
        super().solved(solved)
        _note(self.folder)

    def graded(self, graded: Graded) -> Record:
        record = super().graded(graded)
        _note(self.folder)
        return record


def log_of(experiment: Path) -> Path:
    return experiment / f"{NAME}-wal"


def _note(experiment: Path) -> None:
    half = experiment.with_name(f"{SYNCED}.new")
    half.write_text(str(log_of(experiment).stat().st_size))
    half.replace(experiment.with_name(SYNCED))


def main(folder: Path, workers: int) -> None:
    place = folder / "exp"
    try:
        store = stores.open(place)
    except UsageError:  # there is none, or it was not made to the end
        made = fakes.instances(*PROBLEMS * 4)
        store = stores.create(place, {}, made, fakes.ARMS, 1, fakes.CONDITIONS)
    _note(place)
    noting = Noting(store.folder, store.database, store.about, store.arms, store.conditions)
    with LocalExecutor(workers, dict(os.environ)) as pool:
        work = Work(fakes.solve, fakes.grade, folder)
        sys.exit(Runner(noting, pool, work, workers, fakes.Watcher()).run() or 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
