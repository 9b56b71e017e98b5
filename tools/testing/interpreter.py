"""The Python that commands get, and whether it imports a project's packages from the workspace."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.parsers.python_project import PythonProject
from react_agent.tools.context import Context
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.process import CommandResult

QUESTION_S = 20.0
_NAMES = ("python3", "python")
_MOST_NAMES = 40  # requirements that are looked for
_SHOWN = 120  # characters of an error
# One process a try: what was imported from where, or why not; and what is missing.
_QUESTION = """
import sys
sys.path[:] = [place for place in sys.path if place]  # not where we stand: a script has no such
asked = sys.argv[1].split(",") if sys.argv[1] else []
needed = sys.argv[2].split(",") if sys.argv[2] else []
said = {"version": "%d.%d.%d" % sys.version_info[:3], "files": {}, "missing": [], "problem": ""}
said["path"] = ""
real, sys.stdout = sys.stdout, sys.stderr
try:
    for name in asked:
        try:
            __import__(name)
        except ImportError as error:
            if getattr(error, "name", "") != name or not sys.argv[3]:
                raise
            sys.path.insert(0, sys.argv[3])  # it is nowhere else: the workspace has it
            said["path"] = sys.argv[3]
            __import__(name)
        module = sys.modules[name]
        places = [getattr(module, "__file__", None) or ""] + list(getattr(module, "__path__", []))
        said["files"][name] = [place for place in places if place][0]
except BaseException as error:
    said["problem"] = "%s: %s" % (type(error).__name__, error)
try:
    if needed:  # or the import alone would take as long as all the rest
        from importlib.metadata import PackageNotFoundError, version
    for name in needed:
        try:
            version(name)
        except PackageNotFoundError:
            said["missing"].append(name)
except ImportError:
    pass
import importlib.util, json, os
try:
    said["pytest"] = importlib.util.find_spec("pytest") is not None
except (ImportError, ValueError):
    pass
real.write("\\n@@probe@@" + json.dumps(said) + "\\n")
real.flush()
os._exit(0)
"""
_MARK = "@@probe@@"


@dataclass(frozen=True, slots=True)
class Prefix:
    """An interpreter, and the virtual environment that it belongs to."""

    program: Path
    said: str  # whose it is, for people
    folder: Path | None = None
    path: str = ""  # PYTHONPATH that it needs


@dataclass(frozen=True, slots=True)
class Answer:
    prefix: Prefix
    version: str = ""
    problem: str = ""  # empty: every package is imported from the workspace
    missing: tuple[str, ...] = ()
    changes: Mapping[str, str] = field(default_factory=dict)
    path: str = ""  # what it needs on PYTHONPATH, where it was asked without
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


def _ask(python: str, code: str, context: Context, *arguments: str) -> CommandResult:
    """Let it run a few lines in the workspace. Raises CannotStart."""
    seconds = min(QUESTION_S, context.limits.command_seconds)
    return shell.run_sandboxed([python, "-c", code, *arguments], context, timeout_s=seconds)


def can_import(python: str, module: str, context: Context) -> bool:
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    try:
        done = _ask(python, code, context, module)
    except process.CannotStart:
        return False
    return done.code == 0 and not done.timed_out


def probe_python(prefix: Prefix, project: PythonProject, context: Context) -> Answer:
    """As it is; if that imports from elsewhere, with the workspace first on PYTHONPATH."""
    answer = Answer(prefix)
    folder = next(_folders(project, context), "")
    for path in dict.fromkeys(("", folder)):
        changes = _changes(prefix, path, context)
        seen = replace(context, environment={**context.environment, **changes})
        answer = _asked(prefix, project, seen, "" if path else folder)
        if answer.is_good or not answer.version:
            return replace(answer, changes=_changes(prefix, path or answer.path, context))
    return answer


def _folders(project: PythonProject, context: Context) -> Iterator[str]:
    if not project.packages:
        return
    yield str(context.root if project.folder == "." else context.root / project.folder)


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


def _asked(prefix: Prefix, project: PythonProject, context: Context, folder: str) -> Answer:
    """`folder` is looked into where a package is nowhere else: that saves a second question."""
    packages = ",".join((*project.packages[:1], *project.mapped))
    needed = ",".join(project.requirements[:_MOST_NAMES])
    try:
        done = _ask(str(prefix.program), _QUESTION, context, packages, needed, folder)
    except process.CannotStart as error:
        return Answer(prefix, problem=str(error)[:_SHOWN])
    said = _said(done.output.decode(errors="replace"))
    version, missing = _one_line(said.get("version", "")), said.get("missing")
    if done.timed_out:
        problem = f"importing it took more than {done.seconds:.0f} s"
    elif not version:
        problem = f"the interpreter does not work (exit code {done.code})"
    else:
        problem = _one_line(said.get("problem", "")) or _elsewhere(said.get("files"), context)
    names = tuple(map(_one_line, missing)) if isinstance(missing, list) else ()
    path, has_pytest = folder if said.get("path") else "", said.get("pytest") is True
    return Answer(prefix, version, problem, names, path=path, has_pytest=has_pytest)


def _one_line(said: object) -> str:
    return " ".join(str(said).split())[:_SHOWN]


def _said(output: str) -> Mapping[str, object]:
    """What stands behind the last mark; a package may print whatever it likes."""
    line = output.rpartition(_MARK)[2].split("\n")[0] if _MARK in output else ""
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _elsewhere(files: object, context: Context) -> str:
    """Where a package comes from if it is not the workspace."""
    root = context.root.resolve()
    for name, place in files.items() if isinstance(files, dict) else ():
        if not Path(str(place)).resolve().is_relative_to(root):
            return f"{name} is imported from another folder than the workspace"
    return ""
