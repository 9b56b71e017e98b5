"""The classes and functions of Python source; of broken source, by its lines."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence

from react_agent.parsers.repo.outline import Defined, Outline

_DEFINITION = re.compile(
    r"(?P<indent>[ \t]*)(?P<title>(?:async[ \t]+)?(?:def|class)[ \t]+\w+[^:#\n]{0,200})"
)
_Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_DEEPEST = 20
_TAB = 8


def python_outline(text: str) -> Outline:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of somebody else's `"\d"`
            tree = ast.parse(text)
        return Outline(tuple(_defined(tree, 0)), _first_line(ast.get_docstring(tree) or ""))
    except SyntaxError as error:
        why = f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL; nested too deep
        why = str(error) or type(error).__name__
    note = f"it is not valid Python ({why}): read by its lines, where ends are not known"
    return Outline(tuple(_by_lines(text.split("\n"))), note=note)


def _defined(node: ast.AST, depth: int) -> Iterator[Defined]:
    if depth > _DEEPEST:
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Named):
            yield Defined(_title(child), _start(child), child.end_lineno or child.lineno, depth)
            yield from _defined(child, depth + 1)
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _defined(child, depth)  # behind an `if` or a `try`


def _start(node: _Named) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _title(node: _Named) -> str:
    marks = "".join(f"@{ast.unparse(one).partition('(')[0]} " for one in node.decorator_list)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        return f"{marks}class {node.name}{f'({bases})' if bases else ''}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{marks}{word} {node.name}({', '.join(_arguments(node.args))})"


def _arguments(given: ast.arguments) -> Iterator[str]:
    yield from (one.arg for one in (*given.posonlyargs, *given.args))
    if given.vararg:
        yield f"*{given.vararg.arg}"
    elif given.kwonlyargs:
        yield "*"
    yield from (one.arg for one in given.kwonlyargs)
    if given.kwarg:
        yield f"**{given.kwarg.arg}"


def _by_lines(lines: Sequence[str]) -> Iterator[Defined]:
    around = list[int]()  # the indents of what a line stands in
    for number, line in enumerate(lines, 1):
        found = _DEFINITION.match(line)
        if not found:
            continue
        indent = len(found["indent"].expandtabs(_TAB))
        while around and around[-1] >= indent:
            around.pop()
        yield Defined(" ".join(found["title"].split()), number, number, len(around))
        around.append(indent)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
