"""An experiment: what was asked for, what is due, what came of it.

What is stored is synced, and nothing that a worker brings later takes its place, unless it was a
failure of what surrounds the model.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from react_agent.errors import MachineError, UsageError
from react_agent.eval.reading.kinds import UNEXPLAINED, Why, fault_of, why
from react_agent.eval.reading.used import Run, lines, read_run, run_in, used
from react_agent.eval.store import database as databases
from react_agent.eval.store import files
from react_agent.eval.store.database import Database, Row, Value
from react_agent.eval.task import (
    Arm,
    Conditions,
    Fault,
    Graded,
    Instance,
    Key,
    Record,
    Solved,
    Task,
    Tests,
    Used,
    Verdict,
)
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.quoting import escape

_Counts = dict[int, dict[str, dict[str, int]]]


def records(database: Database, folder: Path, attempt: int | None = None) -> list[Record]:
    """Of all attempts that have come to something, or of one; as they are at one moment."""
    one = "" if attempt is None else f"AND attempt = {attempt}"
    columns = ", ".join(RESULT)
    with database.snapshot():
        found = database.rows(
            f"SELECT attempt, {columns} FROM results WHERE verdict IS NOT NULL {one} "
            "ORDER BY arm_place, place, number"
        )
        counts = _counts(database, one)
    return [read_record(values, counts[number], folder) for number, *values in found]


def _counts(database: Database, one: str) -> _Counts:
    found: _Counts = defaultdict(lambda: {name: {} for name in (*COUNTED, PARTS)})
    rows = database.rows(f"SELECT attempt, what, name, times FROM calls WHERE true {one}")
    rows += database.rows(f"SELECT attempt, '{PARTS}', part, tokens FROM parts WHERE true {one} ")
    for number, what, name, times in rows:
        found[number][what][name] = times
    return found


TO_SOLVE = "solves.attempt IS NULL OR solves.infrastructure"
TO_GRADE = "solves.verdict IS NULL AND solves.attempt NOTNULL"
NOT_GRADED = f"{TO_GRADE} AND (grades.attempt IS NULL OR grades.infrastructure)"
WAITING = "solves.verdict IS NULL AND grades.attempt IS NULL"
_KEYS = """SELECT instance, arm, number FROM attempts
    JOIN instances ON instances.id = instance JOIN arms ON arms.name = arm
    LEFT JOIN solves ON solves.attempt = attempts.id
    LEFT JOIN grades ON grades.attempt = attempts.id
    WHERE {condition} ORDER BY number, instances.place, arms.place"""
_OF_A_SOLVE = ("grades", "steps", "calls", "parts", "solves")


def keys(database: Database, condition: str) -> tuple[Key, ...]:
    return tuple(Key(*row) for row in database.rows(_KEYS.format(condition=condition)))


def attempt_of(database: Database, key: Key) -> tuple[int, str]:
    """Its number in the tables, and its folder. Raises KeyError."""
    row = database.row(
        "SELECT id, folder FROM attempts WHERE instance = ? AND arm = ? AND number = ?",
        *(key.instance, key.arm, key.number),
    )
    if row is None:
        raise KeyError(str(key))
    return row[0], row[1]


def is_solved(database: Database, attempt: int) -> bool:
    """And for good."""
    query = "SELECT 1 FROM solves WHERE attempt = ? AND NOT infrastructure"
    return database.row(query, attempt) is not None


def is_graded(database: Database, attempt: int) -> bool:
    query = "SELECT 1 FROM grades WHERE attempt = ? AND NOT infrastructure"
    return database.row(query, attempt) is not None


def forget(database: Database, attempt: int) -> None:
    """What a solve has left that is to be done again: no row names files that are replaced."""
    if database.row("SELECT 1 FROM solves WHERE attempt = ?", attempt):
        with database.transaction():
            database.drop(attempt, *_OF_A_SOLVE)


def note(database: Database, attempt: int, what: str, text: str = "", worker: str = "") -> None:
    """What nothing is lost by if a kill takes it back."""
    with database.transaction(synced=False):
        tell(database, attempt, what, text, worker)


def tell(database: Database, attempt: int, what: str, text: str = "", worker: str = "") -> None:
    """In a transaction."""
    row: Row = {"attempt": attempt, "what": what, "worker": worker, "text": text}
    database.put("events", row)


INSTANCES_BY = f"SELECT {', '.join(one.name for one in fields(Instance))} FROM instances WHERE"
INSTANCES = f"{INSTANCES_BY} true ORDER BY place"
ARMS = f"SELECT {', '.join(one.name for one in fields(Arm))} FROM arms ORDER BY place"
_Made = TypeVar("_Made", Instance, Arm)
USAGE = {field.name: field.name for field in fields(Used)} | {"seconds": "run_seconds"}
COUNTED = ("calls", "failed", "hidden", "wishes")  # each a mapping of Used
PARTS = "parts"
_NUMBERS = tuple(name for name in USAGE if name not in (*COUNTED, PARTS))
_TESTS = tuple(field.name for field in fields(Tests))
RESULT = (
    *("instance", "arm", "number", "repo", "folder", "verdict", "kind", "step", "reason"),
    *("infrastructure", "stop", "patch", *_TESTS, *(USAGE[name] for name in _NUMBERS)),
)


def row_of(value: Instance | Arm, place: int) -> Row:
    """With its place in the set."""
    return {"place": place} | {
        field.name: _written(getattr(value, field.name)) for field in fields(value)
    }


def read_row(kind: type[_Made], values: Sequence[Value]) -> _Made:
    """What `row_of` wrote, without its place."""
    found = zip(fields(kind), values, strict=True)
    return kind(**{field.name: _loaded(field.type, value) for field, value in found})


def _written(value: object) -> Value:
    if isinstance(value, str):
        return value
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _loaded(kind: object, value: Value) -> Any:
    if kind is str:
        return value
    found = json.loads(str(value))
    return tuple(found) if isinstance(found, list) else found


def condition_rows(conditions: Conditions) -> list[Row]:
    return [
        {"name": field.name, "value": json.dumps(getattr(conditions, field.name), default=str)}
        for field in fields(conditions)
    ]


def read_conditions(rows: Mapping[str, str]) -> Conditions:
    found = {name: json.loads(value) for name, value in rows.items()}
    if found["repositories"] is not None:
        found["repositories"] = Path(found["repositories"])
    return Conditions(**found)


def solve_row(attempt: int, solved: Solved, stop: str, used: Used) -> Row:
    fault = solved.fault
    return {
        "attempt": attempt,
        "patch": solved.patch,
        "seconds": solved.seconds,
        "cpu_s": solved.cpu_s,
        "verdict": fault.verdict.value if fault else None,
        "kind": fault.kind.value if fault else None,
        "reason": fault.text if fault else None,
        "infrastructure": int(fault is not None and fault.kind.is_infrastructure),
        "stop": stop,
        **{USAGE[name]: getattr(used, name) for name in _NUMBERS},
    }


def counted_rows(attempt: int, used: Used) -> list[Row]:
    return [
        {"attempt": attempt, "what": what, "name": name, "times": times}
        for what in COUNTED
        for name, times in getattr(used, what).items()
    ]


def part_rows(attempt: int, used: Used) -> list[Row]:
    return [{"attempt": attempt, "part": part, "tokens": n} for part, n in used.parts.items()]


def grade_row(attempt: int, graded: Graded, why: Why | None) -> Row:
    return {
        "attempt": attempt,
        "verdict": graded.verdict.value,
        "kind": why.kind.value if why else "",
        "step": why.step if why else 0,
        "reason": why.text if why else "",
        "infrastructure": int(why is not None and why.kind.is_infrastructure),
        **{name: json.dumps(getattr(graded.tests, name)) for name in _TESTS},
        "seconds": graded.seconds,
    }


def read_record(
    values: Sequence[Value], counts: Mapping[str, Mapping[str, int]], at: Path
) -> Record:
    """Of a line of `results` that has a verdict, with the columns of RESULT."""
    found: dict[str, Any] = dict(zip(RESULT, values, strict=True))
    numbers = {name: found[USAGE[name]] for name in _NUMBERS if found[USAGE[name]] is not None}
    used: dict[str, Any] = {**numbers, **counts}
    tests = {name: tuple(json.loads(found[name] or "[]")) for name in _TESTS}
    return Record(
        Key(found["instance"], found["arm"], found["number"]),
        found["repo"],
        Verdict(found["verdict"]),
        found["kind"] or "",
        found["step"],
        found["reason"] or "",
        bool(found["infrastructure"]),
        found["stop"] or "",
        Used(**used),
        Tests(**tests),
        found["patch"] or "",
        at / found["folder"],
    )


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
        return [read_row(Instance, row) for row in self.database.rows(INSTANCES)]

    def due(self, *, grade_again: bool = False) -> Due:
        """What was not begun, was in flight, or failed by what surrounds the model."""
        to_grade = TO_GRADE if grade_again else NOT_GRADED
        found = (keys(self.database, what) for what in (TO_SOLVE, to_grade))
        return Due(*found)

    def task(self, key: Key) -> Task:
        [arm] = [arm for arm in self.arms if arm.name == key.arm]
        return Task(key, self._instance(key), arm, self.conditions)

    def patch(self, key: Key) -> str:
        """Of an attempt that is solved."""
        attempt, _ = attempt_of(self.database, key)
        [(patch,)] = self.database.rows("SELECT patch FROM solves WHERE attempt = ?", attempt)
        return str(patch)

    def started(self, key: Key, worker: str) -> None:
        """It is in flight: after a kill it is due still."""
        attempt, _ = attempt_of(self.database, key)
        job = "grade" if is_solved(self.database, attempt) else "solve"
        note(self.database, attempt, f"{job} started", worker=worker)

    def solved(self, solved: Solved) -> bool:
        """False: it was already, and is left as it is. Its files are on the disk before it is."""
        attempt, folder = attempt_of(self.database, solved.key)
        run = read_run(solved.files)
        solved = replace(solved, fault=_told(solved.fault or fault_of(run.state)))
        kept = _solve_rows(attempt, solved, run)
        with self.database.lock:
            if is_solved(self.database, attempt):
                note(self.database, attempt, "solved again", "the first is kept")
                return False
            forget(self.database, attempt)
            patch = solved.patch.encode(errors="surrogateescape")
            files.write_folder(self.folder / folder, {**solved.files, files.PATCH: patch})
            with self.database.transaction():
                for table, made in kept.items():
                    self.database.put(table, *made)
                what, text = ("solve failed", solved.fault.text) if solved.fault else ("solved", "")
                tell(self.database, attempt, what, text)
        return True

    def graded(self, graded: Graded) -> Record:
        """What it comes to. A failure of the surroundings takes the place of no verdict."""
        attempt, folder = attempt_of(self.database, graded.key)
        graded = replace(graded, fault=_told(graded.fault), log=_without_secrets(graded.log))
        run = Run() if graded.verdict in UNEXPLAINED else run_in(self.folder / folder)
        found = why(run, self._instance(graded.key), graded, self.patch(graded.key))
        row = grade_row(attempt, graded, found)
        with self.database.lock:
            if row["infrastructure"] and is_graded(self.database, attempt):
                note(self.database, attempt, "grade failed", str(row["reason"]))
            else:
                files.write_file(self.folder / folder / files.LOG, graded.log)
                with self.database.transaction():
                    self.database.put("grades", row)
                    what = "grade failed" if row["infrastructure"] else "graded"
                    tell(self.database, attempt, what, graded.verdict.value)
            [record] = records(self.database, self.folder, attempt)
        return record

    def record(self, key: Key) -> Record | None:
        """None as long as it has come to nothing."""
        attempt, _ = attempt_of(self.database, key)
        return next(iter(records(self.database, self.folder, attempt)), None)

    def records(self) -> list[Record]:
        """Of what is done, in the order of arms, of the set, and of tries."""
        return records(self.database, self.folder)

    def waiting(self) -> tuple[Key, ...]:
        """Attempts that have come to nothing yet."""
        return keys(self.database, WAITING)

    def close(self) -> None:
        self.database.close()

    def _instance(self, key: Key) -> Instance:
        [row] = self.database.rows(f"{INSTANCES_BY} id = ?", key.instance)
        return read_row(Instance, row)


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
        database.put("conditions", *condition_rows(conditions or Conditions()))
        database.put("instances", *(row_of(one, at) for at, one in enumerate(instances)))
        database.put("arms", *(row_of(one, at) for at, one in enumerate(arms)))
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
    found = (read_row(Arm, row) for row in database.rows(ARMS))
    conditions = dict(database.rows("SELECT name, value FROM conditions"))
    return Store(folder, database, about, tuple(found), read_conditions(conditions))


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
        "solves": [solve_row(attempt, solved, stop, taken)],
        "steps": [{"attempt": attempt, **asdict(line)} for line in lines(run)],
        "calls": counted_rows(attempt, taken),
        "parts": part_rows(attempt, taken),
    }
