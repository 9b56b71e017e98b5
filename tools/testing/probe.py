"""Describe the environment that commands run in, for the first prompt.

A virtual environment of the user is used unchanged, but only if it imports the project's packages
from the workspace: an editable install would import them from the user's checkout. If no
environment is suitable, the repository's `prepare` command creates one under $VENV, which is kept
for its base commit, as in `python3 -m venv "$VENV" && "$VENV/bin/pip" install -e .`. A command that
creates one for the tests is suggested: it uses the lock file of uv, poetry or npm, or else pip with
requirements files, dependency groups and extras. Packages of npm are in $VENV/node_modules, and a
link to them beside the work tree, where Node.js looks for packages, too.
"""

import hashlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from react_agent.parsers.testing.repository import PythonProject, imported, ini, read_project, toml
from react_agent.parsers.text.gist import one_line
from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.file_list import listed, listing
from react_agent.tools.sandbox.sandbox import Sandbox
from react_agent.tools.shell import process, shell
from react_agent.tools.testing.tests_command import (
    NoCommand,
    ask_python,
    files_of_tests,
    find_command,
    interpreter,
    seconds_to_answer,
    text_of,
)

_SETTINGS = ("setup.cfg", "pyproject.toml", "setup.py")
_SIGNS_OF_PYTHON = (*_SETTINGS, "requirements.txt", "tox.ini")
_PIP = 'python3 -m venv "$VENV" && "$VENV/bin/pip" install --quiet'
# uv and poetry come from the package index, as they may be missing here. Poetry has many
# dependencies, so it gets an environment of its own.
_LOCKS = {
    "uv.lock": f'{_PIP} uv && UV_PROJECT_ENVIRONMENT="$VENV" "$VENV/bin/uv" sync --inexact '
    "--frozen --all-extras --no-install-project",
    "poetry.lock": 'python3 -m venv "$VENV" && python3 -m venv "$VENV/poetry" && '
    '"$VENV/poetry/bin/pip" install --quiet poetry && '
    'VIRTUAL_ENV="$VENV" "$VENV/poetry/bin/poetry" install --no-root --all-extras',
}
# A script of the project itself, such as its build, needs more than these two files.
_NPM = (
    'mkdir "$VENV" && cp package.json package-lock.json "$VENV" && cd "$VENV" && '
    "npm pkg delete scripts && npm ci --no-audit --no-fund"
)
PACKAGE, _PACKAGE_LOCK, MODULES = "package.json", "package-lock.json", "node_modules"
_REQUIREMENTS = re.compile(r"requirements[\w.-]*\.txt|requirements/(?:tests?|dev)\.txt")
_FOR_TESTS = ("test", "tests", "testing", "dev")
_GROUP = "include-group"
_VENV = "venv"
PREPARE_S = 900.0
_LINE = 240
_PRINTED = 160
_SHOWN = 120  # characters of an error
_MARK = "@@probe@@"
# Find the first package before importing it: if it is elsewhere or missing, put the workspace's
# folder first on the path, as PYTHONPATH would.
_QUESTION = """
import importlib.util, json, os, sys
sys.path[:] = [place for place in sys.path if place]  # a script does not see the folder we are in
folder, names = sys.argv[1], sys.argv[2].split(",")
answer = {"version": "%d.%d.%d" % sys.version_info[:3], "files": {}}
stdout, sys.stdout = sys.stdout, sys.stderr
try:
    spec = importlib.util.find_spec(names[0]) if names[0] else None
    places = [spec.origin or ""] + list(spec.submodule_search_locations or []) if spec else []
    inside = os.path.join(os.path.realpath(folder), "")
    if names[0] and not any(os.path.realpath(place).startswith(inside) for place in places):
        sys.path.insert(0, folder)
        answer["path"] = folder
    for name in filter(None, names):
        __import__(name)
        module = sys.modules[name]
        places = [getattr(module, "__file__", None) or ""] + list(getattr(module, "__path__", []))
        answer["files"][name] = [place for place in places if place][0]
except BaseException as error:
    answer["problem"] = "%s: %s" % (type(error).__name__, error)
try:
    answer["pytest"] = importlib.util.find_spec("pytest") is not None
    wanted = filter(None, sys.argv[3].split(","))
    answer["missing"] = [name for name in wanted if importlib.util.find_spec(name) is None]
except (ImportError, ValueError):
    pass
stdout.write("\\n@@probe@@" + json.dumps(answer) + "\\n")
stdout.flush()
os._exit(0)
"""

