"""The transcript file: entries are appended whole and synced, or not at all."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError, TranscriptError
from react_agent.parsers.entries import HEADER, VERSION, Entry, Event, Reading
from react_agent.parsers.errors import ParseError
from react_agent.parsers.transcript_reader import read_transcript
from react_agent.parsers.transcript_writer import write_entry
from react_agent.state import State, fold

NAME = "transcript.txt"

Listener = Callable[[Entry], None]


@dataclass(slots=True)
class Transcript:
    """An open run. One process at a time; what is written stays as it is."""

    path: Path
    descriptor: int
    lock: int
    state: State
    listeners: tuple[Listener, ...] = ()

    def append(self, *entries: Entry) -> None:
        """All of them in one write; after a failure the file is as it was before."""
        data = "".join(write_entry(entry) for entry in entries).encode()
        size = os.fstat(self.descriptor).st_size
        try:
            _write_all(self.descriptor, data)
            os.fsync(self.descriptor)
        except BaseException as error:
            os.ftruncate(self.descriptor, size)
            if isinstance(error, OSError):
                raise _cannot_write(self.path, error) from error
            raise
        for entry in entries:
            self.state.take(entry)
            for listener in self.listeners:
                listener(entry)

    def close(self) -> None:
        os.close(self.descriptor)
        os.close(self.lock)


def create(path: Path, entries: Iterable[Entry], listeners: Iterable[Listener] = ()) -> Transcript:
    lock = _locked(path.with_name("lock"))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
    except OSError as error:
        os.close(lock)
        raise _cannot_write(path, error) from error
    transcript = Transcript(path, descriptor, lock, State(), tuple(listeners))
    try:
        transcript.append(Event(HEADER, VERSION), *entries)
    except BaseException:
        transcript.close()
        raise
    return transcript


def reopen(path: Path, listeners: Iterable[Listener] = ()) -> tuple[Transcript, Reading]:
    """Take a run up again. A torn end is moved into `%% torn` lines: dropped, and not lost."""
    lock = _locked(path.with_name("lock"))
    try:
        return _reopened(path, lock, tuple(listeners))
    except BaseException:
        os.close(lock)
        raise


def _reopened(path: Path, lock: int, listeners: tuple[Listener, ...]) -> tuple[Transcript, Reading]:
    reading = read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to take up")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        raise _cannot_write(path, error) from error
    transcript = Transcript(path, descriptor, lock, fold(reading.entries), listeners)
    if reading.torn:
        _keep_torn(transcript, reading.torn)
    return transcript, reading


def _keep_torn(transcript: Transcript, torn: str) -> None:
    """As `%% torn` lines; if those can't be written, as it was."""
    data = torn.encode(errors="surrogateescape")
    size = os.fstat(transcript.descriptor).st_size - len(data)
    os.ftruncate(transcript.descriptor, size)
    try:
        transcript.append(*(Event("torn", line) for line in torn.split("\n") if line))
    except BaseException:
        _write_all(transcript.descriptor, data)
        raise


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Nobody else works on this run meanwhile; nothing is written for that."""
    try:
        lock = os.open(path.with_name("lock"), os.O_RDONLY)
    except OSError:  # nobody ever has
        yield
        return
    try:
        _lock(lock, path.parent)
        yield
    finally:
        os.close(lock)


def contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TranscriptError(f"can't read {path}: {error.strerror}") from error


def read(path: Path) -> Reading:
    data = contents(path)
    try:
        return read_transcript(data.decode(errors="surrogateescape"))
    except ParseError as error:
        raise TranscriptError(f"{path}: {error}") from error


def _locked(path: Path) -> int:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        _lock(descriptor, path.parent)
    except TranscriptError:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int, run: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise TranscriptError(f"another process is working on the run {run}") from error


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _cannot_write(path: Path, error: OSError) -> MachineError:
    return MachineError(f"can't write {path}: {error.strerror}; what was there before is whole")
