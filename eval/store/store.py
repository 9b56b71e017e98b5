"""An experiment: what was asked for, what is due, what came of it.

What is stored is synced, and nothing that a worker brings later takes its place, unless it was a
failure of what surrounds the model.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.eval.instance import Instance
from react_agent.eval.reading.kinds import UNEXPLAINED, fault_of, why
from react_agent.eval.reading.run import Run, read_run, run_in
from react_agent.eval.reading.used import lines, used
from react_agent.eval.record import Record
from react_agent.eval.store import attempts, files, rows
from react_agent.eval.store import database as databases
from react_agent.eval.store.database import Database, Row
from react_agent.eval.store.records import records
from react_agent.eval.task import Arm, Conditions, Fault, Graded, Key, Solved, Task
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.quoting import escape


@dataclass(frozen=True, slots=True)
class Due:
    """In the order in which it is best done: each instance once before any of them twice."""

    to_solve: tuple[Key, ...] = ()
    to_grade: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Store:
    """Any thread may ask it, and any process read it while one writes."""

    folder: Path
    database: Database
    about: Mapping[str, str]
    arms: tuple[Arm, ...]
    conditions: Conditions

    def instances(self) -> list[Instance]:
        """In the order of the set."""
        return [rows.read_row(Instance, row) for row in self.database.rows(rows.INSTANCES)]

    def due(self, *, grade_again: bool = False) -> Due:
        """What was not begun, was in flight, or failed by what surrounds the model."""
        to_grade = attempts.TO_GRADE if grade_again else attempts.NOT_GRADED
        found = (attempts.keys(self.database, what) for what in (attempts.TO_SOLVE, to_grade))
        return Due(*found)

    def task(self, key: Key) -> Task:
        [arm] = [arm for arm in self.arms if arm.name == key.arm]
        return Task(key, self._instance(key), arm, self.conditions)

    def patch(self, key: Key) -> str:
        """Of an attempt that is solved."""
        attempt, _ = attempts.attempt_of(self.database, key)
        [(patch,)] = self.database.rows("SELECT patch FROM solves WHERE attempt = ?", attempt)
        return str(patch)

    def started(self, key: Key, worker: str) -> None:
        """It is in flight: after a kill it is due still."""
        attempt, _ = attempts.attempt_of(self.database, key)
        job = "grade" if attempts.is_solved(self.database, attempt) else "solve"
        attempts.note(self.database, attempt, f"{job} started", worker=worker)

    def solved(self, solved: Solved) -> bool:
        """False: it was already, and is left as it is. Its files are on the disk before it is."""
        attempt, folder = attempts.attempt_of(self.database, solved.key)
        run = read_run(solved.files)
        solved = replace(solved, fault=_told(solved.fault or fault_of(run.state)))
        kept = _solve_rows(attempt, solved, run)
        with self.database.lock:
            if attempts.is_solved(self.database, attempt):
                attempts.note(self.database, attempt, "solved again", "the first is kept")
                return False
            attempts.forget(self.database, attempt)
            patch = solved.patch.encode(errors="surrogateescape")
            files.write_folder(self.folder / folder, {**solved.files, files.PATCH: patch})
            with self.database.transaction():
                for table, made in kept.items():
                    self.database.put(table, *made)
                what, text = ("solve failed", solved.fault.text) if solved.fault else ("solved", "")
                attempts.tell(self.database, attempt, what, text)
        return True

    def graded(self, graded: Graded) -> Record:
        """What it comes to. A failure of the surroundings takes the place of no verdict."""
        attempt, folder = attempts.attempt_of(self.database, graded.key)
        graded = replace(graded, fault=_told(graded.fault), log=_without_secrets(graded.log))
        run = Run() if graded.verdict in UNEXPLAINED else run_in(self.folder / folder)
        found = why(run, self._instance(graded.key), graded, self.patch(graded.key))
        row = rows.grade_row(attempt, graded, found)
        with self.database.lock:
            if row["infrastructure"] and attempts.is_graded(self.database, attempt):
                attempts.note(self.database, attempt, "grade failed", str(row["reason"]))
            else:
                files.write_file(self.folder / folder / files.LOG, graded.log)
                with self.database.transaction():
                    self.database.put("grades", row)
                    what = "grade failed" if row["infrastructure"] else "graded"
                    attempts.tell(self.database, attempt, what, graded.verdict.value)
            [record] = records(self.database, self.folder, attempt)
        return record

    def record(self, key: Key) -> Record | None:
        """None as long as it has come to nothing."""
        attempt, _ = attempts.attempt_of(self.database, key)
        return next(iter(records(self.database, self.folder, attempt)), None)

    def records(self) -> list[Record]:
        """Of what is done, in the order of arms, of the set, and of tries."""
        return records(self.database, self.folder)

    def waiting(self) -> tuple[Key, ...]:
        """Attempts that have come to nothing yet."""
        return attempts.keys(self.database, attempts.WAITING)

    def close(self) -> None:
        self.database.close()

    def _instance(self, key: Key) -> Instance:
        [row] = self.database.rows(f"{rows.INSTANCES_BY} id = ?", key.instance)
        return rows.read_row(Instance, row)


def _told(fault: Fault | None) -> Fault | None:
    """What went wrong may say with which key."""
    return replace(fault, text=Redaction()(fault.text)) if fault else None


def _without_secrets(log: bytes) -> bytes:
    return Redaction()(log.decode(errors="surrogateescape")).encode(errors="surrogateescape")


def create(
    folder: Path,
    about: Mapping[str, str],
    instances: Sequence[Instance],
    arms: Sequence[Arm],
    tries: int,
    conditions: Conditions | None = None,
) -> Store:
    """A new one. Raises UsageError: there is one already, a set with two of one name, or none."""
    _check(instances, arms, tries)
    try:
        files.make_folder(folder.absolute())
    except OSError as error:
        raise MachineError(f"can't make {folder}: {error.strerror}") from error
    with databases.made(folder / databases.NAME) as database, database.transaction():
        databases.lay_out(database)
        database.put("about", *({"name": name, "value": text} for name, text in about.items()))
        database.put("conditions", *rows.condition_rows(conditions or Conditions()))
        database.put("instances", *(rows.row_of(one, at) for at, one in enumerate(instances)))
        database.put("arms", *(rows.row_of(one, at) for at, one in enumerate(arms)))
        database.put("attempts", *_attempts(instances, arms, tries))
    files.sync(folder)
    return open(folder)


def open(folder: Path) -> Store:
    """Raises UsageError where it is none, MachineError where it can't be read."""
    database = databases.opened(folder / databases.NAME)
    try:
        return _store(folder, database)
    except BaseException:
        database.close()
        raise


