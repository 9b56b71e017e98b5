"""Find the command that runs a repository's tests, either all of them or a selection.

The command is configured, or it is derived from the files of the repository. A selection is passed
on in the syntax of the test runner. An unknown runner gets it unchanged.
"""

import contextlib
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import dirname

from react_agent.parsers.testing.commands import TEST_COMMAND, Runner, runner_of
from react_agent.parsers.testing.repository import (
    has_test_case,
    make_target,
    npm_test_script,
    pytest_section,
)
from react_agent.parsers.testing.selection import Selection
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import readings
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import listing, near_it
from react_agent.tools.files.paths import Place, Refused, existing, inside, start_of
from react_agent.tools.shell import process, shell

SELECTION = "{selection}"  # in a configured command: where the selection goes
QUESTION_S = 20.0
PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PYTHON_FILES = ("setup.py", "pyproject.toml", "setup.cfg", "requirements.txt")
_TAKE_A_WORD = ("-c", "-k", "-m", "--rootdir", "--confcutdir", "--ignore", "--config", "--cov")
_BY_NAME = {"cargo": "--", "jest": "-t", "vitest": "-t", "mocha": "-g"}  # behind these come names
_BY_FILE = {"Cargo.toml": "cargo test", "go.mod": "go test", "package.json": "npm test"}
_MAKEFILES = dict.fromkeys(("GNUmakefile", "makefile", "Makefile"), "make")
_BY_TASK = {**_MAKEFILES, "tox.ini": "tox", "noxfile.py": "nox"}
_TAKE_DASHES = ("npm test", "tox", "nox")  # before a selection; tox runs less behind a bare --
_TEST_FILE = re.compile(r"(?:^|/)(?:test[^/]*|[^/]*_tests?)\.py$")
_SOURCE_FILE = re.compile(r".*/.*|.*\.(?:py|go|rs|[jt]sx?|mjs)")
_LOOKED_INTO = 40  # files of tests
_READ = 200_000  # bytes of a file
_HAS_PYTEST = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pytest') is None)"
_HANGS_AFTER = 0.7  # of the time there is: then pytest says where it stands


@dataclass(frozen=True, slots=True)
class Command:
    runner: Runner
    argv: tuple[str, ...]
    shown: str  # as a person would type it
    found: str = ""  # why it is this one
    is_shell: bool = False  # argv is one line of shell, as it is configured


@dataclass(frozen=True, slots=True)
class NoCommand:
    reason: str


@dataclass(frozen=True, slots=True)
class _Target:
    path: str  # empty: only names
    names: tuple[str, ...] = ()


def interpreter(context: Context) -> str | None:
    """Return the Python of the active virtual environment, of the workspace's own, or on PATH."""
    active = context.environment.get("VIRTUAL_ENV")
    for folder in (*([Path(active)] if active else []), context.root / ".venv"):
        program = folder / "bin" / "python"
        if os.access(program, os.X_OK) and program.is_file():
            return str(program)
    found = (_program(name, context) for name in ("python3", "python"))
    return next(filter(None, found), None)


def _program(name: str, context: Context) -> str | None:
    return process.find_program(name, path=context.environment.get("PATH", os.defpath))


def ask_python(python: str, code: str, context: Context, *arguments: str) -> process.CommandResult:
    """Run a few lines of Python code in the workspace. Raises CannotStart."""
    argv = [python, "-c", code, *arguments]
    return shell.run_sandboxed(argv, context, timeout_s=seconds_to_answer(context))


def seconds_to_answer(context: Context) -> float:
    return min(QUESTION_S, context.limits.command_seconds)


def find_command(context: Context, has_pytest: bool | None = None) -> Command | NoCommand:
    """Return the test command. `has_pytest` tells whether pytest is installed, if that is known."""
    line = context.commands.get("test", "").strip()
    if line:
        return Command(runner_of(line), (line,), line, "configured", is_shell=True)
    files, missing = listing(context).files, list[str]()
    tests = files_of_tests(files)
    for command in _candidates(frozenset(files), tests, context, has_pytest):
        if isinstance(command, Command):
            return command
        missing.append(command.reason)
    looked = "no configured command, no pytest, unittest, tox, nox, npm, cargo, go or make tests"
    near = f"; files that look like tests: {', '.join(tests[:5])}" if tests else ""
    return NoCommand("; ".join(missing) or f"no test command was found ({looked}){near}")


