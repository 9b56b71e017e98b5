"""react-agent eval check and make-set: what makes a set, and tries whether it can be judged."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.options import whole
from react_agent.cli.terminal.screen import console
from react_agent.errors import UsageError
from react_agent.eval.cli.options import Chosen, Set, Workers, Working, local_workers
from react_agent.eval.sets.checked import Checked, all_checked, checked
from react_agent.eval.sets.issue_set import check_place, write_set
from react_agent.eval.sets.mined import Skipped, Wanted, mined, trying
from react_agent.eval.sets.row import is_id
from react_agent.eval.station import station_at
from react_agent.eval.task import Instance
from react_agent.eval.work import grade_task
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line
from react_agent.tools.git.repository import find_base, in_repository

_MOST_CHECKS = 100
_WIDEST, _LONGEST_NOTE = 40, 300  # characters of an id, which is filled up; of a note

Repeats = Annotated[
    str, typer.Option("--times", metavar="N", help="so often each, to find what is flaky")
]
Good = Annotated[
    Path | None, typer.Option("--good", metavar="FILE", help="write those that are good as a set")
]


def check_command(
    named: Set,
    chosen: Chosen,
    working: Working,
    times: Repeats = "1",
    workers: Workers = None,
    good: Good = None,
) -> None:
    """Whether the issues of a set can be judged here: no model is asked.

    The set's own patch has to be graded as resolved, and a change of nothing as not.
    Exits with 1 where an issue is not so.

    \b
    Example:
      react-agent eval check project.jsonl --times 3 --good sound.jsonl
    """
    instances, often = chosen.of(named), whole("--times", times, _MOST_CHECKS)
    conditions = working.checked()
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
            screen.print(_line(one, width), soft_wrap=True)
    sound = [one.instance for one in found if one.is_good]
    screen.print(f"{len(sound)} of {len(found)} can be judged")
    if good and sound:
        write_set(good, sound)
    if len(sound) < len(found):
        raise typer.Exit(1)


def _line(one: Checked, width: int) -> str:
    what = one.note if one.is_good else ": ".join(filter(None, (one.finding, one.note)))
    mark = "good" if one.is_good else "BAD "
    shown = clip_line(escape(one_line(what)), _LONGEST_NOTE)
    return f"{mark}  {one.instance.id:<{width}}  {shown}".rstrip()


_MOST, _MOST_TIMES = 100_000, 20
_SHORT, _LONGEST = 12, 300
_LAST_YEAR = 2099  # that git reads: of a later one it makes no condition

Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="the set to write: a new file")]
Limit = Annotated[str, typer.Option("--limit", metavar="N", help="instances that are enough")]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="no older changes: 2024-01-31")
]
Rev = Annotated[str, typer.Option("--base", metavar="REV", help="where its history is read from")]
Every = Annotated[
    bool, typer.Option("--all", help="whatever came with tests, and not only what says it is a fix")
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="OWNER/NAME", help="what the set calls it; else its path"),
]
TestCommand = Annotated[
    str | None,
    typer.Option("--test-command", metavar="LINE", help="what runs the tests; else found out"),
]
Install = Annotated[
    str | None,
    typer.Option("--install", metavar="LINE", help="what makes their environment, in $VENV"),
]
Python = Annotated[
    str | None, typer.Option("--python", metavar="VERSION", help="of the environment: 3.11")
]
Times = Annotated[
    str, typer.Option("--times", metavar="N", help="how often each is checked before it counts")
]


@dataclass(frozen=True, slots=True)
class Mining:
    """What is looked for, and what all rows say."""

    limit: Limit = "20"
    since: Since = None
    base: Rev = "HEAD"
    every: Every = False
    name: Name = None
    test_command: TestCommand = None
    install: Install = None
    python: Python = None
    times: Times = "1"

    def wanted(self, top: Path, commit: str) -> Wanted:
        name = (self.name or top.name.removesuffix(".git")).replace("/", "__")
        if not is_id(name):
            raise UsageError(f"no id can begin with {name!r}: say another --name")
        row = Instance(
            id="",
            repo=str(top),
            base="",
            problem="",
            install=self.install or "",
            test_command=self.test_command or "",
            python=self.python or "",
        )
        return Wanted(name, row, commit, _day(self.since), self.every)


@dataclass(slots=True)
class _Tally:
    screen: Console
    out: Path
    called: str  # in the set: the repository
    found: list[Instance] = field(default_factory=list)
    left_out: int = 0
    not_tried: Counter[str] = field(default_factory=Counter)

    def take(self, one: Instance | Skipped) -> None:
        if isinstance(one, Instance):
            self.found.append(replace(one, repo=self.called))
            write_set(self.out, self.found)
            counts = f"{len(one.fail_to_pass)} fixed, {len(one.pass_to_pass)} kept"
            self._say(f"{len(self.found):>4}  {one.id}  {title_of(one.problem)} ({counts})")
        elif one.was_tried:
            self.left_out += 1
            self._say(f"   -  {one.commit[:_SHORT]}  {one.subject}: {one_line(one.reason)}")
        else:
            self.not_tried[one.reason] += 1

    def sum_up(self) -> None:
        where = f" in {self.out}" if self.found else ""
        found = counted(len(self.found), "instance")
        self._say(f"{found}{where}; left out after a try: {self.left_out}")
        for reason, count in self.not_tried.most_common():
            self._say(f"not tried: {count:>6}  {reason}")

    def _say(self, line: str) -> None:
        self.screen.print(clip_line(escape(line), _LONGEST), soft_wrap=True)


def make_command(
    repository: Annotated[
        Path, typer.Argument(metavar="REPO", help="the repository, or a folder in it")
    ],
    out: Out,
    mining: Mining,
    working: Working,
) -> None:
    """Make a set out of the fixes in a repository's history.

    A change that says it is a fix, and that touched tests and code, becomes an
    instance where its tests fail before it and pass after it: they are run, in the
    sandbox. What is told of it is the issue file that its message links to, else
    the message. The newest come first; what was found is written at once.

    \b
    Example:
      react-agent eval make-set ~/src/project --out project.jsonl --limit 50
    """
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out} is there already: name a new file")
    limit = whole("--limit", mining.limit, _MOST)
    times = whole("--times", mining.times, _MOST_TIMES)
    base = find_base(repository, mining.base)
    wanted = mining.wanted(base.repository, base.commit)
    check_place(out)
    conditions = working.checked()
    try_ = trying(conditions, station_at(None))

    def check(instance: Instance) -> Checked:
        return checked(instance, conditions, partial(grade_task, root=None), times)

    tally = _Tally(console(), out, mining.name or wanted.row.repo)
    with _summed_up(tally), in_repository(base.repository) as git:
        for one in mined(git, wanted, try_, check):
            tally.take(one)
            if len(tally.found) == limit:
                break
    if not tally.found:
        raise typer.Exit(1)


def _day(given: str | None) -> str | None:
    if not given:
        return None
    try:
        day = date.fromisoformat(given)
    except ValueError:
        day = date.max
    if day.year > _LAST_YEAR:
        raise UsageError(f"--since is a day such as 2024-01-31, not {given!r}")
    return day.isoformat()


@contextmanager
def _summed_up(tally: _Tally) -> Iterator[_Tally]:
    """After Ctrl-C too: what was found is written."""
    try:
        yield tally
    finally:
        tally.sum_up()
