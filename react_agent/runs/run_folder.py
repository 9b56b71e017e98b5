"""The folder of a run and its files. Also functions to find, list and remove runs."""

import contextlib
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG

from react_agent.errors import ReactAgentError, TranscriptError, UsageError
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import HEADER, VERSION
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.quoting import unescape, unquote_world
from react_agent.state import transcript as transcripts
from react_agent.state.events import SPENT
from react_agent.state.state import OUTCOME, RESUMES, Ending, Stop
from react_agent.state.steps import MAINTAINER, RETRACTED, Spent, spent_text, whole_number
from react_agent.state.transcript import NAME
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree, write_over
from react_agent.tools.errors import machine_error, reason
from react_agent.tools.git.door import HOST_GIT
from react_agent.tools.sandbox.sandbox import CALLS, ETC_COPY

CHANGES = "steps.diff"
LAST = "last"  # the run whose transcript was written to last
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Below:
    """A descriptor for a path inside the folder of a run."""

    name: str

    def __get__(self, run: "RunFolder", owner: type) -> Path:
        return run.path / self.name


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    name: str = NAME  # of its transcript

    workspace = _Below("workspace")
    home = _Below("home")  # of the commands that the model runs
    git = _Below(HOST_GIT)  # the agent's own git directory of the workspace
    calls = _Below(CALLS)  # the filter of the system calls that commands make
    etc = _Below(ETC_COPY)  # what commands see as /etc while the run goes on
    memory = _Below("memory.sqlite")  # an index that older versions wrote
    modules = _Below("node_modules")  # a link to the packages that Node.js finds here
    checkout = _Below("checkout")  # in which the repository's own tests run at the end
    patch = _Below("patch.diff")
    changes = _Below(CHANGES)  # git's diff of each step that changed something
    report = _Below("report.md")

    @property
    def temporary(self) -> tuple[Path, ...]:
        """Return what is removed at the end of the run, besides the workspace and its git."""
        return self.home, self.memory, self.calls, self.etc, self.modules

    @property
    def transcript(self) -> Path:
        return self.path / self.name


def create(runs: Path, name: str) -> RunFolder:
    folder = RunFolder(runs / name)
    with machine_error(f"can't make {folder.path}"):
        disk.mkdir(folder.path, parents=True, mode=0o700)
    return folder


def find(runs: Path, named: str) -> RunFolder:
    """Find a run by its folder, its transcript, a unique prefix of its name, or `last`."""
    path = Path(named).absolute()
    if named and path.is_file():
        return RunFolder(path.parent, path.name)
    if named and (path / NAME).is_file():
        return RunFolder(path)
    named, _, below = named.partition("/sub/")
    if below:  # of a sub-agent
        folder = RunFolder(find(runs, named).path / "sub" / below)
        if folder.transcript.is_file():
            return folder
        raise UsageError(f"the run {named} has no sub/{below}")
    if named == LAST and (there := every(runs)):
        return max(there, key=lambda run: run.transcript.stat().st_mtime_ns)
    names = sorted(run.name for run in list(runs.iterdir())) if runs.is_dir() else []
    matches = [name for name in names if named and name.startswith(named)]
    if named in matches:
        matches = [named]
    if not matches:
        known = "name its folder, its transcript, or the start of its name"
        raise UsageError(f"no run {named!r}: {known}")
    if len(matches) > 1:
        shown = ", ".join(matches[:_SHOWN]) + (", ..." if len(matches) > _SHOWN else "")
        raise UsageError(f"{len(matches)} runs begin with {named!r}: {shown}")
    return RunFolder(runs / matches[0])


def every(runs: Path) -> list[RunFolder]:
    """Return the folders of all runs, sorted from oldest to newest.

    Folders that begin with a dot are left out: they are of runs that were not removed completely.
    """
    folders = sorted(runs.glob("[!.]*"))
    return [RunFolder(folder) for folder in folders if (folder / NAME).is_file()]


def write_whole(path: Path, data: bytes | str, mode: int | None = None) -> None:
    """Write a file atomically, even if the power fails. Raises MachineError."""
    written = data if isinstance(data, bytes) else data.encode(errors="surrogateescape")
    with machine_error(f"can't write {path}"):
        write_over(path, written, mode)


