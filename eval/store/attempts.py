"""Attempts in the tables: which are due, what is known of one."""

from react_agent.eval.store.database import Database, Row
from react_agent.eval.task import Key

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
