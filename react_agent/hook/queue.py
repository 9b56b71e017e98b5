"""The job queue: files below the git folder, written atomically and moved between folders.

    asked/   requests of the hook's script            queue/   jobs made from them
    work/    the current or an interrupted job        done/    jobs that have ended
    news/    lines for the next hook to print         logs/    the output of each job's run

A job has the same file name in all folders, and only one worker at a time moves jobs.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.transcript.hook_files import Job, read_job, write_job
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.settings import HookPolicy
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk
from react_agent.tools.errors import machine_error

NAME = "react-agent"  # below the git folder
LOCK = "lock"  # a file that the worker holds
MOST_DONE = 500  # kept: the next is known again for so long
_FOLDERS = ("asked", "queue", "work", "done", "news", "logs")
_LONGEST = 500
_SHOWN = 10  # jobs that have ended


@dataclass(frozen=True, slots=True)
class Spool:
    root: Path

    def make(self) -> None:
        with machine_error(f"can't make {self.root}"):
            disk.mkdir(self.root, mode=0o700, exist_ok=True)
            for name in _FOLDERS:
                disk.mkdir(self.root / name, mode=0o700, exist_ok=True)

    def requests(self) -> list[Path]:
        return _oldest_first(self.root / "asked")

    def jobs(self, folder: str) -> list[Job]:
        """Return the jobs in a folder, oldest first. Other files are ignored."""
        found = map(_read, _oldest_first(self.root / folder))
        return [job for job in found if job]

    def knows(self, job: Job) -> bool:
        return any((self.root / folder / job.key).exists() for folder in ("queue", "work", "done"))

    def write(self, folder: str, job: Job) -> None:
        write_whole(self.root / folder / job.key, write_job(job))

    def move(self, job: Job, source: str, target: str) -> None:
        with machine_error(f"can't move {self.root / source / job.key}"):
            disk.rename(self.root / source / job.key, self.root / target / job.key)

    def end(self, job: Job) -> None:
        self.write("work", job)
        self.move(job, "work", "done")
        for old in _oldest_first(self.root / "done")[:-MOST_DONE]:
            disk.unlink(old, missing_ok=True)
            disk.unlink(self.root / "logs" / f"{old.name}.log", missing_ok=True)


def again(spool: Spool, start: str, is_anew: Callable[[Job], bool]) -> Job:
    """Queue the ended job whose name begins with `start` again, to resume or repeat its run."""
    ended = [job for job in spool.jobs("done") if start and job.key.startswith(start)]
    if len(ended) != 1:
        what = f"{len(ended)} jobs begin" if ended else "no finished job begins"
        raise UsageError(f"{what} with {start!r}: react-agent hook status")
    [job] = ended
    run, branch = ("", "") if is_anew(job) else (job.run, job.branch)
    anew = replace(job, tries="0", ended="", said="", run=run, branch=branch)
    spool.write("queue", anew)
    disk.unlink(spool.root / "done" / job.key, missing_ok=True)
    return anew


def _oldest_first(folder: Path) -> list[Path]:
    """Return complete regular files, oldest first. Other kinds, such as pipes, could block."""
    found = dict[Path, int]()
    for path in list(folder.iterdir()) if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            about = os.lstat(path)
            if stat.S_ISREG(about.st_mode) and not path.name.startswith("."):
                found[path] = about.st_mtime_ns
    return sorted(found, key=lambda path: (found[path], path.name))


def _read(path: Path) -> Job | None:
    try:
        job = read_job(disk.read_bytes(path).decode(errors="surrogateescape"))
    except (OSError, ParseError):
        return None
    return job if job.key == path.name else None


@dataclass(frozen=True, slots=True)
class Day:
    name: str
    runs: int = 0
    seconds: float = 0


def last_day(file: Path) -> Day | None:
    """Return the last day with any usage, or None if the file can't be read."""
    try:
        facts = read_facts(disk.read_text(file).strip())
        return Day(facts["day"], int(facts["runs"]), float(facts["seconds"]))
    except (OSError, ValueError, KeyError):
        return None


def read_day(file: Path, today: str) -> Day:
    day = last_day(file)
    return day if day and day.name == today else Day(today)


def write_day(file: Path, day: Day) -> None:
    facts = {"day": day.name, "runs": str(day.runs), "seconds": f"{day.seconds:.0f}"}
    write_whole(file, write_facts(facts) + "\n")


def tell(spool: Spool, name: str, line: str) -> None:
    """Leave a line for the next hook to print. It replaces an earlier line with the same name."""
    text = " ".join(escape(line).split())[:_LONGEST]
    write_whole(spool.root / "news" / f"{name}.txt", f"react-agent: {text}\n")


def told(job: Job) -> str:
    again = f"; again: react-agent hook run --again {job.key}" if job.ended == "failed" else ""
    return f"{job.title}: {job.said}{again}"


def lines_of(spool: Spool, policy: HookPolicy) -> Iterator[str]:
    requests, waiting = len(spool.requests()), spool.jobs("queue")
    yield f"waiting: {counted(requests + len(waiting), 'job')}"
    yield from (f"    {job.key} {job.title}" for job in waiting)
    for job in spool.jobs("work"):
        yield f"begun: {job.key} {job.title}, run {job.run or 'none yet'}"
    for job in spool.jobs("done")[-_SHOWN:]:
        yield f"{job.ended}: {job.key} {told(job)}"
    if day := last_day(spool.root / "day"):
        used = f"{day.runs} of {policy.runs:g} runs, {day.seconds:.0f} of {policy.seconds:g} s"
        yield f"used on {day.name}: {used}"
    yield f"logs: {spool.root / 'logs'}"