_MOST_TESTS = 200  # files of tests that are looked into


@dataclass(frozen=True, slots=True)
class Prefix:
    """A Python interpreter, and the virtual environment that it belongs to."""

    program: Path
    said: str  # whose it is, for people
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    prefix: Prefix
    version: str = ""
    problem: str = ""  # empty: every package is imported from the workspace
    changes: Mapping[str, str] = field(default_factory=dict)  # of the environment
    has_pytest: bool = False
    missing: tuple[str, ...] = ()  # what tests import, and this Python does not have


Prepare: TypeAlias = Callable[[Context], Prefix | str]  # in words: why there is none


@dataclass(frozen=True, slots=True)
class Environment:
    lines: tuple[str, ...] = ()  # for the first prompt
    changes: Mapping[str, str] = field(default_factory=dict)  # to merge into that of commands
    python: str = ""  # the interpreter that commands see; empty: none is needed, or there is none
    is_usable: bool = False  # it imports the project from the workspace
    has_pytest: bool | None = field(default=None, compare=False)  # of `python`; None: not asked
    missing: str = field(default="", compare=False)  # for the first prompt, if tests can run


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Facts about the environment that come from outside the workspace."""

    checkout: Path | None = None  # the user's
    active: str = ""  # VIRTUAL_ENV of the environment we were started in
    configured: str = ""  # `python = ...` of the user's settings
    prepare: Prepare | None = None  # makes an environment of its own, if that is configured
    is_first: bool = False  # it goes before the Python on PATH, which may lack what tests need


def probe(context: Context, around: Surroundings) -> Environment:
    """Return the environment. This never fails: facts that can't be determined are left out."""
    try:
        return _probed(context, around)
    except (ReactAgentError, OSError, ValueError) as error:
        return Environment((clip_line(f"The environment could not be inspected: {error}.", _LINE),))


def _probed(context: Context, around: Surroundings) -> Environment:
    files, found = listing(context).files, Environment()
    is_mostly_python = sum(name.endswith(".py") for name in files) * 2 > len(files)
    if is_mostly_python or any(name in _SIGNS_OF_PYTHON for name in files):
        found = _python(context, around, files)
    elif PACKAGE in files and around.prepare and not (context.root.parent / MODULES).exists():
        made = around.prepare(context)
        found = Environment((made,) if isinstance(made, str) else ())
    seen = replace(context, environment={**context.environment, **found.changes})
    is_same = bool(found.python) and interpreter(seen) == found.python
    command = find_command(seen, found.has_pytest if is_same else None)
    lines = [*found.lines]
    if isinstance(command, NoCommand):
        lines.append(f"Tests can't run: {command.reason}.")
    elif found.is_usable or not found.python:
        lines += (f"Tests: {command.shown} ({command.found}).", found.missing)
    return replace(found, lines=tuple(clip_line(one, _LINE) for one in lines if one))


def _imported_by_tests(files: Sequence[str], context: Context) -> dict[str, list[str]]:
    """Return the third-party packages that tests import, and the tests that need them."""
    own = {part for name in files for part in name.removesuffix(".py").split("/")}
    found = dict[str, list[str]]()
    for path in files_of_tests(files)[:_MOST_TESTS]:
        for name in sorted(imported(text_of(context, path)) - sys.stdlib_module_names - own):
            found.setdefault(name, []).append(path)
    return found


