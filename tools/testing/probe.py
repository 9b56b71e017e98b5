"""What the first prompt says of the environment that commands run in.

A virtual environment of the user's is used as it is, and only if the project's packages are then
imported from the workspace: an editable install would import the user's checkout. Where none is
fit, the repository's `prepare` command makes one under $VENV, kept for its base commit, as in
`python3 -m venv "$VENV" && "$VENV/bin/pip" install -e .`
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from react_agent.parsers.repo.project import PythonProject, read_project
from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.suggestions import listed
from react_agent.tools.sandbox.sandbox import Sandbox
from react_agent.tools.shell import shell
from react_agent.tools.testing.interpreter import Answer, Prefix, interpreter, probe_python
from react_agent.tools.testing.tests_command import NoCommand, find_command, text_of

_SETTINGS = ("setup.cfg", "pyproject.toml", "setup.py")
_SIGNS_OF_PYTHON = (*_SETTINGS, "requirements.txt", "tox.ini")
PREPARE_S = 900.0
_LINE = 240
_MOST_LINES = 8
_PRINTED = 160


@dataclass(frozen=True, slots=True)
class NotMade:
    reason: str


Prepare: TypeAlias = Callable[[Context], Prefix | NotMade]


@dataclass(frozen=True, slots=True)
class Environment:
    lines: tuple[str, ...] = ()  # for the first prompt
    changes: Mapping[str, str] = field(default_factory=dict)  # to merge into that of commands
    python: str = ""  # the interpreter that commands see; empty: none is needed, or there is none
    test_command: str = ""
    can_test: bool = False
    has_pytest: bool | None = field(default=None, compare=False)  # of `python`; None: not asked


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known from outside the workspace."""

    checkout: Path | None = None  # the user's
    active: str = ""  # VIRTUAL_ENV of the environment we were started in
    configured: str = ""  # `python = ...` of the user's settings
    prepare: Prepare | None = None  # makes an environment of its own, if that is configured


def probe(context: Context, around: Surroundings) -> Environment:
    """Never fails: what can't be found out is not said."""
    try:
        return _probed(context, around)
    except (ReactAgentError, OSError, ValueError) as error:
        return Environment((clip_line(f"The environment could not be looked at: {error}.", _LINE),))


def _probed(context: Context, around: Surroundings) -> Environment:
    files, found = file_list(context.root), Environment()
    is_mostly_python = sum(name.endswith(".py") for name in files) * 2 > len(files)
    if is_mostly_python or any(name in _SIGNS_OF_PYTHON for name in files):
        found = _python(context, around, files)
    seen = replace(context, environment={**context.environment, **found.changes})
    is_same = bool(found.python) and interpreter(seen) == found.python
    command = find_command(seen, found.has_pytest if is_same else None)
    is_hindered = bool(found.python) and not found.can_test
    if isinstance(command, NoCommand):
        found = replace(found, can_test=False)
        line = f"Tests can't run: {command.reason}."
    else:
        found = replace(found, test_command=command.shown, can_test=not is_hindered)
        line = "" if is_hindered else f"Tests: {command.shown} ({command.found})."
    lines = tuple(clip_line(one, _LINE) for one in (*found.lines, line) if one)
    return replace(found, lines=lines[:_MOST_LINES])


def _python(context: Context, around: Surroundings, files: Sequence[str]) -> Environment:
    texts = {name: text_of(context, name) for name in _SETTINGS if name in files}
    project = read_project(texts, files)
    tried, notes = list[Answer](), list[str]()
    for prefix in _prefixes(context, around):
        if isinstance(prefix, NotMade):
            notes.append(f"{prefix.reason[:1].upper()}{prefix.reason[1:]}.")
            continue
        answer = probe_python(prefix, project, context)
        if answer.is_good:
            return _described(answer, project)
        tried.append(answer)
    found = _hindered(tried, project)
    return replace(found, lines=(*found.lines, *notes))