_START = 64 * 1024  # bytes: a header that holds a profile is long
_END = 16 * 1024  # what a run writes down at its end is rarely more
_TITLE = 20  # lines of an issue, of which one has its title
_LINE = re.compile(rb"^%% ([a-z ]+): ?(.*?)\r?$", re.MULTILINE)
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?%% " + f"{HEADER}: {VERSION}".encode() + rb"\r?\n")
_OBJECTIVE = b"\nObjective: "
_COUNTED = ("turn", "step", "asked", "lost")  # lines with tokens, money and time in them
_REMOVED = ".removed-"  # before the name of a run, while it goes
_BLOCK = 512
_DAY_S = 86_400.0  # a run that begins may have made a cut and written nothing yet
_CUT = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})(?:-[0-9a-f]{16})?\.git")
_HALF = ".building-"  # of a cut whose making was broken off
_LONGEST = 10_000  # bytes that say where objects are borrowed


class Standing(StrEnum):
    """The status of a run whose transcript does not record an end."""

    RUNNING = "running"
    BROKEN_OFF = "broken_off"  # killed, or the machine went down
    UNREADABLE = "unreadable"


OUTCOMES: tuple[str, ...] = (*Stop, *Ending, *Standing)


@dataclass(frozen=True, slots=True)
class Glance:
    folder: RunFolder
    outcome: str  # one of OUTCOMES
    title: str = ""
    repository: str = ""
    base: str = ""
    model: str = ""
    steps: int = 0
    money: float | None = None  # None: no price is known
    written: float = 0  # when something was last added to it, in seconds
    age: float = 0  # seconds since then

    @property
    def name(self) -> str:
        return self.folder.path.name


def glance(folder: RunFolder) -> Glance:
    """Return a summary of the run. A run that can't be read gets the outcome UNREADABLE."""
    try:
        return _glance(folder)
    except (OSError, TranscriptError):
        return Glance(folder, Standing.UNREADABLE)


def _glance(folder: RunFolder) -> Glance:
    start = disk.start_of(folder.transcript, _START)
    if not _HEADER.match(start):
        return Glance(folder, Standing.UNREADABLE)
    head, _, issue = start.partition(_OBJECTIVE)
    last = _last(list(_lines(disk.end_of(folder.transcript, _END).partition(b"\n")[2])))
    if not {"stop", SPENT} <= last.keys():  # it goes on, or an older version wrote it
        lines, spent = list(_lines(disk.read_bytes(folder.transcript))), Spent()
        for name, text in lines:
            if name in _COUNTED:
                spent.add(read_facts(text))
        steps = sum(name == "step" for name, _ in lines)
        last = {SPENT: spent_text(spent, steps), **_last(lines)}
    header = dict(_lines(head))
    facts, spent = read_facts(last[SPENT]), Spent()
    spent.add(facts)
    outcome = last.get(OUTCOME) or last.get("stop", "").partition(" ")[0]
    if outcome not in (*Stop, *Ending):
        is_held = transcripts.is_held(folder.transcript)
        outcome = Standing.RUNNING if is_held else Standing.BROKEN_OFF
    title = issue.decode(errors="replace").split("\n")[:_TITLE]
    return Glance(
        folder,
        outcome,
        title_of(unquote_world("\n".join(title))),
        header.get("repository", ""),
        header.get("base", ""),
        header.get("model", ""),
        whole_number(facts.get("steps")),
        spent.money,
    )


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    for name, text in _LINE.findall(data):
        yield name.decode(), unescape(text.decode(errors="surrogateescape"))


