"""Put whole Python definitions into a file, in place of those that have the same names.

    code   = (docstring | import | definition | NAME "=" value)*
    result = the file, with each definition and each value replaced that the code has otherwise

What is new is added: an import below the imports, the rest before the definition that follows it in
the code. Nothing is removed, and the file's docstring stays. A method may come without its class.
"""

import ast
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Import = ast.Import | ast.ImportFrom
_LONGEST = 200_000  # characters: no model writes definitions of more


class _Splice(NamedTuple):
    first: int  # lines of the file, counted from 0
    end: int
    lines: list[str]


def defined_in(code: str) -> frozenset[str]:
    """The names of the outermost functions and classes; none if it is no Python."""
    tree = _parsed(textwrap.dedent(code))
    return frozenset(
        one.name for one in (tree.body if tree else ()) if isinstance(one, _Definition)
    )


def with_definitions(code: str, source: str) -> str | None:
    """The same text where nothing is new. None where a name is there several times or not at all,
    where the code has other statements than the file, and where one of them is no Python."""
    code = textwrap.dedent(code)
    new, old = _parsed(code), _parsed(source)
    if new is None or old is None:
        return None
    try:
        splices = list(_File(old, code.split("\n")).splices(new.body))
    except LookupError:
        return None
    lines = source.split("\n")
    for one in sorted(splices, key=lambda one: one[:2], reverse=True):
        lines[one.first : one.end] = one.lines
    text = "\n".join(lines)
    made = _parsed(text)
    return text if made and _meaning(new) <= _meaning(made) else None


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of somebody else's `"\d"`
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _meaning(tree: ast.Module) -> set[str]:
    """Each function, without decorators and docstring: indenting it must not change a string."""
    found = set[str]()
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            body = one.body[_is_docstring(one.body[0]) :]
            found.add(f"{one.name} {ast.unparse(one.args)} {[ast.dump(each) for each in body]}")
    return found


@dataclass(frozen=True, slots=True)
class _File:
    tree: ast.Module
    code: list[str]
    seen: set[str] = field(default_factory=set)  # names in the code so far

    def splices(self, body: Sequence[ast.stmt]) -> Iterator[_Splice]:
        """Raises LookupError where a statement has no place."""
        there = {ast.unparse(one) for one in self.tree.body}
        body = [one for one in body if not _is_docstring(one) and ast.unparse(one) not in there]
        imports = [line for one in body if isinstance(one, _Import) for line in self._written(one)]
        if imports:
            at = self._below_imports()
            yield _Splice(at, at, imports)
        waiting, last = list[str](), None
        for one in body:
            if isinstance(one, _Import):
                continue
            found = self._of_same_name(one)
            if found is None:
                waiting += [*self._written(one), "", ""]
                continue
            yield self._replaced(found, one)
            last = self._outermost(found)
            above = _first(last, decorated=True)
            yield _Splice(above, above, waiting)
            waiting = []
        if waiting:
            if last is None:
                raise LookupError
            below = last.end_lineno or last.lineno
            yield _Splice(below, below, ["", "", *waiting[:-2]])

    def _written(self, one: ast.stmt) -> list[str]:
        return self.code[_first(one, decorated=True) : one.end_lineno]

    def _replaced(self, old: ast.stmt, new: ast.stmt) -> _Splice:
        """Decorators stay where the code has none."""
        decorated = isinstance(new, _Definition) and bool(new.decorator_list)
        indent = " " * old.col_offset
        lines = [f"{indent}{line}" if line.strip() else "" for line in self._written(new)]
        return _Splice(_first(old, decorated=decorated), old.end_lineno or old.lineno, lines)

    def _of_same_name(self, one: ast.stmt) -> ast.stmt | None:
        name = _name(one)
        if not name or name in self.seen:
            raise LookupError
        self.seen.add(name)
        found = [each for each in self.tree.body if _is_named(each) and _name(each) == name]
        if not found and isinstance(one, _Definition):
            inner = (each for each in ast.walk(self.tree) if isinstance(each, _Definition))
            found = [each for each in inner if each.name == name]
        if len(found) > 1:
            raise LookupError
        return found[0] if found else None

    def _outermost(self, inner: ast.stmt) -> ast.stmt:
        return next(
            one for one in self.tree.body if one.lineno <= inner.lineno <= (one.end_lineno or 0)
        )

    def _below_imports(self) -> int:
        """Or below the docstring."""
        above = [
            one.end_lineno or one.lineno
            for at, one in enumerate(self.tree.body)
            if isinstance(one, _Import) or (at == 0 and _is_docstring(one))
        ]
        return max(above, default=0)


def _is_docstring(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)


def _first(one: ast.stmt, *, decorated: bool) -> int:
    marks = one.decorator_list if decorated and isinstance(one, _Definition) else []
    return min([one.lineno, *(mark.lineno for mark in marks)]) - 1


def _is_named(one: ast.stmt) -> bool:
    return isinstance(one, (_Definition, ast.Assign, ast.AnnAssign))


def _name(one: ast.stmt) -> str:
    match one:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            return name
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            return name
        case _:
            return ""