def _store(folder: Path, database: Database) -> Store:
    about = dict(database.rows("SELECT name, value FROM about ORDER BY rowid"))
    found = (rows.read_row(Arm, row) for row in database.rows(rows.ARMS))
    conditions = dict(database.rows("SELECT name, value FROM conditions"))
    return Store(folder, database, about, tuple(found), rows.read_conditions(conditions))


def _check(instances: Sequence[Instance], arms: Sequence[Arm], tries: int) -> None:
    if not instances or not arms or tries < 1:
        raise UsageError("there is nothing to run: no instance, no arm or no try")
    for what, names in (
        ("instance", [one.id for one in instances]),
        ("arm", [one.name for one in arms]),
    ):
        name, times = Counter(names).most_common(1)[0]
        if times > 1:
            raise UsageError(f"there are {times} {what}s with the name {escape(name)}")


def _attempts(instances: Sequence[Instance], arms: Sequence[Arm], tries: int) -> Iterable[Row]:
    places = files.folders(one.id for one in instances)
    kinds = files.folders(one.name for one in arms)
    for instance in instances:
        for arm in arms:
            for number in range(1, tries + 1):
                folder = f"{files.ATTEMPTS}/{places[instance.id]}/{kinds[arm.name]}-{number}"
                yield {
                    "instance": instance.id,
                    "arm": arm.name,
                    "number": number,
                    "folder": folder,
                }


def _solve_rows(attempt: int, solved: Solved, run: Run) -> dict[str, list[Row]]:
    """By their tables."""
    taken = used(run)
    stop = run.state.stop.value if run.state.stop else ""
    return {
        "solves": [rows.solve_row(attempt, solved, stop, taken)],
        "steps": [{"attempt": attempt, **asdict(line)} for line in lines(run)],
        "calls": rows.counted_rows(attempt, taken),
        "parts": rows.part_rows(attempt, taken),
    }
