"""Run the tests of an instance on its base with a patch, and judge the results.

The rules of the official harness determine whether the instance is resolved.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from react_agent.eval.environment import Fresh
from react_agent.eval.grading.applied import OF_UNITTEST, Names, apply
from react_agent.eval.task import Fault, Graded, Instance, Kind, Task, Tests, Verdict
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.log import read_statuses
from react_agent.parsers.testing.report import Status, Statuses
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import listing
from react_agent.tools.shell import shell
from react_agent.tools.shell.process import CannotStart, CommandResult, HeadAndTail
from react_agent.tools.shell.shell import ended, sentence
from react_agent.tools.testing.tests_command import (
    SELECTION,
    NoCommand,
    files_of_tests,
    find_command,
    interpreter,
)

_DJANGOS_OWN = "tests/runtests.py"
_DJANGO = "manage.py"
# Print each test's name and the output of failures; options in a set's command take precedence.
_PYTEST = "-rpsxXEf --verbosity=1 --color=no"
_READ = 8_000_000  # bytes of a log that are searched for test names
_KEPT = 1_000_000  # bytes of a log that are stored
_SHOWN = 20
_LINE = 200
_NOT_FOUND = (126, 127)  # exit codes of a shell
_NO_RUNNER = re.compile(r"\S*python\S*: No module named \S+")
_ID = re.compile(r"\S.*?::.*|\w+ \([\w.]+\)")


@dataclass(frozen=True, slots=True)
class Command:
    argv: tuple[str, ...]
    shown: str


def command_for(instance: Instance, context: Context) -> Command | NoCommand:
    """Return the set's own command, or choose one based on its test names or the repository."""
    asked = _Asked(instance, frozenset(listing(context).files))
    if line := instance.test_command.strip():
        whole = line.replace(SELECTION, shlex.join(asked.paths))
        return Command(tuple(shell.words(whole)), whole)
    words = _words(asked, context)
    if isinstance(words, NoCommand):
        return words
    python = interpreter(context)
    if python is None:
        return NoCommand("there is no python3 on PATH")
    return Command((python, *words), shlex.join(("python", *words)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tests that an instance requires, and the files of the checkout."""

    instance: Instance
    files: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.instance.fail_to_pass, *self.instance.pass_to_pass)

    @property
    def touched(self) -> list[str]:
        """Return the test files that the test patch changes."""
        changed = {file.new for file in read_git_diff(self.instance.test_patch)}
        return files_of_tests(sorted(changed & self.files))

    @property
    def paths(self) -> list[str]:
        """Return the changed test files, and the files that the test names start with."""
        named = {name.partition("::")[0] for name in self.names}
        return sorted({*self.touched, *(named & self.files)})

    @property
    def classes(self) -> set[str]:
        """Return the `module.Class` parts of unittest names, which may include a method."""
        return {found["of"] for name in self.names if (found := OF_UNITTEST.fullmatch(name))}

    def modules(self, folder: str = "") -> set[str]:
        """Return the modules of the test classes that are files below this folder."""
        found = set[str]()
        for dotted in self.classes:  # `a.b.C`, then `a.b` and `a`
            while dotted and f"{folder}{dotted.replace('.', '/')}.py" not in self.files:
                dotted = dotted.rpartition(".")[0]
            found.add(dotted)
        return found - {""}


def _words(asked: _Asked, context: Context) -> Sequence[str] | NoCommand:
    pytest = ["-m", "pytest", *asked.paths]
    if any("::" in name for name in asked.names):
        return pytest
    if _DJANGOS_OWN in asked.files:
        folder = f"{_DJANGOS_OWN.partition('/')[0]}/"
        labels = asked.modules(folder) | _dotted(asked, folder)
        return [_DJANGOS_OWN, "--verbosity=2", "--parallel=1", *sorted(labels)]
    if asked.classes:
        return _for_unittest(asked)
    found = find_command(context)
    if isinstance(found, NoCommand):
        return found
    if found.runner in (Runner.PYTEST, Runner.UNITTEST):
        return pytest if found.runner is Runner.PYTEST else _for_unittest(asked)
    return NoCommand(f"`{found.shown}` names no tests: the set needs a test_command")


def _for_unittest(asked: _Asked) -> list[str]:
    labels = sorted(asked.modules() | _dotted(asked))
    if _DJANGO in asked.files:
        return [_DJANGO, "test", "--verbosity=2", "--noinput", *labels]
    if asked.classes and not asked.modules():  # tests in a folder that is no package
        paths = (path.rpartition("/")[0] for path in files_of_tests(sorted(asked.files)))
        for folder in dict.fromkeys(filter(None, paths)):
            if asked.modules(f"{folder}/"):
                return ["-m", "unittest", "discover", "-v", "-s", folder]
    return ["-m", "unittest", "-v", *labels]


def _dotted(asked: _Asked, folder: str = "") -> set[str]:
    """Return the module names of the changed test files."""
    paths = (path.removeprefix(folder).removesuffix(".py") for path in asked.touched)
    return {path.replace("/", ".") for path in paths}


@dataclass(frozen=True, slots=True)
class Trial:
    """The test statuses found in a log, or the fault that explains why there are none."""

    statuses: Statuses = field(default_factory=dict)
    code: int = 0
    log: bytes = b""
    seconds: float = 0.0
    fault: Fault | None = None

    @property
    def passing(self) -> frozenset[str]:
        """Return the ids of the passing tests, without the descriptions that unittest adds."""
        return frozenset(
            name for name, status in self.statuses.items() if status.is_pass and _ID.fullmatch(name)
        )


def tried(fresh: Fresh, instance: Instance, patch: str, seconds: float) -> Trial:
    """Apply the patch and run the tests. Raises ReactAgentError if git or the machine fails."""
    without = apply(fresh, instance, patch)
    if isinstance(without, Fault):
        return Trial(fault=without, log=f"{without.text}\n".encode(errors="replace"))
    context = fresh.context
    command = command_for(instance, context)
    if isinstance(command, NoCommand):
        return Trial(fault=_cannot_run(command.reason))
    asking = replace(context, environment={**context.environment, "PYTEST_ADDOPTS": _PYTEST})
    try:
        done = shell.run_sandboxed(command.argv, asking, timeout_s=seconds, keep_bytes=_READ)
    except CannotStart as error:
        return Trial(fault=_cannot_run(str(error)))
    text = plain(done.output.decode(errors="replace"))
    statuses = read_statuses(text, (*instance.fail_to_pass, *instance.pass_to_pass))
    fault = _broken_off(done, context, seconds) or _no_runner(done, statuses)
    log = _log(without, command, done, context)
    return Trial(statuses, done.code, log, done.seconds, fault)


def _broken_off(done: CommandResult, context: Context, seconds: float) -> Fault | None:
    if done.timed_out and not done.hit:
        text = f"the tests did not end within {seconds:g} s"
        return Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, text)
    why = sentence(done.hit, context.resource_limits) if done.code else ""
    return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, f"the tests: {why}") if why else None


def _no_runner(done: CommandResult, statuses: Statuses) -> Fault | None:
    if statuses or not done.code:
        return None
    said = done.output.decode(errors="replace").strip().rpartition("\n")[2]
    has_no_runner = done.code in _NOT_FOUND or _NO_RUNNER.fullmatch(said)
    line = escape(headline(said, _LINE)) or f"exit code {done.code}"
    return _cannot_run(line) if has_no_runner else None


def _cannot_run(reason: str) -> Fault:
    return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, f"the tests can't be run: {reason}")


def _log(without: Sequence[str], command: Command, done: CommandResult, context: Context) -> bytes:
    """Return the log to store: the restored files, the command, its output, and its exit code."""
    lines = [f"[as it is at the base: {escape(path)}]" for path in without[:_SHOWN]]
    if len(without) > _SHOWN:
        lines.append(f"[and {counted(len(without) - _SHOWN, 'other file')}]")
    kept = HeadAndTail(_KEPT)
    kept.add(done.printed.head)
    kept.left_out += done.printed.left_out
    kept.add(done.printed.tail)
    lost = f"\n[... {counted(kept.left_out, 'byte')} left out ...]\n" if kept.left_out else ""
    how = "ended by the time limit" if done.timed_out and not done.hit else ""
    how = how or ended(done.code, done.hit, context.resource_limits)
    first = "\n".join((*lines, f"$ {command.shown}\n")).encode(errors="replace")
    last = f"\n[{how}, {done.seconds:.1f} s]\n".encode()
    return first + kept.head + lost.encode() + kept.tail + last


# Some official sets contain this piece of pytest's progress output as a test name.
_NO_TEST = LatePattern(r"\[ *\d+%\]")


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    tests: Tests = field(default_factory=Tests)
    why: str = ""  # why the log is doubtful, in one line


def judge(statuses: Statuses, instance: Instance, code: int) -> Judged:
    """Judge an instance by the status of each test and by the exit code of the test command."""
    if not instance.is_graded:
        return Judged(Verdict.UNGRADED)
    if doubt := _doubt(statuses, code):
        return Judged(Verdict.UNRESOLVED, Tests(not_fixed=instance.fail_to_pass), doubt)
    names = Names(statuses)
    fixed, not_fixed = _parted(instance.fail_to_pass, lambda name: _passes(names.status(name)))
    kept, broken = _parted(instance.pass_to_pass, lambda name: _is_kept(name, names))
    verdict = Verdict.UNRESOLVED if not_fixed or broken else Verdict.RESOLVED
    return Judged(verdict, Tests(fixed, not_fixed, kept, broken))


def _doubt(statuses: Statuses, code: int) -> str:
    """Return a reason to doubt the log. A patch can print `PASSED`, but hardly fake exit codes."""
    if not statuses:
        return f"the log names no test (exit code {code})"
    if code and not any(status.is_failure for status in statuses.values()):
        return f"the tests ended with exit code {code}, but the log reports no failure"
    return ""


def _passes(status: Status | None) -> bool:
    return status is not None and status.is_pass


def _is_kept(name: str, names: Names) -> bool:
    status = names.status(name)
    return _passes(status) or status is Status.SKIPPED or bool(_NO_TEST.fullmatch(name))


def _parted(
    names: Sequence[str], is_good: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    good = {name for name in names if is_good(name)}
    return tuple(n for n in names if n in good), tuple(n for n in names if n not in good)


def ungraded(task: Task, patch: str) -> Verdict | None:
    """Return the verdict if it can be given without a checkout, or else None."""
    if not patch.strip():
        return Verdict.NO_PATCH
    return None if task.instance.is_graded else Verdict.UNGRADED


Another = Callable[[], AbstractContextManager[Fresh]]


def graded(fresh: Fresh, task: Task, patch: str, another: Another | None = None) -> Graded:
    """Grade a patch in a new clone. If the result is doubtful, grade it in another clone, too.

    Raises ReactAgentError if the machine fails.
    """
    instance = task.instance
    trial = tried(fresh, instance, patch, task.conditions.tests_s)
    doubt = _second_look(trial, task, patch, another) if another else None
    if fault := doubt or trial.fault:
        tests = Tests(not_fixed=instance.fail_to_pass)
        return Graded(task.key, fault.verdict, tests, trial.log, trial.seconds, fault)
    judged = judge(trial.statuses, instance, trial.code)
    fault = Fault(judged.verdict, Kind.TESTS_FAIL, judged.why) if judged.why else None
    return Graded(task.key, judged.verdict, judged.tests, trial.log, trial.seconds, fault)


def _second_look(first: Trial, task: Task, patch: str, another: Another) -> Fault | None:
    """If the log contains no test of the set, test the set's own fix to find the cause."""
    instance, fault = task.instance, first.fault
    is_untold = fault and fault.verdict in (Verdict.ENV_FAILED, Verdict.UNRESOLVED)
    if patch == instance.patch or not (is_untold if fault else not _tells(first, instance)):
        return None
    with another() as fresh:
        second = tried(fresh, instance, instance.patch, task.conditions.tests_s)
    if not second.fault and _tells(second, instance, is_good=True):
        if fault and fault.verdict is Verdict.ENV_FAILED:
            text = f"with its changes {fault.text}"
            return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text)
        return fault
    if not instance.patch:
        return None
    why = second.fault.text if second.fault else judge(second.statuses, instance, second.code).why
    text = f"with the set's own fix, too: {why or 'none of its tests passes'}"
    return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)


def _tells(trial: Trial, instance: Instance, *, is_good: bool = False) -> bool:
    """Return whether the log contains a test of the set, or a passing one if `is_good`."""
    names = Names(trial.statuses)
    asked = map(names.status, (*instance.fail_to_pass, *instance.pass_to_pass))
    return any(status is not None and (status.is_pass or not is_good) for status in asked)
