"""What a Python project says of itself: its name and its packages."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.testing.repository import ini, toml

_NO_PROJECT = frozenset(
    {"test", "tests", "testing", "doc", "docs", "example", "examples", "scripts", "tools"}
    | {"benchmark", "benchmarks", "build", "dist", "ci", "bin", "eval"}
)


@dataclass(frozen=True, slots=True)
class PythonProject:
    name: str = ""
    packages: tuple[str, ...] = ()  # as they are imported; tops only
    folder: str = "."  # they lie in it: `.` or `src`
    mapped: tuple[str, ...] = ()  # sub-packages that lie elsewhere than their names say


def read_project(texts: Mapping[str, str], files: Sequence[str]) -> PythonProject:
    """From setup.cfg, pyproject.toml, setup.py as far as they are there, and the list of files."""
    cfg = ini(texts.get("setup.cfg", ""))
    tables = toml(texts.get("pyproject.toml", ""))
    project = _table(tables, "project")
    call = _setup_call(texts.get("setup.py", ""))
    name = str(project.get("name") or cfg.get("metadata", {}).get("name") or call.get("name", ""))
    folder, packages = _packages(name, files)
    places = _package_dir(cfg)
    mapped = tuple(one for one in places if "." in one)
    return PythonProject(name, packages, folder, mapped)


def _package_dir(cfg: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    lines = cfg.get("options", {}).get("package_dir", "").split("\n")
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name.strip(): place.strip() for name, _, place in pairs}


def _table(tables: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = tables.get(name)
    return table if isinstance(table, dict) else {}


def _setup_call(text: str) -> Mapping[str, object]:
    """The arguments of `setup(...)` that are written out."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = dict[str, object]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setup"):
            found |= {word.arg: _value(word.value) for word in node.keywords if word.arg}
    return found


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return ""


def _packages(name: str, files: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """`src` first; the one that is called like the project first."""
    for folder in ("src", ".", "lib", "python"):
        found = [one for one in _tops(folder, files) if one.casefold() not in _NO_PROJECT]
        wanted = re.sub(r"[-.]", "_", name).casefold()
        ordered = sorted(found, key=lambda one: (one.casefold() != wanted, one))
        if ordered:
            return folder, tuple(ordered)
    single = f"{re.sub(r'[-.]', '_', name)}.py"
    return ".", (single.removesuffix(".py"),) if name and single in files else ()


def _tops(folder: str, files: Iterable[str]) -> list[str]:
    start = "" if folder == "." else f"{folder}/"
    inits = (name.removeprefix(start) for name in files if name.startswith(start))
    parts = (name.split("/") for name in inits if name.endswith("/__init__.py"))
    return sorted({names[0] for names in parts if len(names) == 2 and names[0].isidentifier()})