def files_of_tests(files: Sequence[str]) -> list[str]:
    return [name for name in files if _TEST_FILE.search(name)]


def tests_near(paths: Sequence[str], files: Iterable[str]) -> list[str]:
    """Return the files that are tests of `paths`, or that share a name with a test in `paths`."""
    stems = [PurePosixPath(path).stem for path in paths]
    wanted = {one for stem in stems for one in (f"test_{stem}", f"{stem}_test", f"{stem}.test")}
    wanted |= {stem for stem in stems if stem.startswith("test_") or stem.endswith("_test")}
    return [one for one in files if PurePosixPath(one).stem in wanted]


def text_of(context: Context, name: str) -> str:
    """Return the beginning of a file without a byte order mark, or "" if it can't be read."""
    return start_of(Place(context.root, name), _READ).decode("utf-8-sig", errors="replace")


def _candidates(
    has: frozenset[str], tests: Sequence[str], context: Context, has_pytest: bool | None
) -> Iterator[Command | NoCommand]:
    named = (name for name in PYTEST_FILES if name in has)
    sections = (pytest_section(name, text_of(context, name)) for name in named)
    section = next(filter(None, sections), "")
    is_python = bool(section) or any(name in has for name in _PYTHON_FILES)
    if is_python and (section or tests):
        yield _python(section, tests, context, has_pytest)
    yield from _by_file(_BY_FILE, has, context)
    if not is_python and tests:
        yield _python("", tests, context, has_pytest)
    yield from _by_file(_BY_TASK, has, context)


def _python(
    section: str, tests: Sequence[str], context: Context, has_pytest: bool | None
) -> Command | NoCommand:
    python = interpreter(context)
    if python is None:
        return NoCommand("there are Python tests, but no python3 on PATH")
    if has_pytest is None:
        with contextlib.suppress(process.CannotStart):
            done = ask_python(python, _HAS_PYTEST, context)
            has_pytest = done.code == 0 and not done.timed_out
    if has_pytest:
        why = section or "there are test files, and pytest is installed"
        return Command(Runner.PYTEST, (python, "-m", "pytest"), "pytest", why)
    if any(has_test_case(text_of(context, name)) for name in tests[:_LOOKED_INTO]):
        why = "there are unittest test cases, and pytest is not installed"
        return Command(Runner.UNITTEST, (python, "-m", "unittest"), "python -m unittest", why)
    return NoCommand(f"the tests need pytest ({section or 'test files'}), which is not installed")


def _by_file(
    table: Mapping[str, str], has: frozenset[str], context: Context
) -> Iterator[Command | NoCommand]:
    for name in (name for name in table if name in has):
        line, why = table[name], f"there is {name}"
        program = line.split()[0]
        if program == "npm":
            script = npm_test_script(text_of(context, name))
            why = f"{name} has the test script {script[:80]}" if script else ""
        elif program == "make":
            target = make_target(text_of(context, name))
            line, why = f"make {target}", f"{name} has the target {target}" if target else ""
        if why and _program(program, context):
            yield Command(runner_of(line), tuple(line.split()), line, why)
        elif why:
            yield NoCommand(f"{why}, and {program} is not installed")


