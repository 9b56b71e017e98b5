"""A stored experiment: its settings, the attempts that are due, and their results.

Stored results are synced to disk.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from react_agent.eval.reading import UNEXPLAINED, Run, fault_of, read_run, run_in, used, why
from react_agent.eval.store import database as databases
from react_agent.eval.store import files
from react_agent.eval.store.database import Database, Row
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
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk
from react_agent.tools.errors import machine_error

_TO_SOLVE = "solves.attempt IS NULL OR solves.infrastructure"
_TO_GRADE = "solves.verdict IS NULL AND solves.attempt NOTNULL"
_NOT_GRADED = f"{_TO_GRADE} AND (grades.attempt IS NULL OR grades.infrastructure)"
_WAITING = "solves.verdict IS NULL AND grades.attempt IS NULL"
_KEYS = """SELECT instance, arm, number FROM attempts
    JOIN instances ON instances.id = instance JOIN arms ON arms.name = arm
    LEFT JOIN solves ON solves.attempt = attempts.id
    LEFT JOIN grades ON grades.attempt = attempts.id
    WHERE {condition} ORDER BY number, instances.place, arms.place"""
_ATTEMPT = "SELECT id, folder FROM attempts WHERE instance = ? AND arm = ? AND number = ?"
_GRADED_FOR_GOOD = "SELECT 1 FROM grades WHERE attempt = ? AND NOT infrastructure"
_OF_A_SOLVE = ("grades", "calls", "parts", "solves")
_COST = "SELECT prompt_tokens + reply_tokens, coalesce(cost, 0) FROM solves WHERE attempt = ?"
_REPLACED = "runs tried again"  # what they cost, among what is told of the experiment
_COUNTED = ("calls", "failed", "hidden", "wishes")  # each a mapping of Used
_NUMBERS = {  # of Used, by their columns
    {"seconds": "run_seconds"}.get(one.name, one.name): one.name
    for one in fields(Used)
    if one.name not in (*_COUNTED, "parts")
}
_TESTS = tuple(one.name for one in fields(Tests))


@dataclass(frozen=True, slots=True)
class Due:
    """The attempts that are due. Each instance is tried once before any instance is tried twice."""

    to_solve: tuple[Key, ...] = ()
    to_grade: tuple[Key, ...] = ()


def replaced(database: Database) -> Mapping[str, str]:
    """Return the tokens and dollars of attempts that were repeated after an outside failure."""
    rows = database.rows("SELECT value FROM about WHERE name = ?", _REPLACED)
    return read_facts("".join(text for (text,) in rows))


def _replacing(database: Database, attempt: int) -> Row:
    [(tokens, usd)] = database.rows(_COST, attempt)
    before = replaced(database)
    tokens += int(before.get("tokens", 0))
    usd += float(before.get("usd", 0))
    return {"name": _REPLACED, "value": write_facts({"tokens": f"{tokens}", "usd": f"{usd:.6f}"})}


@dataclass(frozen=True, slots=True)
class Store:
    """An open experiment. Processes may read it while another one writes."""

    folder: Path
    database: Database
    about: Mapping[str, str]
    arms: tuple[Arm, ...]
    conditions: Conditions

    def instances(self) -> list[Instance]:
        """Return the instances in the order of the set."""
        return [_made_of(Instance, row) for row in self.database.named("instances", "place")]

    def due(self, *, grade_again: bool = False) -> Due:
        """Return the attempts that are not finished or had an infrastructure failure."""
        return Due(self._keys(_TO_SOLVE), self._keys(_TO_GRADE if grade_again else _NOT_GRADED))

    def waiting(self) -> tuple[Key, ...]:
        """Return the attempts that have no result yet."""
        return self._keys(_WAITING)

    def task(self, key: Key) -> Task:
        [arm] = [arm for arm in self.arms if arm.name == key.arm]
        return Task(key, self._instance(key), arm, self.conditions)

    def patch(self, key: Key) -> str:
        """Return the patch of a solved attempt."""
        attempt, _ = self._attempt(key)
        [(patch,)] = self.database.rows("SELECT patch FROM solves WHERE attempt = ?", attempt)
        return str(patch)

    def solved(self, solved: Solved) -> None:
        """Store the result, its files first. It replaces an infrastructure failure."""
        attempt, folder = self._attempt(solved.key)
        run = read_run(solved.files)
        solved = replace(solved, fault=_without_secrets(solved.fault or fault_of(run.state)))
        rows = _rows_of(attempt, solved, run)
        if self.database.rows("SELECT 1 FROM solves WHERE attempt = ?", attempt):
            with self.database.transaction():  # before its files are replaced
                self.database.put("about", _replacing(self.database, attempt))
                self.database.drop(attempt, *_OF_A_SOLVE)
        patch = solved.patch.encode(errors="surrogateescape")
        files.write_folder(self.folder / folder, {**solved.files, files.PATCH: patch})
        with self.database.transaction():
            for table, made in rows.items():
                self.database.put(table, *made)

    def graded(self, graded: Graded) -> Record:
        """Store a grade and return the record. Infrastructure failures do not replace verdicts."""
        attempt, folder = self._attempt(graded.key)
        log = Redaction()(graded.log.decode(errors="surrogateescape"))
        graded = replace(graded, fault=_without_secrets(graded.fault))
        run = Run() if graded.verdict in UNEXPLAINED else run_in(self.folder / folder)
        found = why(run, self._instance(graded.key), graded, self.patch(graded.key))
        is_failure = found is not None and found.kind.is_infrastructure
        row: Row = {
            "attempt": attempt,
            "verdict": graded.verdict.value,
            "kind": found.kind.value if found else "",
            "step": found.step if found else 0,
            "reason": found.text if found else "",
            "infrastructure": int(is_failure),
            **{name: json.dumps(getattr(graded.tests, name)) for name in _TESTS},
            "seconds": graded.seconds,
        }
        if not is_failure or not self.database.rows(_GRADED_FOR_GOOD, attempt):
            data, place = log.encode(errors="surrogateescape"), self.folder / folder
            with machine_error(f"can't make {place}"):
                files.make_folder(place)  # somebody may have removed the files
            write_whole(place / files.LOG, data)
            with self.database.transaction():
                self.database.put("grades", row)
        [record] = self._records(attempt)
        return record

    def record(self, key: Key) -> Record | None:
        """Return the record of an attempt, or None if it has no result yet."""
        attempt, _ = self._attempt(key)
        return next(iter(self._records(attempt)), None)

    def records(self) -> list[Record]:
        """Return the records of finished attempts, ordered by arm, instance and try."""
        return self._records(None)

    def close(self) -> None:
        self.database.close()

    def _records(self, attempt: int | None) -> list[Record]:
        """Return the records, all read from one snapshot."""
        only = "true" if attempt is None else f"attempt = {attempt}"
        counts: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        with self.database.snapshot():
            found = self.database.named(
                "results", "arm_place, place, number", f"verdict NOTNULL AND {only}"
            )
            rows = self.database.rows(f"SELECT * FROM calls WHERE {only}")
            rows += self.database.rows(
                f"SELECT attempt, 'parts', part, tokens FROM parts WHERE {only}"
            )
        for number, what, name, times in rows:
            counts[number][what][name] = times
        return [_record(row, counts[row["attempt"]], self.folder) for row in found]

    def _keys(self, condition: str) -> tuple[Key, ...]:
        rows = self.database.rows(_KEYS.format(condition=condition))
        return tuple(Key(*row) for row in rows)

    def _instance(self, key: Key) -> Instance:
        [row] = self.database.named("instances", "place", "id = ?", key.instance)
        return _made_of(Instance, row)

    def _attempt(self, key: Key) -> tuple[int, str]:
        """Return the attempt's id in the tables, and its folder."""
        [(attempt, folder)] = self.database.rows(_ATTEMPT, key.instance, key.arm, key.number)
        return attempt, folder