def _prefixes(context: Context, around: Surroundings) -> Iterator[Prefix | NotMade]:
    """Where an interpreter may be: first what somebody chose, last the one that has to be made."""
    named = [(around.configured, "the configured Python"), (around.active, "VIRTUAL_ENV")]
    if around.checkout:
        named += [
            (str(around.checkout / name), f"the checkout's {name}") for name in (".venv", "venv")
        ]
    seen = set[Path]()
    for place, said in named:
        prefix = _prefix(Path(place), said) if place else None
        if prefix and prefix.program not in seen:
            seen.add(prefix.program)
            yield prefix
    # without the one that was tried above
    bare = {name: value for name, value in context.environment.items() if name != "VIRTUAL_ENV"}
    program = interpreter(replace(context, environment=bare))
    if program:
        yield Prefix(Path(program), "the Python on PATH")
    if around.prepare:
        yield around.prepare(context)


def _prefix(place: Path, said: str) -> Prefix | None:
    """From the folder of an environment, or its interpreter."""
    program = place if place.is_file() else place / "bin" / "python"
    if not program.is_absolute() or not os.access(program, os.X_OK):
        return None
    folder = program.parent.parent
    return Prefix(program, said, folder if (folder / "pyvenv.cfg").is_file() else None)


def _described(answer: Answer, project: PythonProject) -> Environment:
    lines = [f"Python {answer.version} ({answer.prefix.said})."]
    if project.packages:
        verb = "is" if len(project.packages) == 1 else "are"
        lines.append(f"{listed(project.packages)} {verb} imported from the workspace.")
    return Environment(
        (*lines, *_missing(answer)),
        answer.changes,
        str(answer.prefix.program),
        can_test=True,
        has_pytest=answer.has_pytest,
    )


def _hindered(tried: Sequence[Answer], project: PythonProject) -> Environment:
    if not tried:
        return Environment(("There is no Python on PATH: Python code and its tests can't run.",))
    # the first is the one that somebody chose
    last = next((answer for answer in tried if answer.version), tried[-1])
    package = project.packages[0] if project.packages else "Python"
    lines = [f"Python {last.version} ({last.prefix.said})."] if last.version else []
    problem = f"{package} can't be imported from the workspace ({last.problem})"
    lines.append(f"Tests can't run: {problem}.")
    unchanged = next((one for one in tried if one.prefix.folder is None), last)
    return Environment((*lines, *_missing(last)), python=str(unchanged.prefix.program))


def _missing(answer: Answer) -> list[str]:
    return [f"Not installed: {listed(answer.missing)}."] if answer.missing else []


def folder_for(cache: Path, base: str, command: str) -> Path:
    key = hashlib.sha256(f"{base}\0{command}".encode()).hexdigest()[:20]
    return cache / "environments" / key


def preparing(
    command: str, folder: Path, sandbox: Sandbox, timeout_s: float = PREPARE_S
) -> Prepare:
    """`sandbox` lets commands write to the folder, which later ones only read."""

    def prepare(context: Context) -> Prefix | NotMade:
        disk.mkdir(folder, parents=True, exist_ok=True)
        # Beside the folder, where no command reaches them: it could leave a link in their place.
        lock, whole = (folder.with_name(f"{folder.name}.{kind}") for kind in ("lock", "made"))
        with locked(lock):  # of two runs, one makes it
            if whole.exists():
                return _prefix_in(folder)
            made = _run_prepare(command, folder, sandbox, timeout_s, context)
            if isinstance(made, Prefix):
                disk.touch(whole)
            return made

    return prepare


def _run_prepare(
    command: str, folder: Path, sandbox: Sandbox, timeout_s: float, context: Context
) -> Prefix | NotMade:
    venv = folder / "venv"
    remove_tree(venv)
    environment = {**context.environment, "VENV": str(venv)}
    confined_there = replace(context, sandbox=sandbox, environment=environment)
    done = shell.run_sandboxed(shell.words(command), confined_there, timeout_s=timeout_s)
    if done.timed_out:
        return NotMade(f"the prepare command took more than {timeout_s:g} s")
    if done.code:
        last = done.output.decode(errors="replace").strip().rpartition("\n")[2]
        printed = clip_line(" ".join(last.split()), _PRINTED)
        return NotMade(f"the prepare command ended with exit code {done.code}: {printed}")
    if not (venv / "bin" / "python").exists():
        return NotMade("the prepare command made no $VENV/bin/python")
    return _prefix_in(folder)


def _prefix_in(folder: Path) -> Prefix:
    venv = folder / "venv"
    return Prefix(venv / "bin" / "python", "made by the prepare command", venv)
