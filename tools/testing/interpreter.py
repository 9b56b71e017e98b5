"""The Python that commands get, and whether it imports a project's packages from the workspace."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.parsers.repo.project import PythonProject
from react_agent.tools.context import Context
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.process import CommandResult

QUESTION_S = 20.0
_NAMES = ("python3", "python")
_MOST_REQUIREMENTS = 40  # that are looked for
_SHOWN = 120  # characters of an error
_MARK = "@@probe@@"
# The first package is looked up before it is imported: where it lies elsewhere or nowhere, the
# workspace's folder goes first on the path, as PYTHONPATH would put it there.
_QUESTION = """
import importlib.util, json, os, sys
sys.path[:] = [place for place in sys.path if place]  # a script does not see the folder we are in
folder, names, needed = sys.argv[1], sys.argv[2].split(","), sys.argv[3].split(",")
answer = {"version": "%d.%d.%d" % sys.version_info[:3], "files": {}, "missing": []}
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
    if needed[0]:  # this import takes as long as all the rest
        from importlib.metadata import PackageNotFoundError, version
    for name in filter(None, needed):
        try:
            version(name)
        except PackageNotFoundError:
            answer["missing"].append(name)
except (ImportError, ValueError):
    pass
stdout.write("\\n@@probe@@" + json.dumps(answer) + "\\n")
stdout.flush()
os._exit(0)
"""


@dataclass(frozen=True, slots=True)
class Prefix:
    """An interpreter, and the virtual environment that it belongs to."""

    program: Path
    said: str  # whose it is, for people
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    prefix: Prefix
    version: str = ""
    problem: str = ""  # empty: every package is imported from the workspace
    missing: tuple[str, ...] = ()
    changes: Mapping[str, str] = field(default_factory=dict)  # of the environment
    has_pytest: bool = False

    @property
    def is_good(self) -> bool:
        return bool(self.version) and not self.problem


def interpreter(context: Context) -> str | None:
    """That of the virtual environment in use, of the workspace's own, else the first on PATH."""
    active = context.environment.get("VIRTUAL_ENV")
    folders = [Path(active)] if active else []
    for folder in (*folders, context.root / ".venv"):
        program = folder / "bin" / "python"
        if os.access(program, os.X_OK) and program.is_file():
            return str(program)
    path = context.environment.get("PATH", os.defpath)
    return next(
        (found for name in _NAMES if (found := process.find_program(name, path=path))), None
    )


def can_import(python: str, module: str, context: Context) -> bool:
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    try:
        done = _ask(python, code, context, module)
    except process.CannotStart:
        return False
    return done.code == 0 and not done.timed_out


def probe_python(prefix: Prefix, project: PythonProject, context: Context) -> Answer:
    """One process: what it imports from where, what is missing, whether pytest is installed."""
    seen = replace(context, environment={**context.environment, **_changes(prefix, "", context)})
    folder = str(context.root / project.folder)
    packages = ",".join((*project.packages[:1], *project.mapped))
    needed = ",".join(project.requirements[:_MOST_REQUIREMENTS])
    try:
        done = _ask(str(prefix.program), _QUESTION, seen, folder, packages, needed)
    except process.CannotStart as error:
        return Answer(prefix, problem=str(error)[:_SHOWN])
    answer = _read(done.output.decode(errors="replace"))
    version, missing = _one_line(answer.get("version", "")), answer.get("missing")
    if done.timed_out:
        problem = f"importing it took more than {done.seconds:.0f} s"
    elif not version:
        problem = f"the interpreter does not work (exit code {done.code})"
    else:
        problem = _one_line(answer.get("problem", "")) or _elsewhere(answer.get("files"), context)
    names = tuple(map(_one_line, missing)) if isinstance(missing, list) else ()
    changes = _changes(prefix, folder if answer.get("path") else "", context)
    return Answer(prefix, version, problem, names, changes, answer.get("pytest") is True)


def _ask(python: str, code: str, context: Context, *arguments: str) -> CommandResult:
    """Let it run a few lines in the workspace. Raises CannotStart."""
    seconds = min(QUESTION_S, context.limits.command_seconds)
    return shell.run_sandboxed([python, "-c", code, *arguments], context, timeout_s=seconds)


def _changes(prefix: Prefix, path: str, context: Context) -> dict[str, str]:
    """PATH is led by the interpreter's folder, so that `python` and `pytest` are its own."""
    changes = dict[str, str]()
    if prefix.folder:
        before = context.environment.get("PATH", os.defpath)
        changes["PATH"] = os.pathsep.join((str(prefix.folder / "bin"), before))
        changes["VIRTUAL_ENV"] = str(prefix.folder)
    if path:
        before = context.environment.get("PYTHONPATH", "")
        changes["PYTHONPATH"] = os.pathsep.join(filter(None, (path, before)))
    return changes


def _read(output: str) -> Mapping[str, object]:
    """What follows the last mark; a package may print whatever it likes."""
    line = output.rpartition(_MARK)[2].split("\n")[0] if _MARK in output else ""
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _one_line(text: object) -> str:
    return " ".join(str(text).split())[:_SHOWN]


def _elsewhere(files: object, context: Context) -> str:
    """Where a package comes from if it is not the workspace."""
    root = context.root.resolve()
    for name, place in files.items() if isinstance(files, dict) else ():
        if not Path(str(place)).resolve().is_relative_to(root):
            return f"{name} is imported from another folder than the workspace"
    return ""