_Made = TypeVar("_Made", Instance, Arm)


def _row_of(value: Instance | Arm, place: int) -> Row:
    """Return the row of a value, with its position. Values except strings are stored as JSON."""
    found = {one.name: getattr(value, one.name) for one in fields(value)}
    return {"place": place} | {
        name: one if isinstance(one, str) else json.dumps(one) for name, one in found.items()
    }


def _made_of(kind: type[_Made], row: Mapping[str, Any]) -> _Made:
    values = {one.name: row[one.name] for one in fields(kind)}
    for one in fields(kind):
        if one.type is not str:
            value = json.loads(values[one.name])
            values[one.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def _record(row: Mapping[str, Any], counts: Mapping[str, Mapping[str, int]], at: Path) -> Record:
    numbers = {name: row[column] for column, name in _NUMBERS.items() if row[column] is not None}
    given: dict[str, Any] = {**numbers, **counts}
    return Record(
        Key(row["instance"], row["arm"], row["number"]),
        row["repo"],
        Verdict(row["verdict"]),
        row["kind"] or "",
        row["step"],
        row["reason"] or "",
        bool(row["infrastructure"]),
        row["stop"] or "",
        Used(**given),
        Tests(**{name: tuple(json.loads(row[name] or "[]")) for name in _TESTS}),
        row["patch"] or "",
        at / row["folder"],
    )


def _rows_of(attempt: int, solved: Solved, run: Run) -> dict[str, list[Row]]:
    """Return the rows of a solved attempt, grouped by table."""
    taken, fault = used(run), solved.fault
    solve: Row = {
        "attempt": attempt,
        "patch": solved.patch,
        "seconds": solved.seconds,
        "cpu_s": solved.cpu_s,
        "verdict": fault.verdict.value if fault else None,
        "kind": fault.kind.value if fault else None,
        "reason": fault.text if fault else None,
        "infrastructure": int(fault is not None and fault.kind.is_infrastructure),
        "stop": run.state.stop.value if run.state.stop else "",
        **{column: getattr(taken, name) for column, name in _NUMBERS.items()},
    }
    return {
        "solves": [solve],
        "calls": [
            {"attempt": attempt, "what": what, "name": name, "times": times}
            for what in _COUNTED
            for name, times in getattr(taken, what).items()
        ],
        "parts": [
            {"attempt": attempt, "part": part, "tokens": tokens}
            for part, tokens in taken.parts.items()
        ],
    }


def _without_secrets(fault: Fault | None) -> Fault | None:
    """Remove secrets from the fault, because its message may contain an API key."""
    return replace(fault, text=Redaction()(fault.text)) if fault else None


def create(
    folder: Path,
    about: Mapping[str, str],
    instances: Sequence[Instance],
    arms: Sequence[Arm],
    tries: int,
    conditions: Conditions | None = None,
) -> Store:
    """Create an experiment. Raises UsageError if it already exists."""
    with machine_error(f"can't make {folder}"):
        files.make_folder(folder.absolute())
    same = asdict(conditions or Conditions())
    values = {name: json.dumps(value, default=str) for name, value in same.items()}
    with databases.made(folder / databases.NAME) as database:
        for table, texts in (("about", about), ("conditions", values)):
            database.put(table, *({"name": name, "value": text} for name, text in texts.items()))
        database.put("instances", *(_row_of(one, at) for at, one in enumerate(instances)))
        database.put("arms", *(_row_of(one, at) for at, one in enumerate(arms)))
        database.put("attempts", *_attempts(instances, arms, tries))
    disk.sync(folder)
    return open(folder)


def open(folder: Path) -> Store:
    """Open an experiment. Raises UsageError if it does not exist, MachineError if unreadable."""
    database = databases.opened(folder / databases.NAME)
    try:
        about = dict(database.rows("SELECT name, value FROM about ORDER BY rowid"))
        arms = tuple(_made_of(Arm, row) for row in database.named("arms", "place"))
        rows = database.rows("SELECT name, value FROM conditions")
        return Store(folder, database, about, arms, _conditions(dict(rows)))
    except BaseException:
        database.close()
        raise


def _conditions(rows: Mapping[str, str]) -> Conditions:
    """Read the conditions. Conditions of an older version that are no longer used are ignored."""
    known = {one.name for one in fields(Conditions)}
    found = {name: json.loads(value) for name, value in rows.items() if name in known}
    if found["repositories"] is not None:
        found["repositories"] = Path(found["repositories"])
    return Conditions(**found)


def _attempts(instances: Sequence[Instance], arms: Sequence[Arm], tries: int) -> Iterator[Row]:
    for instance in instances:
        for arm in arms:
            for number in range(1, tries + 1):
                folder = f"attempts/{instance.id}/{arm.name}-{number}"
                yield {"instance": instance.id, "arm": arm.name, "number": number, "folder": folder}
