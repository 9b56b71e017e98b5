"""Verify a change by running the repository's tests at the end of the run.

The tests run in the sandbox, in fresh checkouts. Tests that the change touches or that are named
after a changed file run first, then all tests. To show which tests the change fixed or broke, the
current tests also run on the source of the base commit. The full test suite runs there only if a
test fails with the change or no related test is found. Tests that fail only with the change run
twice more.
"""

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.shell.line import commands
from react_agent.parsers.testing.commands import Runner, only_runs_tests, runner_of
from react_agent.parsers.testing.report import Failure
from react_agent.parsers.testing.repository import named_test
from react_agent.parsers.testing.selection import Selection
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_setup import Run, checkout, tests_on
from react_agent.state.findings import Point
from react_agent.state.state import State
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import listing
from react_agent.tools.registry import Kind
from react_agent.tools.shell import process
from react_agent.tools.testing.new_tests import NewTests, enclosing_test, last_name, new_tests
from react_agent.tools.testing.probe import prepare_line
from react_agent.tools.testing.run_tests import TAKES_FILES, Ran, counts_of, observed, run_selection
from react_agent.tools.testing.tests_command import (
    PYTEST_FILES,
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
_SHARE = 0.6  # of the time, for the tests with the change
_SHARED = "conftest.py"  # of all tests below its folder
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

    What they say replaces `not_run`, even if it is only why they could not run. A test that failed
    before and passes now is one that `no_test` asked for.
    """
    is_known = verdict in (Verdict.PASSED, Verdict.FAILED)
    answered = OF_TESTS if is_known else frozenset({"not_run"} if verdict else ())
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

    @property
    def failing(self) -> dict[str, Failure]:
        """The failures, except those of the first tests that pass among all."""
        first = {} if _has_ended(self.whole) else _failing(self.near)
        return first | _failing(self.whole)


@dataclass(frozen=True, slots=True)
class _Compared:
    fixed: Sequence[str]
    broken: Sequence[str]
    same: Sequence[str]  # fail with and without the change
    unknown: Sequence[str]  # it is not known whether these failed before
    unstable: Sequence[str]
    new: str  # whether new tests fail without the change
    gone: Sequence[str]  # failed without it, and not all of them pass with it
    former: Sequence[str]  # these fail, as they were before the change
    fewer: int  # tests that pass without the change, if fewer do with it; else 0
    added: Collection[str]  # names of tests
    failures: Mapping[str, Failure]


@dataclass(frozen=True, slots=True)
class _Tests:
    run: Run
    command: Command
    tree: str
    files: Sequence[FileDiff]  # of the change
    new: NewTests
    clock: Callable[[], float]
    begun: float

    @property
    def base(self) -> str:
        return self.run.workspace.base.commit

    def ask(
        self,
        selection: Selection,
        source: str,
        tests: str,
        share: float = 1,
        there: Context | None = None,
    ) -> Ran | None:
        """Run tests in a fresh checkout of `source` that has the test files of another tree.

        `there` is such a checkout, if one has been made. Return None if the selection is not
        supported or that share of the time is over.
        """
        until = self.begun + share * self.run.project.profile.limits.final_tests_seconds
        if (seconds := until - self.clock()) <= 0:
            return None
        made = nullcontext(there) if there else tests_on(self.run, source, tests, self.files)
        with made as context:
            limits = replace(context.limits, command_seconds=seconds)
            ran = run_selection(self.command, selection, replace(context, limits=limits))
        return replace(ran, is_kept=False) if isinstance(ran, Ran) else None

    def before(self, near: Selection | None, now: _Side) -> _Side:
        """Run the current tests on the source code of the base commit."""
        side = _Side(self.ask(near, self.base, self.tree) if near else None)
        is_fine = now.whole is not None and now.whole.worked
        has_settings = any(one.path in PYTEST_FILES for one in self.files)
        differs = bool(_failing(now.near).keys() - _failing(side.near))
        if side.near is None or not is_fine or has_settings or differs:
            side.whole = self.ask(_ALL, self.base, self.tree)
        return side

    def altered(self, now: _Side) -> Selection | None:
        """Return the test files that the change alters, or all if it may affect every test."""
        of_tests = [one for one in self.files if is_of_tests(one.old or one.new)]
        names = [one.old for one in of_tests if is_code(one.old) and any(one.removed)]
        is_shared = any(one.path.endswith(_SHARED) for one in of_tests)
        if of_tests and (is_shared or (_has_ended(now.whole) and not _passed(now.whole))):
            return _ALL
        takes_files = self.command.runner in TAKES_FILES
        return (Selection(tuple(names)) if takes_files else _ALL) if names else None

    def unstable(self, broken: Sequence[str], now: _Side) -> list[str]:
        """Run the newly failing tests again, and return those that pass in a repeated run."""
        if not broken or not _has_ended(now.whole):
            return []
        by_id = self.command.runner in _PYTHON and len(broken) <= _MOST_AGAIN
        by_id &= not any(map(_is_no_test, map(now.failing.__getitem__, broken)))
        is_unittest = self.command.runner is Runner.UNITTEST  # which selects no single subtest
        names = dict.fromkeys(one.partition(" ")[0] if is_unittest else one for one in broken)
        selection = Selection(tuple(names)) if by_id else _ALL
        passed = dict[str, None]()
        for _ in range(_RUNS_MORE):
            ran = self.ask(selection, self.tree, self.tree)
            if ran and _has_ended(ran) and not ran.is_empty and (ran.worked or _failing(ran)):
                passed.update((one, None) for one in broken if one not in _failing(ran))
        return list(passed)

    def compared(
        self, now: _Side, before: _Side, former: Ran | None, altered: Selection | None
    ) -> _Compared:
        one, other = _pair(now, before)
        after, without, failing = _failing(one), _failing(other), now.failing
        was, owner_of = _failing(former), self.new.owner_of
        same = [it for it in failing if it in without and last_name(it) not in self.new.added]
        if altered and _has_ended(former) and not any(map(_is_no_test, was.values())):
            # the others are broken by the change to the tests
            same = [it for it in same if it in was or not (altered.is_all or owner_of(it))]
        broken = [it for it in failing if it in after and it not in same]
        unknown = [it for it in failing if it not in after]
        can_tell = _has_ended(one) and _has_ended(other)
        fixed = [it for it in without if it not in after and it not in failing] if can_tell else []
        several = len({it.partition(" ")[0] for it in fixed})
        lost = _passed(other) + several - len(broken) - _passed(one) if can_tell else 0
        told = self._told_of_new(one, other, lost > 0) if fixed else ""
        fewer = _passed(other) if lost > 0 and not fixed and not broken else 0
        fixed = [it for it in fixed if not (told and owner_of(it))]
        unstable = self.unstable(broken, now)
        return _Compared(
            fixed if lost <= 0 else [],
            [it for it in broken if it not in unstable],
            same,
            unknown,
            unstable,
            told,
            fixed if lost > 0 else [],
            [it for it in was if it not in _failing(now.near) | failing],
            fewer,
            self.new.added,
            {**was, **without, **failing},
        )

    def _told_of_new(self, now: Ran | None, before: Ran | None, are_some_lost: bool) -> str:
        """Return the results of new tests without the change, or an empty string if unknown."""
        if not (self.new and now and now.report and before and before.report):
            return ""
        if self.command.runner not in TAKES_FILES or any(map(self.new.owner_of, _failing(now))):
            return ""
        return self.new.told(before.report, are_some_lost or now.report.skipped > 0)


def _failing(ran: Ran | None) -> dict[str, Failure]:
    return {one.id: one for one in ran.report.failures} if ran and ran.report else {}


def _passed(ran: Ran | None) -> int:
    return ran.report.passed if ran and ran.report else 0


def _has_ended(ran: Ran | None) -> bool:
    return bool(ran and ran.report and not ran.done.timed_out)


def _pair(now: _Side, before: _Side) -> tuple[Ran | None, Ran | None]:
    """Return two runs of the same tests, with and without the change, of which the last ended."""
    for one, other in ((now.whole, before.whole), (now.near, before.near)):
        if one and other and not other.done.timed_out:
            return one, other
    return None, None


def verify(
    run: Run, tree: str, files: Sequence[FileDiff], state: State, around: Surroundings
) -> Verified:
    with checkout(run, tree) as (context, _):
        command = _command(context, state)
        offered = "" if "prepare" in context.commands else prepare_line(context)
        not_run = Verified(Verdict.UNKNOWN, "", prepare=offered)
        if isinstance(command, NoCommand):
            return replace(not_run, line=f"not known: the tests can't be run: {command.reason}")
        if place := _imported_elsewhere(files, command, context):
            return replace(not_run, line=f"not known: the tests import {place}")
        near = _near(files, command, context)
        around.tell(f"running {command.shown}{IN_CHECKOUT}")
        of_runner = [it for it in files if it.new.endswith(TAKES_FILES.get(command.runner, ""))]
        new = new_tests(of_runner, partial(run.workspace.store.file, tree))
        tests = _Tests(run, command, tree, files, new, around.clock, around.clock())
        first = tests.ask(near or _ALL, tree, tree, _SHARE, context)
    now = _Side(first, tests.ask(_ALL, tree, tree, _SHARE)) if near else _Side(None, first)
    before, altered = tests.before(near, now), tests.altered(now)
    former = tests.ask(altered, tree, tests.base) if altered else None
    compared = tests.compared(now, before, former, altered)
    verdict, line = _told(now, before, former, compared)
    counts = len(compared.same), len(compared.fixed)
    shown = now.whole or now.near
    is_missing = verdict is not Verdict.FAILED and shown and _MISSING.search(shown.log)
    return Verified(
        verdict,
        line,
        shown.shown if shown else command.shown,
        *counts,
        observed(shown, context).text if shown else "",
        offered if is_missing else "",
    )


def _command(context: Context, state: State) -> Command | NoCommand:
    """Return the configured test command, else the declared one, else the one the agent ran."""
    found = find_command(context)
    steps = (step.ran for step in reversed(state.standing) if step.ran.kind == Kind.RUN)
    lines = (shlex.join(one.words) for step in steps for one in commands(step.said.turn.input))
    if isinstance(found, NoCommand) and (line := next(filter(only_runs_tests, lines), "")):
        return Command(runner_of(line), (line,), line, "the agent ran it", is_shell=True)
    return found


def _near(files: Sequence[FileDiff], command: Command, context: Context) -> Selection | None:
    if (ending := TAKES_FILES.get(command.runner)) is None:
        return None
    there = [one for one in listing(context).files if is_of_tests(one) and one.endswith(ending)]
    found = tests_near([one.new for one in files if one.new], there)
    return Selection(tuple(found[:_MOST_NEAR])) if 0 < len(found) < len(there) else None


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
    root = os.path.realpath(context.root)
    for line in done.output.decode(errors="replace").split("\n"):
        mark, _, rest = line.partition(" ")
        name, _, place = rest.partition(" ")
        if mark == "@@" and "\0" not in place and Path(place).is_absolute():
            found = Path(os.path.realpath(place))  # `resolve` fails at links in a circle
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


def _told(
    now: _Side, before: _Side, former: Ran | None, compared: _Compared
) -> tuple[Verdict, str]:
    whole, (one, base) = now.whole, _pair(now, before)
    if whole is None or whole.done.timed_out:
        return _cut_off(now, one, base, compared)
    report = whole.report
    if report is None or not now.failing:
        return _by_exit_code(whole, base, former, compared)
    line = "; ".join((counts_of(report) or "no tests ran", *_lines(compared)))
    if compared.broken:
        return Verdict.FAILED, line
    if compared.unknown:
        return Verdict.UNKNOWN, line
    if compared.fewer or (_passed(base) and not report.passed):
        return Verdict.UNKNOWN, f"not known: {line}; {_passed(base)} passed without the change"
    if not report.passed:
        said = headline(_reason(next(iter(now.failing.values()))), _ERROR)
        return Verdict.UNKNOWN, f"not known: no test passes with the change or without it ({said})"
    return Verdict.PASSED, line


def _by_exit_code(
    whole: Ran, base: Ran | None, former: Ran | None, compared: _Compared
) -> tuple[Verdict, str]:
    """Return the verdict from the exit code of a test run without a reported failure."""
    counts = counts_of(whole.report) if whole.report else ""
    if whole.is_empty:
        others = (base, "without the change"), (former, "with the tests as they were before")
        passed = [f"{_passed(ran)} passed {where}" for ran, where in others if _passed(ran)]
        return Verdict.UNKNOWN, _joined("not known: no tests ran", counts, *passed[-1:])
    if whole.worked and _is_complete(base) and not _is_complete(whole):
        return Verdict.UNKNOWN, "not known: the tests exited with code 0 before they had all run"
    if whole.worked and whole.report and (whole.report.failed or whole.report.errors):
        return Verdict.UNKNOWN, f"not known: exit code 0, although the output reports {counts}"
    if whole.worked and compared.fewer:
        passed = [f"{compared.fewer} passed without the change"]
        return Verdict.UNKNOWN, _joined(f"not known: {counts}", *_lines(compared), *passed)
    if whole.worked:
        return Verdict.PASSED, _joined(counts or "passed", *_lines(compared))
    said = f"{counts}; {whole.how} although no failing test was reported"
    if not whole.report:
        last = headline(whole.log.strip().rpartition("\n")[2], _ERROR)
        said = f"{whole.how} ({last})" if last else whole.how
    if base and base.worked:
        return Verdict.FAILED, f"{said}; without the change, exit code 0"
    return Verdict.UNKNOWN, f"not known: {said}{', with and without the change' if base else ''}"


def _is_complete(ran: Ran | None) -> bool:
    return bool(ran and ran.report and ran.report.is_whole)


def _cut_off(
    now: _Side, one: Ran | None, base: Ran | None, compared: _Compared
) -> tuple[Verdict, str]:
    seen = now.whole or now.near
    counts = counts_of(seen.report) if seen and seen.report else ""
    so_far = f", so far {counts}" if counts else ""
    line = _joined(f"time ran out before all tests had run{so_far}", *_lines(compared))
    if one and base and one.done.timed_out and not base.done.timed_out:
        return (
            Verdict.FAILED,
            f"{line}; without the change, they ended in {base.done.seconds:.0f} s",
        )
    return (Verdict.FAILED, line) if compared.broken else (Verdict.UNKNOWN, f"not known: {line}")


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _lines(compared: _Compared) -> Iterator[str]:
    told = partial(_sentences, compared.failures)
    new = [one for one in compared.broken if last_name(one) in compared.added]
    old = [one for one in compared.broken if one not in new]
    yield from told(old, "{} {fail} only with the change", "only with the change")
    yield from told(new, "{} {are} new and {fail}", "in new tests")
    if compared.new:
        yield compared.new
    yield from told(compared.fixed, "{} failed before and {succeed} now", "only without the change")
    yield from told(compared.gone, "{} failed before and {none}", "only without the change")
    yield from told(
        compared.same, "{} {fail} without the change, too", "with and without the change"
    )
    unknown = "it is not known whether {} failed before: time ran out"
    yield from told(compared.unknown, unknown, "with the change, and maybe without it")
    yield from told(compared.unstable, "{} {are} unstable: failed once, then passed", "once")
    before = "{}, as {they_were} before the change, {fail} with it"
    yield from told(compared.former, before, "with the tests as they were before")


_FORMS = {
    True: ("fails", "passes", "now neither passes nor fails", "is", "it was"),
    False: ("fail", "pass", "not all pass now", "are", "they were"),
}


def _sentences(
    failures: Mapping[str, Failure], ids: Sequence[str], sentence: str, when: str
) -> Iterator[str]:
    tests = [one for one in ids if not _is_no_test(failures[one])]
    if tests:
        names = ("fail", "succeed", "none", "are", "they_were")
        words = dict(zip(names, _FORMS[len(set(map(_short, tests))) == 1], strict=True))
        yield sentence.format(_listed(tests), **words)
    if errors := [failures[one] for one in ids if one not in tests]:
        first = errors[0]
        is_explained = len(errors) > 1 or ": " in first.id
        why = "" if is_explained else f" ({headline(_reason(first), _ERROR)})"
        named = _listed([one.id for one in errors])
        yield f"{'' if named.startswith('error') else 'error '}{when}: {named}{why}"


def _is_no_test(failure: Failure) -> bool:
    """Return whether it is a failed build, or a file that can't be loaded, and no test's name."""
    is_id = "::" in failure.id.partition(" ")[0] or _DOTTED.fullmatch(failure.id)
    return failure.is_error and not is_id


def _reason(failure: Failure) -> str:
    return next((line for line in reversed(failure.lines) if line.strip()), failure.id)


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
