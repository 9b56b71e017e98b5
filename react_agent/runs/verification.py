"""Verify a change by running the repository's tests at the end of the run.

The tests run in the sandbox, in fresh checkouts. Tests that the change touches or that are named
after a changed file run first, then all tests. To show which tests the change fixed or broke, the
current tests also run on the source of the base commit. The full test suite runs there only if a
test fails with the change or no related test is found. Tests that fail only with the change run
twice more.
"""

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.shell.line import commands
from react_agent.parsers.testing.commands import Runner, only_runs_tests, runner_of
from react_agent.parsers.testing.repository import named_test
from react_agent.parsers.testing.selection import Selection
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_setup import Run, checkout, without_change
from react_agent.state.findings import Point
from react_agent.state.state import State
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.registry import Kind
from react_agent.tools.shell import process
from react_agent.tools.testing.new_tests import (
    NewTests,
    enclosing_test,
    last_name,
    new_tests,
)
from react_agent.tools.testing.probe import prepare_line
from react_agent.tools.testing.run_tests import (
    TAKES_FILES,
    Ran,
    counts_of,
    observed,
    run_selection,
)
from react_agent.tools.testing.tests_command import (
    Command,
    NoCommand,
    ask_python,
    find_command,
    interpreter,
    tests_near,
)

_ALL = Selection()
_PYTHON = (Runner.PYTEST, Runner.UNITTEST)
_RUNS_MORE = 2  # of what fails only with the change
_MOST_NEAR, _MOST_AGAIN, _MOST_MODULES = 40, 20, 5
_NAMED = 3
_MISSING = LatePattern(r"No module named|Cannot find (?:module|package)|: (?:command )?not found")
_ID, _ERROR = 100, 140  # characters
_DOTTED = LatePattern(r"(?:\w+\.)*(?P<name>\w+\.\w+\.\w+)(?: [\[(].*)?")  # of unittest
_SOURCE_FOLDERS = ("src", "lib", "python")
_WHERE = """\
import importlib.util, sys
for name in sys.argv[1:]:
    try:
        print("@@", name, importlib.util.find_spec(name).origin)
    except BaseException:
        pass
"""


IN_CHECKOUT = " in a fresh checkout, which may take a while"
OF_TESTS = frozenset({"failing", "not_run"})  # the gate's points that these tests answer


class Verdict(StrEnum):
    PASSED = "passed"  # but for what fails without the change, too
    FAILED = "failed"
    UNKNOWN = "not_known"


def unanswered(
    points: Iterable[Point], verdict: str | None, *, has_fixed: bool = False
) -> list[Point]:
    """Return the gate's points that the tests at the end of the run have not answered.

    A test that failed before and passes now is one that `no_test` asked for.
    """
    answered = OF_TESTS if verdict in (Verdict.PASSED, Verdict.FAILED) else frozenset()
    answered |= {"no_test"} if has_fixed else frozenset()
    return [point for point in points if point.check not in answered]


@dataclass(frozen=True, slots=True)
class Verified:
    verdict: Verdict
    line: str
    command: str = ""
    same: int = 0  # tests that fail with and without the change
    fixed: int = 0  # tests that fail without it alone
    log: str = ""  # what the tests printed, as `run_tests` shows it
    prepare: str = ""  # a command that would make an environment in which they run


@dataclass(slots=True)
class _Side:
    """The test runs on one version of the source code."""

    near: Ran | None = None
    whole: Ran | None = None
    failing: dict[str, str] = field(default_factory=dict)  # ids; what each one says last

    def take(self, ran: Ran | None) -> Ran | None:
        for one in ran.report.failures if ran and ran.report else ():
            said = next((line for line in reversed(one.lines) if line.strip()), one.id)
            self.failing.setdefault(one.id, said)
        return ran


@dataclass(frozen=True, slots=True)
class _Compared:
    fixed: Sequence[str]
    broken: Sequence[str]
    same: Sequence[str]  # fail with and without the change
    unstable: Sequence[str] = ()
    new: str = ""  # whether new tests fail without the change
    gone: Sequence[str] = ()  # failed without it, and not all of them pass with it


