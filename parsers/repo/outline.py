"""List the definitions in a Python file, with the help of `ast`."""

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from react_agent.parsers.text.gist import clipped

_WIDEST = 100  # characters of a title
_LONGEST = 200_000  # characters of a file
_Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Defined:
    title: str  # `async def read(path)`, `class Reader(Base)`
    first: int
    last: int
    depth: int = 0  # the number of definitions around it


@dataclass(frozen=True, slots=True)
class Outline:
    defined: tuple[Defined, ...]
    about: str = ""  # the first line of the file's docstring
    note: str = ""  # why there is none


def lines_of(defined: Sequence[Defined]) -> list[str]:
    lines = list[str]()
    for one in defined:
        span = f"{one.first}-{one.last}" if one.last > one.first else f"{one.first}"
        lines.append(f"{'  ' * one.depth}{clipped(one.title, _WIDEST)}  {span}")
    return lines


def parse(text: str) -> ast.Module | None:
    """Return the syntax tree, or None if the text is too long or this Python can't parse it."""
    try:
        return _parsed(text) if len(text) <= _LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns about `"\d"` in other people's code
        return ast.parse(text.removeprefix("\ufeff"))  # the byte order mark of some editors


def python_outline(text: str) -> Outline:
    try:
        tree = _parsed(text)
        about = (ast.get_docstring(tree) or "").strip().partition("\n")[0]
        return Outline(tuple(_defined(tree, 0)), about)
    except SyntaxError as error:
        why = f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL; nested too deep
        why = str(error) or type(error).__name__
    return Outline((), note=f"it is not valid Python ({why})")


def first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins: that of its first decorator, if it has any."""
    marks = node.decorator_list if isinstance(node, _Named) else []
    return min([node.lineno, *(mark.lineno for mark in marks)])


def _defined(node: ast.AST, depth: int) -> Iterator[Defined]:
    if depth > _DEEPEST:
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Named):
            last = child.end_lineno or child.lineno
            yield Defined(_title(child), first_line(child), last, depth)
            yield from _defined(child, depth + 1)
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _defined(child, depth)  # inside an `if` or a `try`


def _title(node: _Named) -> str:
    marks = "".join(f"@{ast.unparse(one).partition('(')[0]} " for one in node.decorator_list)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        return f"{marks}class {node.name}{f'({bases})' if bases else ''}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{marks}{word} {node.name}({_arguments(node.args)})"


def _arguments(given: ast.arguments) -> str:
    """Return the arguments without annotations and defaults."""
    alone = (one for one in (given.vararg, given.kwarg) if one)
    for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *alone):
        one.annotation = None
    given.defaults, given.kw_defaults = [], [None] * len(given.kwonlyargs)
    return ast.unparse(given)
