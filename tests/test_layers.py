"""Imports point down, and an SDK costs only those who use it."""

import ast
import configparser
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.shell import process

pytestmark = pytest.mark.check

FLOORS = {"react_agent.parsers": 0, "react_agent.tools": 1, "react_agent": 2, "react_agent.eval": 3}
SDKS = ("anthropic", "openai", "github", "gitlab")


def _floor(module: str) -> int:
    return FLOORS.get(".".join(module.split(".")[:2]), FLOORS["react_agent"])


def _objection(module: str, imported: str, at_start: bool) -> str | None:
    root = imported.split(".")[0]
    if f"react_agent.{root}" in FLOORS:
        return f"say react_agent.{root}"
    if root == "react_agent" and _floor(imported) > _floor(module):
        return "that is a floor up"
    of_an_sdk = module.startswith(tuple(f"react_agent.models.{sdk}" for sdk in SDKS))
    if root in SDKS and at_start and not of_an_sdk:
        return "import it in the function that needs it"
    return None


def _imports(tree: ast.AST, at_start: bool = True) -> Iterator[tuple[int, str, bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, at_start) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{a.name}", at_start) for a in node.names)
        else:
            yield from _imports(node, at_start and not _is_run_later(node))


def _is_run_later(node: ast.AST) -> bool:
    only_for_types = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    return only_for_types or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _objections(module: str, source: str) -> list[str]:
    return [
        f"{module}:{line} imports {imported}: {objection}"
        for line, imported, at_start in _imports(ast.parse(source))
        if (objection := _objection(module, imported, at_start))
    ]


def test_imports_point_down(sources: dict[str, str]) -> None:
    assert [line for module in sources for line in _objections(module, sources[module])] == []


@table_of(
    ("module", "source", "expected"),
    {
        "up": ("parsers.turn", "from react_agent.tools import errors", "a floor up"),
        "up, by its parent": ("cli.main", "from react_agent import eval", "a floor up"),
        "folder": ("tools.grep", "from tools import errors", "say react_agent.tools"),
        "SDK": ("models.view", "import openai.types", "in the function"),
        "SDK, try": ("cli.main", "try:\n import anthropic\nfinally: 0", "in the function"),
        "down": ("eval.run", "from react_agent.loop import run", ""),
        "SDK in a function": ("models.choose", "def f():\n import openai", ""),
        "SDK for its types": ("models.view", "if TYPE_CHECKING:\n import openai", ""),
    },
)
def test_objects_to(module: str, source: str, expected: str) -> None:
    objections = _objections(f"react_agent.{module}", source)
    assert expected in "".join(objections)
    assert len(objections) == bool(expected)


@pytest.mark.parametrize(
    ("module", "above"),
    [
        ("react_agent.state.state", ("cli", "forges", "issue_to_pr", "models", "runs")),
        ("react_agent.api", ("cli",)),
    ],
)
def test_a_module_imports_nothing_of_these_folders(module: str, above: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = process.run(
        [sys.executable, "-P", "-c", code], cwd=Path("/"), env=os.environ, timeout_s=60
    )
    names = loaded.output.decode().split()
    assert module in names
    assert [
        name for name in names if name.startswith(tuple(f"react_agent.{a}." for a in above))
    ] == []


@pytest.mark.checkout
def test_every_top_folder_has_a_floor() -> None:
    root = Path(__file__).parents[1]
    settings = configparser.ConfigParser()
    settings.read(root / "setup.cfg", encoding="utf-8")
    mapping = settings["options"]["package_dir"].strip().splitlines()
    packages, folders = zip(*(line.split(" = ") for line in mapping), strict=True)
    assert set(packages) == set(FLOORS)
    assert {path.parent.name for path in root.glob("*/*.py")} == {*folders, "tests", "examples"}
