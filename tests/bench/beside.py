"""A figure means little on another machine; its ratio to something run beside it does."""

import math
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

Subjects = Mapping[str, Callable[[], object]]
TRIES = 3  # another process may have been in the way
WHO = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")


def git(folder: Path, *words: str, stdin: bytes = b"") -> bytes:
    argv = ["git", *WHO, *words]
    return subprocess.run(argv, cwd=folder, check=True, stdout=subprocess.PIPE, input=stdin).stdout


def share(whole: int) -> int:
    """How many of `whole` rounds to make: `./dev long --tenth` asks for a tenth, three at least."""
    return max(3, math.ceil(whole * float(os.environ.get("LONG_FRACTION", "1"))))


def median_seconds(subjects: Subjects, rounds: int) -> dict[str, float]:
    """In turns, so that a busy machine slows all of them alike; the first turn only warms up."""
    return {name: statistics.median(each) for name, each in _taken(subjects, rounds).items()}


def least_seconds(subjects: Subjects, rounds: int) -> dict[str, float]:
    """What each takes when least disturbed, for a bar that is no ratio."""
    return {name: min(each) for name, each in _taken(subjects, rounds).items()}


def _taken(subjects: Subjects, rounds: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(rounds + 1):
        for name, subject in subjects.items():
            start = time.perf_counter()
            subject()
            taken[name].append(time.perf_counter() - start)
    return {name: seconds[1:] for name, seconds in taken.items()}


class Pair:
    def __init__(self, first: str, second: str) -> None:
        self.first = first
        self.second = second

    def whole(self) -> str:
        return self.first + self.second


# What `interpret` takes on the kind of core that the bars were set on, if nothing disturbs it. It
# takes up to twice as long when the other half of that core is busy; what is measured does, too.
INTERPRETED_US = 9.4
SLOWEST = 2.0  # times that, for a bar that is no ratio: another process on the core, no more
_LINES = ("", "-", " text", "- text", "+ text") * 5 + ("@@ -1 +1 @@", "", "text")


def interpret() -> list[str]:
    """The yardstick for Python's own work: calls, small objects, short texts."""
    kept = []
    for line in _LINES:
        pair = Pair(line, "x")
        if pair.first.startswith("-"):
            kept.append(pair.whole())
    return kept


def loops(count: int) -> Callable[[], None]:
    """So many of the yardstick, as a subject."""

    def run() -> None:
        for _ in range(count):
            interpret()

    return run


def slower(loop_us: float) -> float:
    """How much slower this core is, now, than that kind; one that is faster owes nothing."""
    return max(1.0, loop_us / INTERPRETED_US)


def machine(seconds: float, count: int) -> float:
    """The same by what so many loops took, for a bar that is no ratio."""
    return min(SLOWEST, slower(seconds / count * 1e6))


def loop_us(count: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """What one takes now, of so many."""
    started = clock()
    loops(count)()
    return (clock() - started) * 1e6 / count


def tried(bench: Callable[..., int], *args: object) -> int:
    """Again where a bar is missed."""
    return int(all(bench(*args) for _ in range(TRIES)))


def judge(met: bool, said: str) -> int:
    """Prints whether a bar is met; the exit code says it, too."""
    print(f"  {'met' if met else 'MISSED'}: {said}", flush=True)
    return int(not met)


def report(title: str, seconds: Mapping[str, float], bar: float) -> int:
    """Prints the first beside the last, which is the yardstick; the exit code says if it passed."""
    *_, yardstick = seconds.values()
    width = max(len(name) for name in seconds)
    print(title)
    for name, taken in seconds.items():
        print(f"  {name:{width}}  {taken * 1000:9.1f} ms  {taken / yardstick:6.2f}")
    ratio = next(iter(seconds.values())) / yardstick
    return judge(ratio <= bar, f"{ratio:.2f}, the bar is {bar:.2f}")
