"""The SQLite file of an experiment. Any SQLite error becomes an error with a one-line message."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from react_agent.errors import MachineError, UsageError
from react_agent.tools import package_data

NAME = "experiment.sqlite"
VERSION = 1
_BUSY_S = 30.0

Value = str | int | float | None
Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Database:
    """A connection whose transactions are synced to disk."""

    file: Path
    connection: sqlite3.Connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction, completely or not at all. Raises MachineError."""
        with _told(self.file, "write"):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Give all reads in the block one consistent view, even if another process writes."""
        with _told(self.file, "read"):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def rows(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        with _told(self.file, "read"):
            found = self.connection.execute(query, [_bound(value) for value in values])
            return [tuple(_read(value) for value in row) for row in found]

    def named(self, table: str, order: str, condition: str = "true", *values: Value) -> list[Any]:
        """Return rows as mappings from column names to values."""
        query = f"SELECT * FROM {table} WHERE {condition} ORDER BY {order}"
        columns = self.rows("SELECT name FROM pragma_table_info(?)", table)
        found = self.rows(query, *values)
        return [dict(zip((name for (name,) in columns), row, strict=True)) for row in found]

    def put(self, table: str, *rows: Row) -> None:
        """Insert rows, or replace rows with the same key. Requires a transaction."""
        if rows:
            names, marks = ", ".join(rows[0]), ", ".join("?" * len(rows[0]))
            self.connection.executemany(
                f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})",
                ([_bound(value) for value in row.values()] for row in rows),
            )

    def drop(self, attempt: int, *tables: str) -> None:
        """Delete the rows of the attempt from these tables. Requires a transaction."""
        for table in tables:
            self.connection.execute(f"DELETE FROM {table} WHERE attempt = ?", (attempt,))

    def close(self) -> None:
        with _told(self.file, "write"):
            self.connection.close()


@contextmanager
def made(file: Path) -> Iterator[Database]:
    """Create the file and yield it in a transaction. Raises UsageError if it already exists."""
    database = _connected(file)
    try:
        if _version(database) != 0:
            where = f"{file.parent} already contains an experiment"
            raise UsageError(
                f"{where}: `react-agent eval resume` continues it; or choose another --out"
            )
        schema = package_data.text("react_agent.eval.store", "schema.sql")
        with _told(file, "write"):
            database.connection.execute("PRAGMA journal_mode = WAL")
            database.connection.executescript(
                f"BEGIN IMMEDIATE; {schema} PRAGMA user_version = {VERSION};"
            )
            yield database
            database.connection.execute("COMMIT")
    finally:
        database.close()


def opened(file: Path) -> Database:
    """Open an existing file. Raises UsageError or MachineError."""
    if not file.is_file():
        raise UsageError(f"{file.parent} is not an experiment: it has no {NAME}")
    database = _connected(file)
    try:
        version = _version(database)
        if version != VERSION:
            raise UsageError(f"{file} {_NEWER if version > VERSION else _HALF}")
    except BaseException:
        database.close()
        raise
    return database


_NEWER = "was made by a newer react-agent: use that version"
_HALF = "was not completely created: remove it, and run it again"


def _connected(file: Path) -> Database:
    with _told(file, "open"):
        connection = sqlite3.connect(file, timeout=_BUSY_S, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
    return Database(file, connection)


def _version(database: Database) -> int:
    return int(database.rows("PRAGMA user_version")[0][0])


@contextmanager
def _told(file: Path, what: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise MachineError(f"can't {what} {file}: {error}") from error


def _bound(value: Value) -> Value | bytes:
    """Encode text with lone surrogates as bytes. SQLite rejects such text, but it stores bytes."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode(errors="surrogatepass")
    return value


def _read(value: Value | bytes) -> Value:
    return value.decode(errors="surrogatepass") if isinstance(value, bytes) else value