@dataclass(frozen=True, slots=True)
class _Tests:
    run: Run
    tree: str
    files: Sequence[FileDiff]  # of the change
    new: NewTests
    clock: Callable[[], float]
    until: float

    def ask(self, command: Command, selection: Selection, context: Context) -> Ran | None:
        """Run the selected tests. Return None if the selection is not supported or time is up."""
        seconds = self.until - self.clock()
        if seconds <= 0:
            return None
        limits = replace(context.limits, command_seconds=seconds)
        ran = run_selection(command, selection, replace(context, limits=limits))
        return ran if isinstance(ran, Ran) else None

    def without(self, command: Command, near: Selection | None, now: _Side) -> _Side:
        """Run the current tests on the source code of the base commit."""
        before = _Side()
        with without_change(self.run, self.tree, self.files) as context:
            if near:
                before.near = before.take(self.ask(command, near, context))
            is_fine = now.whole is not None and now.whole.worked
            if before.near is None or not is_fine or now.failing.keys() - before.failing.keys():
                before.whole = before.take(self.ask(command, _ALL, context))
        return before

    def unstable(self, command: Command, broken: Sequence[str]) -> list[str]:
        """Run the newly failing tests again, and return those that pass in a repeated run."""
        if not broken:
            return []
        by_id = command.runner in _PYTHON and len(broken) <= _MOST_AGAIN
        selection = Selection(targets=tuple(broken)) if by_id else _ALL
        passed = dict[str, None]()
        with checkout(self.run, self.tree) as (context, _):
            for _ in range(_RUNS_MORE):
                side = _Side()
                ran = side.take(self.ask(command, selection, context))
                if ran and not ran.done.timed_out and (ran.worked or side.failing):
                    passed.update((one, None) for one in broken if one not in side.failing)
        return list(passed)

    def compared(self, command: Command, now: _Side, before: _Side) -> _Compared:
        added = self.new.added
        is_known = before.near is not None or before.whole is not None
        same = [one for one in now.failing if one in before.failing and last_name(one) not in added]
        broken = [one for one in now.failing if one not in same] if is_known else []
        fixed = [one for one in before.failing if one not in now.failing]
        passing = _may_pass(fixed, broken, now, before)
        ended = [one for one in (now.near, now.whole) if one]
        if not ended or any(one.done.timed_out or not one.report for one in ended):
            fixed = []
        unstable = self.unstable(command, broken)
        broken = [one for one in broken if one not in unstable]
        told = _told_of_new(self.new, now, before, command) if fixed else ""
        fixed = [one for one in fixed if not (told and self.new.owner_of(one))]
        fixed, gone = (fixed, []) if passing else ([], fixed)
        return _Compared(fixed, broken, same, unstable, told, gone)


def verify(
    run: Run, tree: str, files: Sequence[FileDiff], state: State, around: Surroundings
) -> Verified:
    clock = around.clock
    until = clock() + run.project.profile.limits.final_tests_seconds
    new = new_tests(files, partial(run.workspace.store.file, tree))
    tests, now = _Tests(run, tree, files, new, clock, until), _Side()
    with checkout(run, tree) as (context, _):
        command = _command(context, state)
        if isinstance(command, NoCommand):
            return _not_run(f"the tests can't be run: {command.reason}", context)
        if place := _imported_elsewhere(files, command, context):
            return replace(_not_run(f"the tests import {place}", context), command=command.shown)
        around.tell(f"running {command.shown}{IN_CHECKOUT}")
        near = _near(files, command, context)
        if near:
            now.near = now.take(tests.ask(command, near, context))
        now.whole = now.take(tests.ask(command, _ALL, context))
        shown = now.whole or now.near
        log = observed(replace(shown, is_kept=False), context).text if shown else ""
        prepare = _offered(context) if shown and _MISSING.search(shown.log) else ""
    before = tests.without(command, near, now)
    compared = tests.compared(command, now, before)
    verdict, line = _told(now, before, compared)
    counts = len(compared.same), len(compared.fixed)
    return Verified(verdict, line, command.shown, *counts, log, prepare)


