"""Scripted runs that go wrong early, with the backtracker and without; and runs that are sound.

A tenth (LONG_FRACTION) plays all of them, but only as built and with neither of the two switches.
"""

import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from beside import judge

sys.path.insert(0, str(Path(__file__).parents[1] / "blunders"))

from blunder_files import ALARMS, FRESH, HERE, Case, blunders, sound_runs
from playing import Arm, Played, play
from tables import (
    ARMS,
    AS_BUILT,
    NEITHER,
    WITH_A_CRITIC,
    bars,
    everything,
    of_the_alarms,
    of_the_fresh,
)

IS_WHOLE = float(os.environ.get("LONG_FRACTION", "1")) == 1


def main() -> int:
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # a tree is what its run left
    with (
        tempfile.TemporaryDirectory(prefix="react-agent-blunders-") as root,
        ProcessPoolExecutor(os.cpu_count()) as pool,
    ):
        played = list(pool.map(partial(_play, root), _wanted(), chunksize=8))
    known, fresh, alarms = (
        [one for one in played if one.case.part == part] for part in ("", FRESH.name, ALARMS.name)
    )
    lines = (*everything(known), *of_the_fresh(fresh), *of_the_alarms(alarms), "")
    print("\n".join(lines))
    missed = [judge(holds, said) for said, holds in bars(known, fresh, alarms)]
    print(f"  {len(played)} runs, {_seconds():.0f} s of processor time")
    return max(missed)


def _seconds() -> float:
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _wanted() -> Iterator[tuple[Case, Arm]]:
    """By their repositories, so that each process makes few of them."""
    every = (
        case for place in (HERE, FRESH, ALARMS) for case in (*blunders(place), *sound_runs(place))
    )
    for case in sorted(every, key=lambda case: case.task.repository):
        for arm in _arms(case):
            yield case, arm


def _arms(case: Case) -> tuple[Arm, ...]:
    if case.is_provable:
        return ARMS if IS_WHOLE else (AS_BUILT, NEITHER)
    return (AS_BUILT, WITH_A_CRITIC) if case.wrong else (AS_BUILT,)


def _play(root: str, wanted: tuple[Case, Arm]) -> Played:
    folder = Path(root).resolve() / str(os.getpid())
    folder.mkdir(exist_ok=True)
    return play(*wanted, folder)


if __name__ == "__main__":
    sys.exit(main())