def _python(context: Context, around: Surroundings, files: Sequence[str]) -> Environment:
    texts = {name: text_of(context, name) for name in _SETTINGS if name in files}
    project, wanted = read_project(texts, files), _imported_by_tests(files, context)
    tried, notes = list[Answer](), list[str]()
    for prefix in _prefixes(context, around):
        if isinstance(prefix, str):
            notes.append(prefix)
            continue
        answer = probe_python(prefix, project, context, wanted)
        if answer.version and not answer.problem:
            lines = [f"Python {answer.version} ({prefix.said})."]
            if project.packages:
                verb = "is" if len(project.packages) == 1 else "are"
                lines.append(f"{listed(project.packages)} {verb} imported from the workspace.")
            told, program = (*lines, *notes), str(prefix.program)
            gone = [f"{listed(wanted[one])}: No module named {one!r}" for one in answer.missing]
            missing = f"Can't be imported here: {'; '.join(gone)}." if gone else ""
            known = Environment(told, answer.changes, program, is_usable=True, missing=missing)
            return replace(known, has_pytest=answer.has_pytest)
        tried.append(answer)
    if not tried:
        none = "There is no Python on PATH: Python code and its tests can't run."
        return Environment((none, *notes))
    # the first is the one that somebody chose
    last = next((answer for answer in tried if answer.version), tried[-1])
    package = project.packages[0] if project.packages else "Python"
    lines = [f"Python {last.version} ({last.prefix.said})."] if last.version else []
    problem = f"{package} can't be imported from the workspace ({last.problem})"
    unchanged = next((one for one in tried if one.prefix.folder is None), last)
    told = (*lines, f"Tests can't run: {problem}.", *notes)
    return Environment(told, python=str(unchanged.prefix.program))


def _prefixes(context: Context, around: Surroundings) -> Iterator[Prefix | str]:
    """Yield candidate interpreters: first the user's choices, then the one on PATH or prepared."""
    named = [(around.configured, "the configured Python"), (around.active, "VIRTUAL_ENV")]
    if around.checkout:
        named += [
            (str(around.checkout / name), f"the checkout's {name}") for name in (".venv", "venv")
        ]
    seen = set[Path]()
    for name, said in named:  # the folder of an environment, or a program
        place = Path(name)
        program = place if place.is_file() else place / "bin" / "python"
        if name and program.is_absolute() and os.access(program, os.X_OK) and program not in seen:
            seen.add(program)
            folder = program.parent.parent
            yield Prefix(program, said, folder if (folder / "pyvenv.cfg").is_file() else None)
    if around.prepare and around.is_first:
        yield around.prepare(context)
    if on_path := interpreter(context):
        yield Prefix(Path(on_path), "the Python on PATH")
    if around.prepare and not around.is_first:
        yield around.prepare(context)


def folder_for(cache: Path, base: str, command: str) -> Path:
    key = hashlib.sha256(f"{base}\0{command}".encode()).hexdigest()[:20]
    return cache / "environments" / key


def modules_in(folder: Path) -> Path:
    """Return where `prepare` puts packages of npm."""
    return folder / _VENV / MODULES


def preparing(
    command: str, folder: Path, sandbox: Sandbox, timeout_s: float = PREPARE_S
) -> Prepare:
    """Return a function that creates an environment. `sandbox` lets commands write to `folder`."""

    venv = folder / _VENV
    made = Prefix(venv / "bin" / "python", "made by the prepare command", venv)

    def is_there() -> bool:
        return made.program.exists() or modules_in(folder).is_dir()

    def prepare(context: Context) -> Prefix | str:
        disk.mkdir(folder, parents=True, exist_ok=True)
        # Beside the folder: inside it, a command could put a link in their place.
        lock, whole = (folder.with_name(f"{folder.name}.{kind}") for kind in ("lock", "made"))
        with locked(lock):  # of two runs, one makes it
            if whole.exists() and is_there():  # its Python may be gone from the machine
                return made
            remove_tree(whole, venv)
            environment = {**context.environment, "VENV": str(venv)}
            there = replace(context, sandbox=sandbox, environment=environment)
            done = shell.run_sandboxed(shell.words(command), there, timeout_s=timeout_s)
            if done.timed_out:
                return f"The prepare command took more than {timeout_s:g} s."
            if done.code:
                last = done.output.decode(errors="replace").strip().rpartition("\n")[2]
                printed = clip_line(one_line(last), _PRINTED)
                return f"The prepare command ended with exit code {done.code}: {printed}."
            if not is_there():
                return f"The prepare command made no $VENV/bin/python and no $VENV/{MODULES}."
            disk.write_bytes(whole, b"")
            return made

    return prepare