def _not_run(why: str, context: Context) -> Verified:
    return Verified(Verdict.UNKNOWN, f"not known: {why}", prepare=_offered(context))


def _offered(context: Context) -> str:
    return "" if "prepare" in context.commands else prepare_line(context)


def _command(context: Context, state: State) -> Command | NoCommand:
    """Return the configured test command, else the declared one, else the one the agent ran."""
    found = find_command(context)
    steps = (step.ran for step in reversed(state.standing) if step.ran.kind == Kind.RUN)
    lines = (shlex.join(one.words) for step in steps for one in commands(step.said.turn.input))
    if isinstance(found, NoCommand) and (line := next(filter(only_runs_tests, lines), "")):
        return Command(runner_of(line), (line,), line, "the agent ran it", is_shell=True)
    return found


def _near(files: Sequence[FileDiff], command: Command, context: Context) -> Selection | None:
    if command.runner not in TAKES_FILES:
        return None
    there = [one for one in file_list(context.root) if is_of_tests(one) and is_code(one)]
    found = tests_near([one.new for one in files if one.new], there)
    return Selection(targets=tuple(found[:_MOST_NEAR])) if 0 < len(found) < len(there) else None


def _imported_elsewhere(files: Iterable[FileDiff], command: Command, context: Context) -> str:
    """Return `NAME from PATH` if the tests import a changed module from outside the checkout."""
    names = dict.fromkeys(filter(None, (_module(one.new) for one in files)))
    python = interpreter(context)
    if command.runner not in _PYTHON or not names or not python:
        return ""
    try:
        done = ask_python(python, _WHERE, context, *list(names)[:_MOST_MODULES])
    except process.CannotStart:
        return ""
    root = context.root.resolve()
    for line in done.output.decode(errors="replace").split("\n"):
        mark, _, rest = line.partition(" ")
        name, _, place = rest.partition(" ")
        if mark == "@@" and Path(place).is_absolute():
            found = Path(place).resolve()
            if not found.is_relative_to(root):
                return f"{name} from .../{'/'.join(found.parts[-3:])}, not from the change"
    return ""


def _module(path: str) -> str:
    """Return the module name of a file, or an empty string if it is a test or can't be imported."""
    if not path.endswith(".py") or is_of_tests(path) or path == "setup.py":
        return ""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    parts = parts[1:] if len(parts) > 1 and parts[0] in _SOURCE_FOLDERS else parts
    return ".".join(parts) if all(part.isidentifier() for part in parts) else ""


def _may_pass(fixed: Sequence[str], broken: Sequence[str], now: _Side, before: _Side) -> bool:
    """Return whether enough tests pass for all fixed tests: some may be skipped or removed."""
    one, other = (now.whole, before.whole) if before.whole else (now.near, before.near)
    if not (one and one.report and other and other.report):
        return False
    more = one.report.passed - other.report.passed + len(broken)
    return more >= len({test.partition(" ")[0] for test in fixed})


def _told_of_new(new: NewTests, now: _Side, before: _Side, command: Command) -> str:
    """Return the results of new tests without the change, or an empty string if unknown."""
    report = now.whole.report if now.whole else None
    is_known = command.runner in TAKES_FILES and before.failing
    if report is None or not (new and is_known) or any(map(new.owner_of, now.failing)):
        return ""
    return new.told(before.failing, report.skipped)


def _told(now: _Side, before: _Side, compared: _Compared) -> tuple[Verdict, str]:
    whole = now.whole
    if whole is None or whole.done.timed_out:
        return _cut_off(now, compared)
    report, base = whole.report, before.whole or before.near
    if report is None or not now.failing:
        return _by_exit_code(whole, base, compared)
    more = [counts_of(report) or "no tests ran", *_lines(compared)]
    if compared.broken:
        return Verdict.FAILED, "; ".join(more)
    if not base:
        more.append("it is not known whether they failed before: time ran out")
        return Verdict.UNKNOWN, "; ".join(more)
    if not report.passed:
        said = headline(next(iter(now.failing.values())), _ERROR)
        return Verdict.UNKNOWN, f"not known: no test passes with the change or without it ({said})"
    return Verdict.PASSED, "; ".join(more)


