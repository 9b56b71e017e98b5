"""Values as rows, and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from react_agent.eval.instance import Instance
from react_agent.eval.reading.kinds import Why
from react_agent.eval.record import Record, Used
from react_agent.eval.store.database import Row, Value
from react_agent.eval.task import Arm, Conditions, Graded, Key, Solved, Tests
from react_agent.eval.verdict import Verdict

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
