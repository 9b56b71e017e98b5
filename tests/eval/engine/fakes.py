"""Quick stand-ins for what workers do. What one does, the issue says; what is done, it notes."""

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.eval.engine.runner import Job, Spent
from react_agent.eval.task import (
    Arm,
    Conditions,
    Fault,
    Graded,
    Instance,
    Key,
    Kind,
    Record,
    Solved,
    Task,
    Tests,
    Verdict,
)

NOTES = "notes"
TRANSCRIPT = b"""\
%% react-agent transcript: 2
%% model: by hand
Objective: mend it
Thought: It is small.
Conclusion: It is mended.
%% turn: n=1 in=100 out=20 seconds=0.1
%% stop: concluded
"""


def solve(task: Task, root: Path | None) -> Solved:
    times = _note(root, "solve", task.key)
    match task.instance.problem.split():
        case ["die", *most] if times <= int(most[0] if most else 10**6):
            os.kill(os.getpid(), signal.SIGKILL)
        case ["endpoint", most] if times <= int(most):
            return _failed(task.key, Kind.ENDPOINT, "it is overloaded")
        case ["environment"]:
            return _failed(task.key, Kind.ENVIRONMENT, "pip failed")
        case ["hang"]:
            time.sleep(600)
        case ["takes", seconds]:
            time.sleep(float(seconds))
        case ["priced"]:
            priced = TRANSCRIPT.replace(b"seconds=0.1", b"cost=0.01 seconds=0.1")
            return Solved(task.key, f"+{task.key}\n", {"transcript.txt": priced})
        case ["nothing"]:
            return Solved(task.key, files={"transcript.txt": TRANSCRIPT})
    return Solved(task.key, f"+{task.key}\n", {"transcript.txt": TRANSCRIPT})


def grade(task: Task, patch: str, root: Path | None) -> Graded:
    times = _note(root, "grade", task.key)
    match task.instance.problem.split():
        case ["wrong"]:
            return Graded(task.key, Verdict.UNRESOLVED, Tests(not_fixed=("test_it",)))
        case ["judge", "dies"] if times == 1:
            os.kill(os.getpid(), signal.SIGKILL)
    if patch != f"+{task.key}\n":
        raise ValueError("that is another one's patch")
    return Graded(task.key, Verdict.RESOLVED, Tests(fixed=("test_it",)))


def notes(root: Path) -> list[str]:
    """`solve KEY` or `grade KEY`, once for each time that one was begun."""
    path = root / NOTES
    return path.read_text().splitlines() if path.exists() else []


def _note(root: Path | None, what: str, key: Key) -> int:
    """How often it was done, with this time."""
    assert root is not None
    line = f"{what} {key}"
    descriptor = os.open(root / NOTES, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, f"{line}\n".encode())  # in one piece, whoever else writes
    os.close(descriptor)
    return notes(root).count(line)


def _failed(key: Key, kind: Kind, text: str) -> Solved:
    return Solved(key, fault=Fault(Verdict.CRASHED, kind, text))


def instances(*problems: str) -> list[Instance]:
    return [
        Instance(f"o__r-{number}", "o/r", "0" * 40, problem, fail_to_pass=("test_it",))
        for number, problem in enumerate(problems, 1)
    ]


ARMS = (Arm("replay/any"),)
CONDITIONS = Conditions(solve_s=60.0)


@dataclass(slots=True)
class Watcher:
    """Keeps what it is told."""

    records: list[Record] = field(default_factory=list)
    began_at: list[tuple[int, str]] = field(default_factory=list)
    slots: set[int] = field(default_factory=set)
    most: int = 0  # at a time

    def began(self, slot: int, job: Job) -> None:
        assert slot not in self.slots
        self.slots.add(slot)
        self.most = max(self.most, len(self.slots))
        self.began_at.append((slot, f"{'grade' if job.is_solved else 'solve'} {job.key}"))

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        self.slots.discard(slot)
        if record is not None:
            self.records.append(record)


def outline(records: Sequence[Record]) -> list[str]:
    """What a table is made of; a model's failure without its kind, which the transcript says."""
    return [
        f"{one.key}: {one.verdict.value}" + (f", {one.kind}" if one.is_infrastructure else "")
        for one in records
    ]