def _by_exit_code(whole: Ran, base: Ran | None, compared: _Compared) -> tuple[Verdict, str]:
    """Return the verdict from the exit code of a test run without a reported failure."""
    if whole.is_empty:
        return Verdict.UNKNOWN, "not known: no tests ran"
    counts = counts_of(whole.report) if whole.report else ""
    if whole.worked and _is_complete(base) and not _is_complete(whole):
        return Verdict.UNKNOWN, "not known: the tests exited with code 0 before they had all run"
    if whole.worked:
        return Verdict.PASSED, "; ".join((counts or "passed", *_lines(compared)))
    said = "; ".join(filter(None, (counts, f"{whole.how} although no failing test was reported")))
    if base is None or not base.worked:
        return Verdict.UNKNOWN, f"not known: {said}, with and without the change"
    return Verdict.FAILED, f"{said}; it succeeded without the change"


def _is_complete(ran: Ran | None) -> bool:
    return bool(ran and ran.report and ran.report.is_whole)


def _cut_off(now: _Side, compared: _Compared) -> tuple[Verdict, str]:
    seen = now.whole or now.near
    counts = counts_of(seen.report) if seen and seen.report else ""
    so_far = f", so far {counts}" if counts else ""
    line = "; ".join((f"time ran out before all tests had run{so_far}", *_lines(compared)))
    return (Verdict.FAILED, line) if compared.broken else (Verdict.UNKNOWN, f"not known: {line}")


def _lines(compared: _Compared) -> Iterator[str]:
    if compared.broken:
        yield f"{_listed(compared.broken)} {_verb(compared.broken, 'fail')} only with the change"
    if compared.new:
        yield compared.new
    if compared.fixed:
        yield f"{_listed(compared.fixed)} failed before and {_verb(compared.fixed, 'pass')} now"
    if compared.gone:
        none = "now neither passes nor fails" if len(compared.gone) == 1 else "not all pass now"
        yield f"{_listed(compared.gone)} failed before and {none}"
    if compared.same:
        yield f"{_listed(compared.same)} {_verb(compared.same, 'fail')} without the change, too"
    if compared.unstable:
        are = "is" if len(compared.unstable) == 1 else "are"
        yield f"{_listed(compared.unstable)} {are} unstable: failed once, then passed"


def _listed(ids: Sequence[str]) -> str:
    names = list(dict.fromkeys(headline(_short(one), _ID) for one in ids))
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    *first, last = [*names[:_NAMED], *more]
    return f"{', '.join(first)} and {last}" if first else last


def _short(test_id: str) -> str:
    """Return the test's name without its folder and without the parameters of a subtest."""
    if found := _DOTTED.fullmatch(test_id):
        return found["name"]
    path, colons, names = test_id.partition("::")
    return test_id if " " in path else f"{path.rpartition('/')[2]}{colons}{names}"


def _verb(ids: Collection[str], verb: str) -> str:
    return f"{verb}{'es' if verb == 'pass' else 's'}" if len(ids) == 1 else verb


def changed_tests(files: Iterable[FileDiff], before: Callable[[str], bytes | None]) -> list[str]:
    """Return one line per file that lists the tests that the change modifies or removes."""
    found = list[str]()
    for one in files:
        if one.old and is_of_tests(one.old) and is_code(one.old):
            altered, removed = _altered(one, before(one.old) or b"")
            words = (("alters", altered), ("removes", removed))
            moved = [f"is moved to {one.new}"] if one.new and one.new != one.old else []
            told = (f"{verb} {_listed(names)}" for verb, names in words if names)
            said = "; ".join((*moved, *told))
            found += [f"{one.old}: {said}"] if said else []
    return found


def _altered(one: FileDiff, text: bytes) -> tuple[list[str], list[str]]:
    lines = text.decode(errors="replace").split("\n")
    gone = {name for line in one.removed if (name := named_test(line.text))}
    gone -= {named_test(line.text) for line in one.added}
    altered = dict[str, None]()
    for line in one.removed:
        altered[enclosing_test(lines, line.number)] = None
    return [name for name in altered if name and name not in gone], sorted(gone)
