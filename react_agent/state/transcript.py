"""The transcript file. An append writes and syncs all its entries, or leaves the file unchanged."""

import contextlib
import fcntl
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import MachineError, TranscriptError
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Reading,
    Said,
    Seen,
)
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_entry
from react_agent.state.state import STARTED_FROM, State, fold
from react_agent.state.steps import RETRACTED
from react_agent.tools import clock, disk
from react_agent.tools.disk import sync_names
from react_agent.tools.errors import machine_error

NAME = "transcript.txt"
_LOOKS, _LOOK_S = 2, 0.01  # retries, and seconds between them: `is_held` holds the lock briefly
_LEVELS = 4  # folders that may be new, too: of a sub-agent, its run and all runs

_CHECK = " check="  # a fact of the backtracker's retractions, which a step with the proof follows

NOTHING_KNOWN = Redaction()

Listener = Callable[[Entry], None]


@dataclass(slots=True)
class Transcript:
    """An open transcript, locked by one process. Entries are never modified once written."""

    path: Path
    descriptor: int
    lock: int
    state: State
    listeners: tuple[Listener, ...] = ()
    redact: Redaction = NOTHING_KNOWN

    def append(self, *entries: Entry) -> None:
        """Append all entries in one write. If it fails, restore the file and raise MachineError."""
        entries = tuple(without_secrets(entry, self.redact) for entry in entries)
        data = "".join(write_entry(entry) for entry in entries).encode()
        with uninterrupted():
            self._write(data)
            for entry in entries:
                self.state.take(entry)
        for entry in entries:
            for listener in self.listeners:
                listener(entry)

    def _write(self, data: bytes) -> None:
        now = os.fstat(self.descriptor)
        if not now.st_nlink:
            raise MachineError(
                f"{self.path} was removed or replaced during the run: the run ends here"
            )
        with machine_error(f"can't write {self.path}"):
            try:
                _write_all(self.descriptor, data)
                os.fsync(self.descriptor)
            except BaseException:
                with contextlib.suppress(OSError):  # the torn end is then found by the reader
                    os.ftruncate(self.descriptor, now.st_size)
                raise

    def close(self) -> None:
        os.close(self.descriptor)
        os.close(self.lock)


def create(
    path: Path,
    entries: Iterable[Entry],
    listeners: Iterable[Listener] = (),
    redact: Redaction = NOTHING_KNOWN,
) -> Transcript:
    with contextlib.ExitStack() as undo:
        lock = _locked(path.with_name("lock"))
        undo.callback(os.close, lock)
        with machine_error(f"can't write {path}"):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        undo.callback(os.close, descriptor)
        transcript = Transcript(path, descriptor, lock, State(), tuple(listeners), redact)
        transcript.append(Event(HEADER, VERSION), *entries)
        with machine_error(f"can't write {path}"):
            sync_names(path, _LEVELS)
        undo.pop_all()
    return transcript


def reopen(
    path: Path, listeners: Iterable[Listener] = (), redact: Redaction = NOTHING_KNOWN
) -> tuple[Transcript, Reading]:
    """Open a transcript to resume its run. An incomplete last entry is kept in `%% torn` lines."""
    with contextlib.ExitStack() as undo:
        lock = _locked(path.with_name("lock"))
        undo.callback(os.close, lock)
        reading = _without_half(read_begun(path, "resume", redact), contents(path))
        with machine_error(f"can't write {path}"):
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        undo.callback(os.close, descriptor)
        state = fold(reading.entries)
        transcript = Transcript(path, descriptor, lock, state, tuple(listeners), redact)
        if reading.torn:
            _keep_torn(transcript, reading.torn)
        undo.pop_all()
    return transcript, reading


def _without_half(reading: Reading, data: bytes) -> Reading:
    """Treat a final retraction as incomplete if a power failure lost the step written with it."""
    last = reading.entries[-1] if reading.entries else None
    if not (isinstance(last, Event) and last.name == RETRACTED):
        return reading
    if _CHECK not in last.text.partition("|")[0]:
        return reading
    torn = write_entry(last) + reading.torn
    if not data.endswith(torn.encode(errors="surrogateescape")):
        return reading
    return Reading(reading.entries[:-1], torn)


