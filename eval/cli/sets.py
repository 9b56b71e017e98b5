"""The commands `react-agent eval check` and `make-set`, which check a set and create one."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.options import argument, option, whole
from react_agent.cli.terminal.screen import console
from react_agent.errors import UsageError
from react_agent.eval.cli.options import Chosen, Set, Workers, Working, local_workers
from react_agent.eval.sets.checked import Checked, Finding, all_checked
from react_agent.eval.sets.issue_set import check_place, is_id, write_set
from react_agent.eval.sets.mined import Skipped, mined, trying
from react_agent.eval.station import station_at
from react_agent.eval.task import Instance
from react_agent.eval.work import grade_task
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line
from react_agent.tools.git.repository import find_base, in_repository

_MOST_CHECKS, _MOST = 100, 100_000
_WIDEST, _LONGEST, _SHORT = 40, 300, 12  # characters of an id, a line, a commit

Repeats = Annotated[str, option("--times", "N", "how often to run each issue, to find flaky tests")]
Good = Annotated[
    Path | None, option("--good", "FILE", "write the instances that pass to a new set")
]


def check_command(
    named: Set,
    chosen: Chosen,
    working: Working,
    times: Repeats = "1",
    workers: Workers = None,
    good: Good = None,
) -> None:
    """Check that the issues of a set can be judged here, without asking a model.

    The set's own patch must be graded as resolved, and an empty change as not resolved.
    Exits with 1 if an issue fails this check.

    \b
    Example:
      react-agent eval check project.jsonl --times 3 --good sound.jsonl
    """
    instances, often = chosen.of(named), whole("--times", times, _MOST_CHECKS)
    conditions = working.conditions()
    if good:
        check_place(good)
    screen, found = console(), list[Checked]()
    width = min(_WIDEST, max(len(one.id) for one in instances))
    grade = partial(grade_task, root=None)
    with (
        local_workers(workers, len(instances)) as executor,
        closing(all_checked(instances, conditions, grade, often, executor)) as checks,
    ):
        for one in checks:
            found.append(one)
            what = [one.note] if one.is_good else [one.finding, one.note]
            is_open = one.finding is Finding.NO_PATCH  # it may be judged all the same
            mark = "good" if one.is_good else "?   " if is_open else "BAD "
            told = one_line(": ".join(filter(None, what)))
            _print(screen, f"{mark}  {one.instance.id:<{width}}  {told}".rstrip())
    sound = [one.instance for one in found if one.is_good]
    unchecked = sum(one.finding is Finding.NO_PATCH for one in found)
    more = f", {unchecked} not checked" if unchecked else ""
    _print(screen, f"{len(sound)} of {len(found)} can be judged{more}")
    if good and sound:
        write_set(good, sound)
    if len(sound) < len(found):
        raise typer.Exit(1)


def _print(screen: Console, line: str) -> None:
    screen.print(clip_line(escape(line), _LONGEST))


Written = Annotated[Path, option("--out", "FILE", "the set to write: a new file")]
Enough = Annotated[str, option("--limit", "N", "stop after this many instances")]
Name = Annotated[
    str | None,
    option("--name", "OWNER/NAME", "the repository's name in the set; default: its path"),
]
TestCommand = Annotated[
    str | None,
    option("--test-command", "LINE", "the command that runs the tests; default: detected"),
]
Install = Annotated[
    str | None, option("--install", "LINE", "the command that makes their environment, in $VENV")
]
Python = Annotated[
    str | None,
    option("--python", "VERSION", "the Python version of that environment, such as 3.11"),
]


@dataclass(frozen=True, slots=True)
class Mining:
    """The number of instances to find, and the values that all their rows share."""

    limit: Enough = "20"
    name: Name = None
    test_command: TestCommand = None
    install: Install = None
    python: Python = None

    def row(self, top: Path) -> Instance:
        name = (self.name or top.name.removesuffix(".git")).replace("/", "__")
        if not is_id(name):
            raise UsageError(f"no id can begin with {name!r}: choose another --name")
        return Instance(
            id=name,
            repo=str(top),
            base="",
            problem="",
            install=self.install or "",
            test_command=self.test_command or "",
            python=self.python or "",
        )


def make_command(
    repository: Annotated[Path, argument("REPO", "the repository, or a folder in it")],
    out: Written,
    mining: Mining,
    working: Working,
) -> None:
    """Make a set from the fixes in a repository's history.

    A change whose message says that it is a fix, and that touches tests and code, becomes
    an instance if its tests fail before it and pass after it. The tests run in the sandbox.
    The newest changes come first, and each instance is written at once.

    \b
    Example:
      react-agent eval make-set ~/src/project --out project.jsonl --limit 50
    """
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out} already exists: name a new file")
    limit = whole("--limit", mining.limit, _MOST)
    base = find_base(repository, "HEAD")
    row = mining.row(base.repository)
    check_place(out)
    try_ = trying(working.conditions(), station_at(None))
    with in_repository(base.repository) as git:
        changes = mined(git, row, base.commit, try_)
        found = _write_found(changes, out, mining.name or row.repo, limit)
    if not found:
        raise typer.Exit(1)


def _write_found(
    changes: Iterator[Instance | Skipped], out: Path, called: str, limit: int
) -> list[Instance]:
    """Write the set after each new instance, so that nothing is lost on Ctrl-C."""
    screen, found, tried, not_tried = console(), list[Instance](), 0, Counter[str]()
    try:
        for one in changes:
            if isinstance(one, Instance):
                found.append(replace(one, repo=called))
                write_set(out, found)
                counts = f"{len(one.fail_to_pass)} fixed, {len(one.pass_to_pass)} kept"
                title = f"{one.id}  {title_of(one.problem)} ({counts})"
                _print(screen, f"{len(found):>4}  {title}")
            elif one.was_tried:
                tried += 1
                reason = f"{one.subject}: {one_line(one.reason)}"
                _print(screen, f"   -  {one.commit[:_SHORT]}  {reason}")
            else:
                not_tried[one.reason] += 1
            if len(found) == limit:
                break
    finally:
        where = f" in {out}" if found else ""
        _print(screen, f"{counted(len(found), 'instance')}{where}; left out after a try: {tried}")
        for reason, count in not_tried.most_common():
            _print(screen, f"not tried: {count:>6}  {reason}")
    return found
