"""What is done, as reports read it."""

from collections import defaultdict
from pathlib import Path

from react_agent.eval.record import Record
from react_agent.eval.store.database import Database
from react_agent.eval.store.rows import COUNTED, PARTS, RESULT, read_record

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