def _keep_torn(transcript: Transcript, torn: str) -> None:
    """Replace the incomplete end with `%% torn` lines, or restore it if they can't be written."""
    data = torn.encode(errors="surrogateescape")
    size = os.fstat(transcript.descriptor).st_size - len(data)
    os.ftruncate(transcript.descriptor, size)
    try:
        # A disk block that was not written holds thousands of NULs.
        lines = filter(None, (line.strip("\0") for line in torn.split("\n")))
        transcript.append(*(Event("torn", line) for line in lines))
    except MachineError:
        _write_all(transcript.descriptor, data)
        raise


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock the run without writing to it. Raises TranscriptError if it is already locked."""
    try:
        lock = os.open(path.with_name("lock"), os.O_RDONLY)
    except OSError:  # no lock file: nobody ever worked on it
        yield
        return
    try:
        _lock(lock, path.parent)
        yield
    finally:
        os.close(lock)


def is_held(path: Path) -> bool:
    """Return whether a process holds the lock of this run."""
    try:
        with held(path):
            return False
    except TranscriptError:
        return True


def contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TranscriptError(f"can't read {path}: {error.strerror}") from error


def read_begun(path: Path, aim: str, redact: Redaction = NOTHING_KNOWN) -> Reading:
    """Read a transcript that has an entry. Raises TranscriptError, which names the aim."""
    reading = read(path, redact)
    if not reading.entries:
        raise TranscriptError(f"{path} has no complete entry: there is nothing to {aim}")
    return reading


def read(path: Path, redact: Redaction = NOTHING_KNOWN) -> Reading:
    """Read a transcript and redact it, since it may have been written without redaction.

    A NUL byte indicates a power failure, so everything from the first NUL on is treated as torn.
    """
    data, hole, behind = contents(path).partition(b"\0")
    try:
        reading = read_transcript(data.decode(errors="surrogateescape"))
    except ParseError as error:
        raise TranscriptError(f"{path}: {error}") from error
    entries = tuple(without_secrets(entry, redact) for entry in reading.entries)
    return Reading(entries, reading.torn + (hole + behind).decode(errors="surrogateescape"))


def _locked(path: Path) -> int:
    with machine_error(f"can't write {path}"):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        _lock(descriptor, path.parent)
    except TranscriptError:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int, run: Path) -> None:
    for left in range(_LOOKS, -1, -1):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not left:
                raise TranscriptError(f"another process is working on the run {run}") from error
            clock.sleep(_LOOK_S)
        else:
            break


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


Redact = Callable[[str], str]
# Events that locate a run; they are not redacted.
_PLACES = frozenset(("run", "repository", "base", "branch", "tree"))


def without_secrets(entry: Entry, redact: Redact) -> Entry:
    match entry:
        case Event(name, text):
            return entry if name in _PLACES else replace(entry, text=redact(text))
        case Said(turn, raw, facts):
            return Said(
                turn._replace(
                    thought=redact(turn.thought),
                    action=redact(turn.action),
                    input=redact(turn.input),
                    conclusion=redact(turn.conclusion),
                    problem=redact(turn.problem),
                    repairs=tuple(map(redact, turn.repairs)),
                ),
                None if raw is None else redact(raw),
                facts,
            )
        case Objective(text, facts):
            return Objective(redact(text), facts)
        case Seen(text, facts):
            return Seen(redact(text), {name: redact(value) for name, value in facts.items()})


_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay signals until the `with` block ends. Has no effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in _HEARD}
    ours = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in ours:
            signal.signal(number, lambda which, frame: heard.append(which))
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
        for which in dict.fromkeys(heard):
            signal.raise_signal(which)


def sub_name(step: int) -> str:
    """Return the folder of a step's nested run, relative to the folder of the run."""
    return f"sub/{step:03}"


def next_sub(state: State) -> str:
    """Return an unused folder name for the next step's nested run."""
    taken = {step.seen.facts.get("sub") for step in state.steps}
    names = map(sub_name, itertools.count(len(state.steps) + 1))
    return next(name for name in names if name not in taken)


def opened(
    folder: Path,
    header: Iterable[Event],
    objective: str,
    redact: Redaction,
    listeners: Iterable[Listener] = (),
) -> Transcript:
    """Create the transcript of a nested run, or reopen it if the nested run was interrupted."""
    place, given = folder / NAME, tuple(header)
    start = next((event.text for event in given if event.name == STARTED_FROM), "")
    if _is_of(place, start, redact(objective)):
        transcript, _ = reopen(place, listeners, redact)
        transcript.append(Event("resumed"))
        return transcript
    if folder.exists():  # set it aside
        names = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(1))
        disk.rename(folder, next(name for name in names if not name.exists()))
    disk.mkdir(folder, parents=True)
    return create(place, (*given, Objective(objective)), listeners, redact)


def _is_of(place: Path, start: str, objective: str) -> bool:
    """Return whether the existing transcript belongs to this nested run."""
    try:
        state = fold(read(place).entries)
    except TranscriptError:
        return False
    return (state.header.get(STARTED_FROM), state.objective) == (start, objective)
