"""Small changes of a module's functions, and a sample of them that outlives edits elsewhere."""

import ast
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

COMPARISONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    module: str  # "react_agent.parsers.turn.turn"
    function: str  # "Turn.text"
    line: str  # as it reads before the change, without its indentation
    operator: str
    becomes: str  # what replaces the bytes from `begin` to `end` of the module
    begin: int
    end: int
    lines: range  # those of the changed expression or statement

    def apply(self, source: str) -> str:
        text = source.encode()
        return (text[: self.begin] + self.becomes.encode() + text[self.end :]).decode()

    @property
    def place(self) -> tuple[str, ...]:
        """The same wherever the module moves to, and whatever changes around the line."""
        return self.module.rpartition(".")[2], self.function, self.line


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """One mutant for each of `size` lines: those whose hash is lowest.

    A line that stays has the same hash in another version of the code, so it is chosen again.
    """

    def rank(*words: object) -> bytes:
        return hashlib.sha256(repr((seed, *words)).encode()).digest()

    of_line = dict[tuple[str, tuple[str, ...]], Mutant]()
    for mutant in sorted(mutants, key=lambda one: rank(one.place, one.operator, one.becomes)):
        of_line.setdefault((mutant.module, mutant.place), mutant)
    return sorted(of_line.values(), key=lambda one: rank(one.place))[:size]


def find_mutants(module: str, source: str) -> Iterator[Mutant]:
    lines = source.encode().splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    for function, node in _code(ast.parse(source).body, "", is_function=False):
        for operator, target, becomes in _changes(node):
            first, last = target.lineno, target.end_lineno or target.lineno
            yield Mutant(
                module,
                function,
                lines[first - 1].decode().strip(),
                operator,
                becomes,
                starts[first - 1] + target.col_offset,
                starts[last - 1] + (target.end_col_offset or 0),
                range(first, last + 1),
            )


def _code(
    nodes: Iterable[ast.AST], scope: str, *, is_function: bool
) -> Iterator[tuple[str, ast.AST]]:
    """Every statement and expression in the body of a function, with the function's name."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{scope}.{node.name}".lstrip(".")
            inside = is_function or not isinstance(node, ast.ClassDef)
            yield from _code(node.body, name, is_function=inside)
        elif not _is_docstring(node) and not isinstance(node, ast.JoinedStr):
            # Parts of an f-string have no reliable positions before Python 3.12.
            if is_function:
                yield scope, node
            yield from _code(_parts(node), scope, is_function=is_function)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
    return (child for child in ast.iter_child_nodes(node) if child is not annotation)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        negated = ast.unparse(ast.UnaryOp(ast.Not(), node.test))
        yield "negate condition", node.test, f"({negated})"
    if isinstance(node, ast.expr):
        yield from ((operator, node, text) for operator, text in _expressions(node))
    if isinstance(node, ast.stmt):
        yield from ((operator, node, text) for operator, text in _statements(node))


def _expressions(node: ast.expr) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Compare(left, [first, *others], right) if type(first) in COMPARISONS:
            swapped = ast.Compare(left, [COMPARISONS[type(first)](), *others], right)
            yield "swap comparison", f"({ast.unparse(swapped)})"
        case ast.BoolOp(operator, values):
            swapped = ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield "swap and, or", f"({ast.unparse(swapped)})"
        case ast.UnaryOp(ast.Not(), operand):
            yield "drop not", f"({ast.unparse(operand)})"
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            swapped = ast.BinOp(left, ARITHMETIC[type(operator)](), right)
            yield "swap arithmetic", f"({ast.unparse(swapped)})"
        case ast.Constant(bool(value)):
            yield "change constant", repr(not value)
        case ast.Constant(int(value)):
            yield "change constant", repr(value + 1)
        case ast.Constant(str(value)):
            yield "change constant", repr("" if value else "mutant")


def _statements(node: ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
            yield "return None", "return None"
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "drop statement", "pass"
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "drop statement", "pass"
        case ast.Break():
            yield "break to continue", "continue"
        case ast.Continue():
            yield "continue to break", "break"
