"""What runs the tests of an instance, so that the log names each of them."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_agent.eval.grading.naming import OF_UNITTEST
from react_agent.eval.instance import Instance
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.testing.commands import Runner
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.shell import process
from react_agent.tools.testing.tests_command import (
    SELECTION,
    NoCommand,
    files_of_tests,
    find_command,
    interpreter,
)

_DJANGOS_OWN = "tests/runtests.py"
_DJANGO = "manage.py"


@dataclass(frozen=True, slots=True)
class Command:
    argv: tuple[str, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tests that are asked for, and the files that there are."""

    instance: Instance
    files: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.instance.fail_to_pass, *self.instance.pass_to_pass)

    @property
    def is_for_pytest(self) -> bool:
        return any("::" in name for name in self.names)

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
    def classes(self) -> list[str]:
        """Of unittest: `module.Class`, and since Python 3.11 the method behind it."""
        found = map(OF_UNITTEST.fullmatch, self.names)
        return sorted({one["of"] for one in found if one})

    def modules(self, folder: str = "") -> set[str]:
        """Those of them that are files below this folder."""
        return {module for one in self.classes if (module := self._module(one, folder))}

    def _module(self, dotted: str, folder: str) -> str:
        parts = dotted.split(".")
        ends = range(len(parts), 0, -1)
        heads = (parts[:end] for end in ends if f"{folder}{'/'.join(parts[:end])}.py" in self.files)
        return ".".join(next(heads, ()))


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


def _words(asked: _Asked, context: Context) -> Sequence[str] | NoCommand:
    if asked.is_for_pytest:
        return _for_pytest(asked)
    if _DJANGOS_OWN in asked.files:
        return _for_django_itself(asked)
    if asked.classes:
        return _for_unittest(asked)
    found = find_command(context)
    if isinstance(found, NoCommand):
        return found
    if words := _BY_RUNNER.get(found.runner):
        return words(asked)
    return NoCommand(f"`{found.shown}` names no tests: the set has to say a test_command")


def _for_pytest(asked: _Asked) -> list[str]:
    return ["-m", "pytest", *asked.paths]


def _for_unittest(asked: _Asked) -> list[str]:
    touched = set(map(_dotted, asked.touched))
    if _DJANGO in asked.files:
        labels = sorted(asked.modules() | touched)
        return [_DJANGO, "test", "--verbosity=2", "--noinput", *labels]
    if folder := _searched(asked):
        return ["-m", "unittest", "discover", "-v", "-s", folder]
    return ["-m", "unittest", "-v", *sorted(asked.modules() | touched)]


def _for_django_itself(asked: _Asked) -> list[str]:
    folder = _DJANGOS_OWN.partition("/")[0] + "/"
    touched = {_dotted(path.removeprefix(folder)) for path in asked.touched}
    labels = sorted(asked.modules(folder) | touched)
    return [_DJANGOS_OWN, "--verbosity=2", "--parallel=1", *labels]


def _searched(asked: _Asked) -> str:
    """The folder where modules are found by the names that they have: they are in no package."""
    if not asked.classes or asked.modules():
        return ""
    return next((folder for folder in _folders(asked) if asked.modules(f"{folder}/")), "")


def _folders(asked: _Asked) -> Iterator[str]:
    paths = (path.rpartition("/")[0] for path in files_of_tests(sorted(asked.files)))
    yield from dict.fromkeys(filter(None, paths))


def _dotted(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


_BY_RUNNER: Mapping[Runner, Callable[[_Asked], Sequence[str]]] = {
    Runner.PYTEST: _for_pytest,
    Runner.UNITTEST: _for_unittest,
}
