"""The tests of an instance, run on its base with a patch."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from react_agent.eval.environment import Fresh
from react_agent.eval.grading.applied import OF_UNITTEST, apply
from react_agent.eval.task import Fault, Instance, Kind, Verdict
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.log import read_statuses
from react_agent.parsers.testing.report import Statuses
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.shell import process, shell
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
# The name of each test, and what those print that fail; what a command says itself counts more.
_PYTEST = "-rpsxXEf --verbosity=1 --color=no"
_READ = 8_000_000  # bytes of a log in which names are looked for
_KEPT = 1_000_000  # of these, what is stored
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
    """The set's own; else by what its tests are called; else by what the repository is."""
    asked = _Asked(instance, frozenset(file_list(context.root)))
    if line := instance.test_command.strip():
        whole = line.replace(SELECTION, shlex.join(asked.paths))
        return Command(("bash" if process.find_program("bash") else "sh", "-c", whole), whole)
    words = _words(asked, context)
    if isinstance(words, NoCommand):
        return words
    python = interpreter(context)
    if python is None:
        return NoCommand("there is no python3 on PATH")
    return Command((python, *words), shlex.join(("python", *words)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tests that are asked for, and the files that there are."""

    instance: Instance
    files: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.instance.fail_to_pass, *self.instance.pass_to_pass)

    @property
    def touched(self) -> list[str]:
        """The files of tests in the test patch."""
        changed = {file.new for file in read_git_diff(self.instance.test_patch)}
        return files_of_tests(sorted(changed & self.files))

    @property
    def paths(self) -> list[str]:
        """These, and those that the names begin with."""
        named = {name.partition("::")[0] for name in self.names}
        return sorted({*self.touched, *(named & self.files)})

    @property
    def classes(self) -> set[str]:
        """Of unittest: `module.Class`, and since Python 3.11 the method behind it."""
        return {found["of"] for name in self.names if (found := OF_UNITTEST.fullmatch(name))}

    def modules(self, folder: str = "") -> set[str]:
        """Those of them that are files below this folder."""
        found = (_heads(one) for one in self.classes)
        paths = {next((one for one in heads if self._file(folder, one)), "") for heads in found}
        return paths - {""}

    def _file(self, folder: str, module: str) -> bool:
        return f"{folder}{module.replace('.', '/')}.py" in self.files


def _heads(dotted: str) -> Iterator[str]:
    """`a.b.C`, `a.b`, `a`"""
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]


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
    return NoCommand(f"`{found.shown}` names no tests: the set has to say a test_command")


def _for_unittest(asked: _Asked) -> list[str]:
    labels = sorted(asked.modules() | _dotted(asked))
    if _DJANGO in asked.files:
        return [_DJANGO, "test", "--verbosity=2", "--noinput", *labels]
    if asked.classes and not asked.modules():  # found from their own folder: it is no package
        paths = (path.rpartition("/")[0] for path in files_of_tests(sorted(asked.files)))
        for folder in dict.fromkeys(filter(None, paths)):
            if asked.modules(f"{folder}/"):
                return ["-m", "unittest", "discover", "-v", "-s", folder]
    return ["-m", "unittest", "-v", *labels]


def _dotted(asked: _Asked, folder: str = "") -> set[str]:
    """The touched files as modules."""
    paths = (path.removeprefix(folder).removesuffix(".py") for path in asked.touched)
    return {path.replace("/", ".") for path in paths}


@dataclass(frozen=True, slots=True)
class Trial:
    """What the log told, or why there is none to read."""

    statuses: Statuses = field(default_factory=dict)
    code: int = 0
    log: bytes = b""
    seconds: float = 0.0
    fault: Fault | None = None

    @property
    def passing(self) -> frozenset[str]:
        """The tests that pass, by their ids alone, without unittest's descriptions."""
        return frozenset(
            name for name, status in self.statuses.items() if status.is_pass and _ID.fullmatch(name)
        )


def tried(fresh: Fresh, instance: Instance, patch: str, seconds: float) -> Trial:
    """Raises ReactAgentError where git or the machine fails."""
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
    text = plain(done.output.decode(errors="replace")).text
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
    """What was put back, what was run, what it printed, how it ended."""
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