def started(
    command: Command, selection: Selection, context: Context, results: Path | None = None
) -> Command | Unreadable:
    """Return the command that runs the selection. pytest writes its results to `results`."""
    found = [_target(text, command.runner, context) for text in selection.targets]
    targets = [one for one in found if isinstance(one, _Target)]
    if unreadable := next((one for one in found if isinstance(one, Unreadable)), None):
        return unreadable
    if command.runner is Runner.MAKE and SELECTION not in command.shown and not selection.is_all:
        line = f"{command.shown} takes no selection"
        return Unreadable(f"{line}: leave the input empty to run all tests")
    given = _given(command, targets, selection, context)
    if command.is_shell:
        line = command.argv[0]
        ours = _pytest_options(context, results, line) if command.runner is Runner.PYTEST else []
        has_paths = any(one.path for one in targets)
        return _configured(line, given, ours, has_paths, context)
    if given and command.shown in _TAKE_DASHES:
        given = ["--", *given]
    shown = f"{command.shown} {shlex.join(given)}".strip()
    loud = sum(option.count("v") for option in selection.options if option.startswith("-v"))
    ours = ["-v"] if command.runner is Runner.GO else []
    if command.runner is Runner.PYTEST:
        ours = [f"--verbosity={loud or -1}", *_pytest_options(context, results)]
    return replace(command, argv=(*command.argv, *ours, *given), shown=shown)


def _target(text: str, runner: Runner, context: Context) -> _Target | Unreadable:
    """Parse a selected test, split at `::` but not inside its parameters. Go has `TestA/sub`."""
    start, bracket, parameters = text.partition("[")
    head, *names = start.split("::")
    if names:
        names = [one for one in (*names[:-1], f"{names[-1]}{bracket}{parameters}") if one]
    else:
        head = text
    named = [path for one in readings(head) for path in (one.path, f"{context.cwd}/{one.path}")]
    for path in named if head.strip() else ():
        if found := existing(context.root, path):
            return _Target(found.name, tuple(names))
    if dotted := _dotted(head, names, context):
        return dotted
    place = inside(context.root, head)
    if isinstance(place, Refused):
        return Unreadable(place.reason)
    if not _SOURCE_FILE.fullmatch(head) or (runner is Runner.GO and head.startswith("Test")):
        return _Target("", (head, *names))
    hint = near_it(place.name, listing(context).files)
    return Unreadable(f"{place.name} does not exist{hint}")


def _dotted(head: str, names: Sequence[str], context: Context) -> _Target | None:
    """Parse a name like `tests.test_x.TestA.test_b` as a folder, or as its longest file prefix."""
    parts = head.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    folder = "/".join(parts)
    if len(parts) > 1 and (context.root / folder).is_dir():
        return _Target(folder, tuple(names))
    for end in range(len(parts), 0, -1):
        path = f"{'/'.join(parts[:end])}.py"
        if (context.root / path).is_file():
            return _Target(path, (*parts[end:], *names))
    return None


def _configured(
    line: str, given: Sequence[str], ours: Sequence[str], has_paths: bool, context: Context
) -> Command | Unreadable:
    if SELECTION in line:
        line = line.replace(SELECTION, shlex.join(given)).strip()
        return Command(Runner.OTHER, tuple(shell.words(line)), line)
    try:  # one simple command, or nothing can be added to it
        words = [] if re.search(r"[|;&<>`$()\n]|\s#", line) else shlex.split(line)
    except ValueError:
        words = []
    if given and not words:
        return Unreadable(f"the configured test command takes no selection: {line}")
    if has_paths and (kept := _without_paths(words, line, context)) != words:
        line = shlex.join(kept)  # what it runs by itself would be run as well
    shown = f"{line} {shlex.join(given)}".strip()
    whole = f"{shown} {shlex.join(ours)}".strip() if words else line
    return Command(Runner.OTHER, tuple(shell.words(whole)), shown)


def _without_paths(words: Sequence[str], line: str, context: Context) -> list[str]:
    """Drop the paths that follow a known test command, except those that belong to options."""
    found = TEST_COMMAND.match(line.lstrip())
    behind = len(shlex.split(found[0])) if found else len(words)
    kept = list(words[:behind])
    if found and kept[-1] == "discover":  # what follows says where unittest looks for tests
        return kept[:-1]
    for before, word in pairwise(words[behind - 1 :]):
        if before in _TAKE_A_WORD or not (context.root / word.removesuffix("...")).exists():
            kept.append(word)
    return kept


