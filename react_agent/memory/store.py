"""One SQLite file with an index of words. Only the transcript is truth: this can be made again.

So nothing is synced, and what is missing, damaged, of another make or not what the transcript says
is made anew without a word; in memory, where no file can be written.
"""

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from react_agent.loop.steps import Step
from react_agent.memory.passages import Kept, kept, passages
from react_agent.memory.terms import Terms
from react_agent.tools import disk

_VERSION = 2
_IN_MEMORY = ":memory:"
_STEPS_A_COMMIT = 200
# Terms are stems already, and each counts once in a passage: there is nothing for FTS5 to do.
_SCHEMA = f"""
CREATE TABLE step (number INTEGER PRIMARY KEY, digest BLOB, thought, action, input, seen);
CREATE VIRTUAL TABLE words USING fts5(
    terms, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_./-'");
CREATE TABLE meaning (model TEXT, passage INTEGER, vector BLOB, PRIMARY KEY (model, passage));
PRAGMA user_version = {_VERSION};
"""
_NUMBER = re.compile(r"^\s*\d+\| ?", re.MULTILINE)  # of the lines of a file
_Result = TypeVar("_Result")


@dataclass(slots=True)
class Memory:
    """What the steps of a run hold; `steps` are those of its state, as they are at the time."""

    steps: Callable[[], Sequence[Step]]
    place: str
    database: sqlite3.Connection
    terms: Terms = field(default_factory=Terms)
    stored: int = 0
    uncommitted: int = 0
    closed: bool = False

    def catch_up(self) -> None:
        """Store what has happened since."""
        if self.stored < len(self.steps()):
            self.tried(self._add_new)

    def step(self, number: int) -> Kept | None:
        return self.tried(lambda: self._step(number))

    def holding(self, term: str, most: int) -> list[int]:
        """Numbers of the passages that hold it: the newest first."""
        return self.tried(lambda: self._matching(_quoted(term), most))

    def beginning(self, term: str, most: int) -> list[int]:
        """Of those that hold what it begins."""
        return self.tried(lambda: self._matching(f"{_quoted(term)}*", most))

    def holding_both(self, terms: Iterable[str], term: str, most: int) -> list[int]:
        """Any of the terms, and the one."""
        several = " OR ".join(map(_quoted, terms))
        return self.tried(lambda: self._matching(f"({several}) AND {_quoted(term)}", most))

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            with contextlib.suppress(sqlite3.Error):
                self._commit()
            self.database.close()

    def tried(self, what: Callable[[], _Result]) -> _Result:
        """What a full disk or a damaged file keeps from being done is done in memory."""
        try:
            return what()
        except sqlite3.Error:
            if self.place == _IN_MEMORY:
                raise
            self.database.close()
            self.place, self.database = _IN_MEMORY, _made(_IN_MEMORY)
            self.stored = self.uncommitted = 0
            self._add_new()
            return what()

    def _add_new(self) -> None:
        for step in self.steps()[self.stored :]:
            self._add(kept(step))

    def _add(self, step: Kept) -> None:
        if not self.uncommitted:
            self.database.execute("BEGIN")
        row = (step.number, step.digest, step.thought, step.action, step.input, step.seen)
        self.database.execute("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?)", tuple(map(_safe, row)))
        self.database.executemany(
            "INSERT INTO words (rowid, terms) VALUES (?, ?)",
            ((place.number, _indexed(text, self.terms)) for place, text in passages(step)),
        )
        self.stored += 1
        self.uncommitted += 1
        if self.uncommitted >= _STEPS_A_COMMIT:
            self._commit()

    def _commit(self) -> None:
        if self.uncommitted:
            self.database.execute("COMMIT")
            self.uncommitted = 0

    def _step(self, number: int) -> Kept | None:
        columns = "number, digest, thought, action, input, seen"
        found = self.database.execute(f"SELECT {columns} FROM step WHERE number = ?", (number,))
        row = found.fetchone()
        return Kept(*row) if row else None

    def _matching(self, words: str, most: int) -> list[int]:
        found = self.database.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?", (words, most)
        )
        return [number for (number,) in found]


def open_memory(place: Path | None, steps: Callable[[], Sequence[Step]]) -> Memory:
    """With all that the steps hold."""
    memory = _reopened(place, steps) if place else None
    if memory is None:
        memory = _fresh(place, steps)
    memory.catch_up()
    return memory


def _reopened(place: Path, steps: Callable[[], Sequence[Step]]) -> Memory | None:
    """None where the file is not there, can't be read, or says other than the steps."""
    if not place.is_file():
        return None
    database = None
    try:
        database = _connected(str(place))
        stored = _stored(database, steps())
    except sqlite3.Error:
        stored = None
    if database and stored is not None:
        return Memory(steps, str(place), database, stored=stored)
    if database:
        database.close()
    return None


def _stored(database: sqlite3.Connection, steps: Sequence[Step]) -> int | None:
    """How many of the steps are in it; None if it holds anything else."""
    if database.execute("PRAGMA user_version").fetchone() != (_VERSION,):
        return None
    if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
        return None
    found = database.execute("SELECT number, digest FROM step ORDER BY number").fetchall()
    said = [(step.number, kept(step).digest) for step in steps[: len(found)]]
    database.execute("SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1").fetchall()
    return len(found) if found == said else None


def _fresh(place: Path | None, steps: Callable[[], Sequence[Step]]) -> Memory:
    if place:
        with contextlib.suppress(OSError, sqlite3.Error):
            for name in (place.name, f"{place.name}-journal"):
                disk.unlink(place.with_name(name), missing_ok=True)
            return Memory(steps, str(place), _made(str(place)))
    return Memory(steps, _IN_MEMORY, _made(_IN_MEMORY))


def _made(place: str) -> sqlite3.Connection:
    database = _connected(place)
    try:
        database.executescript(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _connected(place: str) -> sqlite3.Connection:
    """By whatever thread the run goes on in."""
    database = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous = OFF", "temp_store = MEMORY", "locking_mode = EXCLUSIVE"):
            database.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _indexed(text: str, terms: Terms) -> str:
    bare = _NUMBER.sub("", text) if "| " in text else text
    return _safe_text(terms.of_text(bare))


def _quoted(term: str) -> str:
    return f'"{_safe_text(term)}"'


def _safe(value: object) -> object:
    return _safe_text(value) if isinstance(value, str) else value


def _safe_text(text: str) -> str:
    """SQLite takes no lone surrogate."""
    return text if text.isascii() else text.encode(errors="replace").decode()
