"""Read the name and the packages of a Python project.

name    = of pyproject.toml, setup.cfg, or a literal argument of `setup(...)` in setup.py
package = a folder with `__init__.py`, at the top of `src`, of the tree, of `lib` or of `python`
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.repo.outline import parse
from react_agent.parsers.testing.repository import ini, toml

_NO_PROJECT = frozenset(
    {"test", "tests", "testing", "doc", "docs", "example", "examples", "scripts", "tools"}
    | {"benchmark", "benchmarks", "build", "dist", "ci", "bin", "eval"}
)


@dataclass(frozen=True, slots=True)
class PythonProject:
    name: str = ""
    packages: tuple[str, ...] = ()  # top-level packages, as they are imported
    folder: str = "."  # the folder of the packages, such as `.` or `src`
    mapped: tuple[str, ...] = ()  # sub-packages in a folder that does not match their names


def read_project(texts: Mapping[str, str], files: Sequence[str]) -> PythonProject:
    """Read setup.cfg, pyproject.toml and setup.py, if they exist, and the list of files."""
    cfg, project = ini(texts.get("setup.cfg", "")), toml(texts.get("pyproject.toml", ""))
    table = project.get("project")
    name = str(table.get("name") or "") if isinstance(table, dict) else ""
    name = name or cfg.get("metadata", {}).get("name", "") or _setup_name(texts.get("setup.py", ""))
    folders = cfg.get("options", {}).get("package_dir", "").split("\n")
    mapped = (line.partition("=")[0].strip() for line in folders if "=" in line)
    folder, packages = _packages(re.sub(r"[-.]", "_", name), files)
    return PythonProject(name, packages, folder, tuple(one for one in mapped if "." in one))


def _parsed(text: str) -> ast.Module:
    return parse(text) or ast.Module([], [])


def _setup_name(text: str) -> str:
    calls = (node for node in ast.walk(_parsed(text)) if isinstance(node, ast.Call))
    setups = (call for call in calls if ast.unparse(call.func).endswith("setup"))
    words = (word for call in setups for word in call.keywords if word.arg == "name")
    names = (word.value.value for word in words if isinstance(word.value, ast.Constant))
    return str(next(names, ""))


def _packages(name: str, files: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the folder and its packages, the one with the name of the project first."""
    inits = [file.split("/")[:-1] for file in files if file.endswith("/__init__.py")]
    for folder in ("src", ".", "lib", "python"):
        above = [] if folder == "." else [folder]
        tops = {parts[-1] for parts in inits if parts[:-1] == above and parts[-1].isidentifier()}
        found = [top for top in tops if top.casefold() not in _NO_PROJECT]
        if found:
            ordered = sorted(found, key=lambda one: (one.casefold() != name.casefold(), one))
            return folder, tuple(ordered)
    return ".", (name,) if name and f"{name}.py" in files else ()


def imported(text: str) -> frozenset[str]:
    """Return the packages that a module imports whenever it is imported: not within a `try`."""
    found = set[str]()
    for one in _parsed(text).body:
        if isinstance(one, ast.Import):
            found |= {name.name.partition(".")[0] for name in one.names}
        elif isinstance(one, ast.ImportFrom) and not one.level and one.module:
            found.add(one.module.partition(".")[0])
    return frozenset(found)
