"""Scripted runs that go wrong early, with the backtracker and without; and runs that are sound."""

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
from tables import bars, table

SETS = {
    "": "Blunders that a check can prove, others, and sound runs",
    FRESH.name: "The fresh set, of which those who write the backtracker have read nothing",
    ALARMS.name: "Sound runs that were taken back when they were written",
}


def main() -> int:
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # a tree is what its run left
    with (
        tempfile.TemporaryDirectory(prefix="react-agent-blunders-") as root,
        ProcessPoolExecutor(os.cpu_count()) as pool,
    ):
        played = list(pool.map(partial(_play, root), _wanted(), chunksize=8))
    parts = [[one for one in played if one.case.part == part] for part in SETS]
    for title, part in zip(SETS.values(), parts, strict=True):
        print(*table(title, part), sep="\n")
    missed = [judge(holds, said) for said, holds in bars(*parts)]
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
        for arm in Arm if case.is_provable else (Arm.AS_BUILT,):
            yield case, arm


def _play(root: str, wanted: tuple[Case, Arm]) -> Played:
    folder = Path(root).resolve() / str(os.getpid())
    folder.mkdir(exist_ok=True)
    return play(*wanted, folder)


if __name__ == "__main__":
    sys.exit(main())