def probe_python(
    prefix: Prefix, project: PythonProject, context: Context, wanted: Collection[str]
) -> Answer:
    """Ask an interpreter which packages it can import, and from where. This takes one process."""
    seen = replace(context, environment={**context.environment, **_changes(prefix, "", context)})
    folder = str(context.root / project.folder)
    packages = ",".join((*project.packages[:1], *project.mapped))
    try:
        done = ask_python(str(prefix.program), _QUESTION, seen, folder, packages, ",".join(wanted))
    except process.CannotStart as error:
        return Answer(prefix, problem=str(error)[:_SHOWN])
    answer = _read(done.output.decode(errors="replace"))
    version = one_line(str(answer.get("version", "")))[:_SHOWN]
    if done.timed_out:
        problem = f"importing it took more than {seconds_to_answer(context):g} s"
    elif not version:
        problem = f"the interpreter does not work (exit code {done.code})"
    else:
        problem = one_line(str(answer.get("problem", "")))[:_SHOWN]
        problem = problem or _elsewhere(answer.get("files"), context)
    missing = answer.get("missing")
    gone = tuple(one for one in wanted if isinstance(missing, list) and one in missing)
    changes = _changes(prefix, folder if answer.get("path") else "", context)
    return Answer(prefix, version, problem, changes, answer.get("pytest") is True, gone)


def _changes(prefix: Prefix, path: str, context: Context) -> dict[str, str]:
    """Return the environment variables to set, such as PATH for an interpreter not on it."""
    changes, before = dict[str, str](), context.environment.get("PATH", os.defpath)
    if prefix.folder or prefix.program.parent not in map(Path, before.split(os.pathsep)):
        changes["PATH"] = os.pathsep.join((str(prefix.program.parent), before))
    if prefix.folder:
        changes["VIRTUAL_ENV"] = str(prefix.folder)
    if path:
        before = context.environment.get("PYTHONPATH", "")
        changes["PYTHONPATH"] = os.pathsep.join(filter(None, (path, before)))
    return changes


def _read(output: str) -> Mapping[str, object]:
    """Return the JSON object after the last mark. A package may print anything before the mark."""
    line = output.rpartition(_MARK)[2].split("\n")[0] if _MARK in output else ""
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _elsewhere(files: object, context: Context) -> str:
    """Return a problem if a package is imported from outside the workspace, or an empty string."""
    root = os.path.realpath(context.root)
    for name, place in files.items() if isinstance(files, dict) else ():
        if not Path(os.path.realpath(str(place))).is_relative_to(root):
            return f"{name} is imported from outside the workspace"
    return ""


def prepare_line(context: Context) -> str:
    """Return the command that installs the dependencies, or an empty string if none is known."""
    files = set(listing(context).files)
    for lock, line in _LOCKS.items():
        if lock in files:
            return line
    if _PACKAGE_LOCK in files and files.isdisjoint(_SIGNS_OF_PYTHON):
        return _NPM
    needed = dict.fromkeys(_needed(files, context))
    return f"{_PIP} {' '.join(needed)}" if needed else ""


def determined_by(context: Context) -> str:
    """Return the text of all files that declare dependencies. It determines the environment."""
    files = listing(context).files
    declaring = (*_LOCKS, *_SETTINGS, _PACKAGE_LOCK)
    names = [one for one in files if one in declaring or _REQUIREMENTS.fullmatch(one)]
    return "\0".join(f"{name}\0{text_of(context, name)}" for name in names)


def _needed(files: set[str], context: Context) -> Iterator[str]:
    """Yield the arguments of `pip install`."""
    for name in sorted(filter(_REQUIREMENTS.fullmatch, files)):
        yield f"-r {name}"
    tables = toml(text_of(context, "pyproject.toml"))
    groups = _table(tables, "dependency-groups")
    for name in _FOR_TESTS:
        yield from map(shlex.quote, dict.fromkeys(_of_group(groups, name, ())))
    if not files.isdisjoint(_SETTINGS):
        extras = {*_table(_table(tables, "project"), "optional-dependencies")}
        extras |= {*ini(text_of(context, "setup.cfg")).get("options.extras_require", {})}
        wanted = ",".join(name for name in _FOR_TESTS if name in extras)
        yield shlex.quote(f".[{wanted}]") if wanted else "."
    if files_of_tests(sorted(files)):
        yield "pytest"


def _of_group(groups: Mapping[str, object], name: str, within: tuple[str, ...]) -> Iterator[str]:
    """Yield the requirements of a dependency group, and those of the groups that it includes."""
    entries = groups.get(name)
    if not isinstance(entries, list) or name in within:
        return
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict) and isinstance(entry.get(_GROUP), str):
            yield from _of_group(groups, entry[_GROUP], (*within, name))


def _table(tables: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = tables.get(name)
    return found if isinstance(found, dict) else {}