def _pytest_options(context: Context, results: Path | None, line: str = "") -> list[str]:
    """Return our options for pytest: a short log, and no caches in the work tree."""
    home = context.environment.get("HOME")
    return [
        *([] if "--tb" in line else ["--tb=short"]),
        *("-rfE", "--color=no"),
        *([f"--junitxml={results}"] if results and "--junit" not in line else []),
        *("-o", "junit_family=xunit1"),
        *(("-o", f"cache_dir={home}/.pytest_cache") if home else ("-p", "no:cacheprovider")),
        *("-o", f"faulthandler_timeout={context.limits.command_seconds * _HANGS_AFTER:.1f}"),
    ]


def _given(
    command: Command, targets: Sequence[_Target], selection: Selection, context: Context
) -> list[str]:
    if command.runner is Runner.GO:
        return _for_go(command, targets, selection, context)
    if command.runner is Runner.UNITTEST:
        return _for_unittest(command, targets, selection, context)
    names = (one.names for one in targets if not one.path)
    bare = (" and ".join(name.partition("[")[0] for name in several) for several in names)
    keywords = [one for one in (selection.keyword, *bare) if one]
    keyword = f"({') or ('.join(keywords)})" if len(keywords) > 1 else "".join(keywords)
    options = [one for one in selection.options if not one.startswith(("-v", "--v", "-q", "--q"))]
    return [
        *("::".join((target.path, *target.names)) for target in targets if target.path),
        *(_by_name(command, keyword) if keyword else ()),
        *(("-m", selection.marker) if selection.marker else ()),
        *options,
    ]


def _by_name(command: Command, keyword: str) -> tuple[str, ...]:
    """Return the arguments for an expression of pytest, or for the names in it."""
    words = re.findall(r"\w+", f"{command.shown} {command.found}")
    option = next((_BY_NAME[word] for word in words if word in _BY_NAME), "")
    names = [one.strip("() ") for one in keyword.split(" or ")]
    if option == "--":
        return option, *(one.replace(" and ", "::") for one in names)
    if option:
        return option, "|".join(one.replace(" and ", " ") for one in names)
    return "-k", keyword


def _for_unittest(
    command: Command, targets: Sequence[_Target], selection: Selection, context: Context
) -> list[str]:
    """Return the arguments of unittest: the dotted module names, or else those of discovery."""
    files, modules = listing(context).files, list[str]()
    for target in (one for one in targets if one.path):
        below = files_of_tests([name for name in files if name.startswith(f"{target.path}/")])
        dotted = (one.removesuffix(".py").replace("/", ".") for one in below or [target.path])
        modules += (".".join((module, *target.names)) for module in dotted)
    discovery = [] if modules or command.is_shell else _discovery(files)
    keywords = [".".join(one.names) for one in targets if not one.path]
    keywords += [one.strip("() ") for one in selection.keyword.split(" or ") if one]
    quick = ["-f"] if {"-x", "--exitfirst"} & set(selection.options) else []
    return [*modules, *discovery, *quick, *(part for one in keywords for part in ("-k", one))]


def _discovery(files: Sequence[str]) -> list[str]:
    """Return the arguments of test discovery, which by default finds only tests in packages."""
    has = frozenset(files)
    for name in files_of_tests(files):
        if not all(f"{folder}/__init__.py" in has for folder in PurePosixPath(name).parents[:-1]):
            return ["discover", "-s", name.partition("/")[0]]
    return ["discover"]


def _for_go(
    command: Command, targets: Sequence[_Target], selection: Selection, context: Context
) -> list[str]:
    paths = [one.path for one in targets if one.path]
    folders = dict.fromkeys(
        f"./{path}/..." if (context.root / path).is_dir() else f"./{dirname(path)}".rstrip("/")
        for path in paths
    )
    parts = ("/".join(target.names).split("/") for target in targets if target.names)
    names = ["/".join(f"^{part}$" for part in each) for each in parts]
    pattern = selection.keyword.replace(" or ", "|") or "|".join(names)
    names_its_own = command.is_shell and SELECTION not in command.shown
    every = [] if names_its_own else ["./..."]
    return [*(folders or every), *(("-run", pattern) if pattern else ())]
