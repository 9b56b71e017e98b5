"""The repository's test command: the configured one, else by what is there."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from posixpath import dirname

from react_agent.parsers.tests_log import Runner
from react_agent.parsers.tests_runner import runner_of
from react_agent.parsers.tests_settings import (
    asks_for_pytest,
    has_test_case,
    make_target,
    npm_test_script,
    pytest_section,
)
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Place, Refused, inside, open_inside
from react_agent.tools.shell import process
from react_agent.tools.testing.interpreter import can_import, interpreter

_PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PYTHON_FILES = ("setup.py", "pyproject.toml", "setup.cfg", "requirements.txt")
_TEST_FILE = re.compile(r"(?:^|/)(?:test[^/]*|[^/]*_tests?)\.py$")
_LOCKS = {"yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm"}
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_LOOKED_INTO = 40  # files of tests
_READ = 200_000  # bytes of a file


@dataclass(frozen=True, slots=True)
class Command:
    runner: Runner
    argv: tuple[str, ...]
    shown: str  # as it is said
    found: str  # why it is this one
    is_shell: bool = False  # argv is one line of shell, as it is configured


@dataclass(frozen=True, slots=True)
class NoCommand:
    reason: str


def find_command(context: Context, has_pytest: bool | None = None) -> Command | NoCommand:
    """`has_pytest` saves the question, where it is known of the interpreter."""
    line = context.commands.get("test", "").strip()
    if line:
        return Command(runner_of(line), (line,), line, "configured", is_shell=True)
    files = file_list(context.root)
    tests = files_of_tests(files)
    missing = list[str]()
    for command in _candidates(files, tests, context, has_pytest):
        if isinstance(command, Command):
            return command
        missing.append(command.reason)
    return NoCommand("; ".join(missing) or _nothing_found(tests))


def files_of_tests(files: Sequence[str]) -> list[str]:
    return [name for name in files if _TEST_FILE.search(name)]


def text_of(context: Context, name: str) -> str:
    """The beginning of a file; nothing for what can't be read."""
    place = inside(context.root, name)
    opened = open_inside(place) if isinstance(place, Place) else place
    if isinstance(opened, Refused):
        return ""
    with opened as file:
        return file.read(_READ).decode(errors="replace")


def _candidates(
    files: Sequence[str], tests: Sequence[str], context: Context, has_pytest: bool | None
) -> Iterator[Command | NoCommand]:
    has = frozenset(files)
    section = next((one for name in _PYTEST_FILES if (one := _section(name, has, context))), "")
    is_python = bool(section) or any(name in has for name in _PYTHON_FILES)
    asked = (section, tests, has, context, has_pytest)
    python = list(_python(*asked)) if section or tests else []
    if is_python:
        yield from python
    yield from _by_root_files(has, context)
    if not is_python:
        yield from python
    yield from _make(has, context)
    for name, runner in (("tox.ini", Runner.TOX), ("noxfile.py", Runner.NOX)):
        program = runner.value
        if name in has and _which(program, context):
            yield Command(runner, (program,), program, f"there is {name}")


def _section(name: str, has: frozenset[str], context: Context) -> str:
    return pytest_section(name, text_of(context, name)) if name in has else ""


def _python(
    section: str,
    tests: Sequence[str],
    has: frozenset[str],
    context: Context,
    has_pytest: bool | None,
) -> Iterator[Command | NoCommand]:
    python = interpreter(context)
    if python is None:
        yield NoCommand("there are tests in Python, and no python3 on PATH")
        return
    texts = {name: text_of(context, name) for name in tests[:_LOOKED_INTO]}
    why = section or _asks_for_pytest(texts, has)
    if can_import(python, "pytest", context) if has_pytest is None else has_pytest:
        why = why or "there are files of tests, and pytest is installed"
        yield Command(Runner.PYTEST, (python, "-m", "pytest"), "pytest", why)
    elif any(map(has_test_case, texts.values())):
        why = "there are unittest's test cases, and pytest is not installed"
        yield Command(Runner.UNITTEST, (python, "-m", "unittest"), "python -m unittest", why)
    else:
        yield NoCommand(f"the tests need pytest ({why or 'test files'}), which is not installed")


def _asks_for_pytest(texts: dict[str, str], has: frozenset[str]) -> str:
    if conftest := next((name for name in sorted(has) if name.endswith("conftest.py")), ""):
        return f"there is {conftest}"
    asking = ((name, asks_for_pytest(text)) for name, text in texts.items())
    return next((f"{name} {why}" for name, why in asking if why), "")


def _by_root_files(has: frozenset[str], context: Context) -> Iterator[Command | NoCommand]:
    for name, runner, program in (
        ("Cargo.toml", Runner.CARGO, "cargo"),
        ("go.mod", Runner.GO, "go"),
    ):
        if name in has and _which(program, context):
            yield Command(runner, (program, "test"), f"{program} test", f"there is {name}")
        elif name in has:
            yield NoCommand(f"there is {name}, and {program} is not installed")
    script = npm_test_script(text_of(context, "package.json")) if "package.json" in has else ""
    if script:
        yield _npm(script, has, context)


def _npm(script: str, has: frozenset[str], context: Context) -> Command | NoCommand:
    program = next((program for lock, program in _LOCKS.items() if lock in has), "npm")
    if not _which(program, context):
        return NoCommand(f"package.json has a test script, and {program} is not installed")
    why = f"package.json's test script: {script[:80]}"
    return Command(Runner.NPM, (program, "test"), f"{program} test", why)


def _make(has: frozenset[str], context: Context) -> Iterator[Command]:
    name = next((name for name in _MAKEFILES if name in has), "")
    target = make_target(text_of(context, name)) if name else ""
    if target and _which("make", context):
        yield Command(
            Runner.MAKE, ("make", target), f"make {target}", f"{name} has the target {target}"
        )


def _which(program: str, context: Context) -> str | None:
    return process.find_program(program, path=context.environment.get("PATH", os.defpath))


def _nothing_found(tests: Sequence[str]) -> str:
    looked = "no configured command, no pytest, unittest, tox, nox, npm, cargo, go or make tests"
    near = f"; files that look like tests: {', '.join(tests[:5])}" if tests else ""
    return f"no test command was found ({looked}){near}"


def shell_words(command: Command) -> list[str]:
    """Of a configured line; none where it is more than one simple command."""
    line = command.argv[0]
    if re.search(r"[|;&<>`$()\n]", line):
        return []
    try:
        return shlex.split(line)
    except ValueError:
        return []


def is_importable_folder(path: str, has: frozenset[str]) -> bool:
    """Whether each folder above a file is a package."""
    folder = dirname(path)
    while folder:
        if f"{folder}/__init__.py" not in has:
            return False
        folder = dirname(folder)
    return True