def _last(lines: list[tuple[str, str]]) -> dict[str, str]:
    """Return the last text for each event name since the run was last resumed or forked."""
    found = dict[str, str]()
    for name, text in lines:
        if name in (*RESUMES, MAINTAINER):
            found.clear()
        elif name == RETRACTED:  # and with the steps, what came of them
            found.pop(OUTCOME, None)
        elif name in ("stop", OUTCOME, SPENT):
            found[name] = text
    return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter for a list of runs. A field that is not set does not restrict the list."""

    outcomes: tuple[str, ...] = ()
    repository: Path | None = None  # or a folder in it
    text: str = ""  # in its name, the title of its issue, its repository or its model
    older_than: float | None = None  # seconds


def lying_in(runs: Path) -> list[tuple[float, RunFolder]]:
    """Return all run folders with their last write times, newest first. Symlinks are skipped."""
    found = list[tuple[float, RunFolder]]()
    for path in _folders(runs):
        folder = RunFolder(path)
        try:
            about = os.lstat(folder.transcript)
        except OSError:
            continue
        if S_ISREG(about.st_mode) and not path.name.startswith("."):
            found.append((about.st_mtime, folder))
    return sorted(found, key=lambda one: (-one[0], one[1].path.name))


def _folders(folder: Path) -> list[Path]:
    found = disk.entries(folder) if folder.is_dir() else []
    return sorted(Path(one.path) for one in found if one.is_dir(follow_symlinks=False))


def listed(
    found: Iterable[tuple[float, RunFolder]], wanted: Wanted, now: float
) -> Iterator[Glance]:
    """Lazily read the runs and yield those that match the filter `wanted`."""
    for written, folder in found:
        age = max(now - written, 0.0)  # something may have been added since it was asked
        if age >= (wanted.older_than or 0):
            run, place = glance(folder), wanted.repository
            told = "\n".join((run.name, run.title, run.repository, run.model)).casefold()
            is_outcome = not wanted.outcomes or run.outcome in wanted.outcomes
            is_there = place is None or (
                run.repository != "" and Path(run.repository) in (place, *place.parents)
            )
            if is_outcome and is_there and wanted.text.casefold() in told:
                yield replace(run, written=written, age=age)


def size_of(folder: Path) -> int:
    """Return how many bytes removing the folder frees. Symbolic links are not followed.
    The size of a file with several hard links is divided by their number.
    """
    total, left = 0, [folder]
    while left:
        place = left.pop()
        with contextlib.suppress(OSError):  # it can't be read, is too deep, or is gone by now
            for one in disk.entries(place):
                if one.is_dir(follow_symlinks=False):
                    left.append(Path(one.path))
                else:
                    found = os.lstat(one.path)
                    total += found.st_blocks * _BLOCK // max(found.st_nlink, 1)
    return total


def remove(runs: Path, one: Glance) -> str:
    """Remove a run that is not in use. Return why it could not be removed, or an empty string."""
    folder = one.folder
    try:
        with transcripts.held(folder.transcript):
            if os.lstat(folder.transcript).st_mtime != one.written:
                return "it was written to a moment ago"
            gone = runs / f"{_REMOVED}{folder.path.name}"
            disk.rename(folder.path, gone)  # so that no half of it is ever taken for a run
            remove_tree(gone)
    except ReactAgentError as error:
        return str(error)
    except OSError as error:
        return reason(error)
    return ""


def remove_half_gone(runs: Path) -> dict[str, str]:
    """Finish removing each run whose removal was interrupted because the process was killed.
    Return why some could not be removed, by name.
    """
    staying = dict[str, str]()
    for folder in _folders(runs):
        if folder.name.startswith(_REMOVED):
            try:
                remove_tree(folder)
            except ReactAgentError as error:
                staying[folder.name] = str(error)
    return staying


def unneeded_cuts(cuts: Path, runs: Path, going: Collection[str], now: float) -> list[Path]:
    """Return cached base repositories that can be deleted along with the runs in `going`: no
    other run uses them, and they are at least a day old. They are created again when needed.
    """
    staying = [RunFolder(run) for run in _folders(runs) if run.name not in going]
    borrowed = {place for run in staying for place in _borrowed(run.workspace)}
    bases = {glance(run).base for _, run in lying_in(runs) if run.path.name not in going}
    found = list[Path]()
    for cut in _folders(cuts):
        name = _CUT.fullmatch(cut.name)
        is_unneeded = name[1] not in bases if name else cut.name.startswith(_HALF)
        with contextlib.suppress(FileNotFoundError):  # another process may have removed it
            is_old = now - os.lstat(cut).st_mtime >= _DAY_S
            if is_old and is_unneeded and os.path.realpath(cut) not in borrowed:
                found.append(cut)
    return found


def _borrowed(workspace: Path) -> Iterator[str]:
    """Yield the folders from which the workspace borrows git objects, even without a transcript."""
    file = workspace / ".git" / "objects" / "info" / "alternates"
    try:
        lines = disk.start_of_regular(file, _LONGEST)
    except OSError:  # it was not kept
        return
    for line in os.fsdecode(lines).split("\n"):
        yield os.path.realpath(Path(line).parent)
