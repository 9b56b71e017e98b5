"""What an evaluation of many issues costs beside git, the tests and the model.

1,000 instances of a small repository, with a model that takes 300 ms to answer, on real workers:
processor time of ours an instance (the coordinator and the workers, without what they start), and
how the coordinator's memory grows.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from beside import SLOWEST, interpret, judge, share, slower

sys.path.append(str(Path(__file__).parents[1] / "endpoint"))

from evaluated import LATENCY_S, answered, arm, grade, instances, make_repository, solve
from fake_endpoint import FakeEndpoint

from react_agent.eval.engine.runner import Job, Runner, Spent, Work
from react_agent.eval.engine.worker import LocalExecutor
from react_agent.eval.store import store as stores
from react_agent.eval.task import Conditions, Record, Verdict

INSTANCES, WORKERS = 1000, 4
OURS_MS = 150.0
GROWN_MB = 24.0  # of the coordinator, from a fifth of the instances on
FAILED = 0.01  # as where a neighbour lets a process wait for longer than it may


@dataclass(slots=True)
class Meter:
    """Watches, and keeps what the coordinator has used when."""

    done: int = 0
    kept: dict[int, tuple[float, float]] = field(default_factory=dict)
    failed: list[Record] = field(default_factory=list)
    loops: list[float] = field(default_factory=list)

    def began(self, slot: int, job: Job) -> None:
        pass

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        if record is not None:
            self.done += 1
            self.kept[self.done] = time.process_time(), _memory_mb()
            if record.verdict is not Verdict.RESOLVED:
                self.failed.append(record)
            if self.done % 10 == 1:
                began = time.perf_counter()
                interpret()
                self.loops.append(time.perf_counter() - began)


def main(words: Sequence[str]) -> int:
    if words:
        return _coordinate(Path(words[0]), words[1], int(words[2]))
    with FakeEndpoint(answered) as endpoint:
        return _measured(endpoint)


def _measured(endpoint: FakeEndpoint) -> int:
    """By a process of its own, as the endpoint takes time, too."""
    with tempfile.TemporaryDirectory() as folder:
        make_repository(Path(folder, "shop"))
        command = [sys.executable, __file__, folder, endpoint.url, str(share(INSTANCES))]
        done = subprocess.run(command, env={**os.environ, "REACT_AGENT_SANDBOX": "none"})
    endpoint.requests.clear()
    return done.returncode


def _coordinate(folder: Path, url: str, count: int) -> int:
    store = stores.create(
        folder / "exp", {}, instances(folder, count), [arm(url)], 1, Conditions(sandbox="none")
    )
    meter, began = Meter(), time.monotonic()
    with LocalExecutor(WORKERS, dict(os.environ)) as pool:
        Runner(store, pool, Work(solve, grade, folder), WORKERS, meter).run()
    seconds = time.monotonic() - began
    if meter.failed:
        print(f"{len(meter.failed)} not resolved, of which one: {meter.failed[0].reason}")
    workers = _workers_used(folder / "meter")
    first, last = (meter.kept[at] for at in (max(1, count // 5), count))
    coordinator = (last[0] - first[0]) / (count - max(1, count // 5))
    ours = (workers / count + coordinator) * 1000
    factor = min(SLOWEST, slower(statistics.median(meter.loops) * 1e6))
    print(f"{count:,} instances, {WORKERS} workers, a model of {LATENCY_S * 1000:.0f} ms")
    print(f"  {count / seconds:.2f} instances a second, {seconds:.0f} s in all")
    print(f"  of ours an instance  {ours:6.1f} ms of processor, {coordinator * 1000:.1f} of which")
    print("                       the coordinator's")
    missed = judge(
        ours <= OURS_MS * factor, f"the bar is {OURS_MS:.0f} ms x {factor:.2f}, as slow is"
    )
    print("  this processor now")
    grown = last[1] - first[1]
    print(f"  the coordinator's memory: {last[1]:.0f} MB, {grown:+.1f} MB in the last four fifths")
    missed |= judge(grown <= GROWN_MB, f"the bar is {GROWN_MB:.0f} MB")
    return int(missed or len(meter.failed) > FAILED * count)


def _workers_used(meter: Path) -> float:
    """From the first task of each process on."""
    used: dict[str, tuple[float, float]] = {}
    for line in meter.read_text().splitlines():
        pid, before, after = line.split()
        since, _ = used.get(pid, (float(before), 0.0))
        used[pid] = since, float(after)
    return sum(until - since for since, until in used.values())


def _memory_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
