"""Small things: how long a module and a function may be, how wide a class, how deep a family."""

import ast
from collections.abc import Iterator

import pytest
from check_rows import table_of

pytestmark = pytest.mark.check

MODULE_LINES = 600
FUNCTION_LINES = 50
METHODS = 15
LEVELS = 1  # of our own inheritance

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _over_budget(module: str, source: str) -> Iterator[str]:
    if (lines := len(source.splitlines())) > MODULE_LINES:
        yield f"{module} has {lines} lines of {MODULE_LINES}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function) and (lines := _lines(node)) > FUNCTION_LINES:
            yield f"{module}:{node.lineno} {node.name} has {lines} lines of {FUNCTION_LINES}"
        if isinstance(node, ast.ClassDef) and (methods := _methods(node)) > METHODS:
            yield f"{module}:{node.lineno} {node.name} has {methods} methods of {METHODS}"


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _methods(node: ast.ClassDef) -> int:
    return sum(isinstance(child, Function) for child in node.body)


def _parents(sources: dict[str, str]) -> dict[str, set[str]]:
    """Classes by their bare names: two of one name count as one family."""
    found: dict[str, set[str]] = {}
    for source in sources.values():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases}
                found.setdefault(node.name, set()).update(bases - {node.name})
    return found


def _levels(name: str, parents: dict[str, set[str]]) -> int:
    ours = parents[name] & parents.keys()
    return max((1 + _levels(parent, parents) for parent in ours), default=0)


def _too_deep(sources: dict[str, str]) -> list[str]:
    parents = _parents(sources)
    return [name for name in parents if _levels(name, parents) > LEVELS]


def test_every_module_is_within_budget(sources: dict[str, str]) -> None:
    assert [line for module in sources for line in _over_budget(module, sources[module])] == []


def test_no_family_is_deep(sources: dict[str, str]) -> None:
    assert _too_deep(sources) == []


@table_of(
    ("source", "expected"),
    [
        ("\n" * 600, []),
        ("\n" * 601, ["m has 601 lines of 600"]),
        ("@x\ndef f():" + "\n    0" * 49, []),
        ("def f():" + "\n 0" * 50, ["m:1 f has 51 lines of 50"]),
        ("class C:" + "\n def f(): 0" * 15, []),
        ("class C:" + "\n def f(): 0" * 16, ["m:1 C has 16 methods of 15"]),
    ],
)
def test_counts(source: str, expected: list[str]) -> None:
    assert list(_over_budget("m", source)) == expected


def test_sees_a_grandchild_in_another_module() -> None:
    sources = {"a": "class A(ValueError): 0\nclass B(A): 0", "b": "import a\nclass C(a.B): 0"}
    assert _too_deep(sources) == ["C"]
