"""A line of arithmetic, and its result.

sum = a Python expression of numbers, brackets, the operators + - * / // % **, `^` for a power,
      and the functions and constants below in any case

Whole numbers are exact. Powers, factorials and texts are bounded, so that nothing takes long.
"""

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable

from react_agent.parsers.settings.errors import ParseError

Number = int | float

_MOST_CHARS, _SHOWN = 1_000, 60
_MOST_BITS = 10_000  # of a whole number: about 3000 digits
_MOST_FACTORIAL = 1_000
_MOST_DIGITS = 300
_OTHER_SIGNS = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "π": "pi", "√": "sqrt"}
_UNKNOWN = re.compile(r"[^\w\s.+*/%(),-]")
_LEADING_ZEROS = re.compile(r"(?<![\w.])0+(?=\d)")
_A_SUM = "expected a sum such as 2 * (3 + 4)"


class Undefined(ValueError):
    """The text is valid arithmetic, but has no result that is a number."""


def calculated(text: str) -> Number:
    """Raises ParseError and Undefined."""
    text = text.strip().rstrip("=? ").casefold()
    for sign, plain in _OTHER_SIGNS.items():
        text = text.replace(sign, plain)
    if len(text) > _MOST_CHARS:
        raise ParseError(f"expected at most {_MOST_CHARS} characters, found {len(text)}")
    if unknown := _UNKNOWN.search(text):
        raise ParseError(f"expected a number, a name or an operator, found {unknown[0]!r}")
    text = _LEADING_ZEROS.sub("", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python, about `1and`
            tree = ast.parse(text, mode="eval")
        return _value(tree.body)
    except (SyntaxError, RecursionError, MemoryError):  # the last two: nested too deep
        raise ParseError(f"{_A_SUM}, found {text[:_SHOWN]!r}") from None
    except ZeroDivisionError:
        raise Undefined("that divides by zero") from None
    except OverflowError:
        raise Undefined("the result is too large for a number") from None


def written(value: Number) -> str:
    """Whole numbers without a point, others with all of their digits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value):
            return _bounded(value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            value = _value(operand)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left, sign, right) if operation := _OPERATORS.get(type(sign)):
            return _bounded(operation(_value(left), _value(right)))
        case ast.Call(ast.Name(name), arguments, []) if name in _FUNCTIONS:
            return _called(name, [_value(one) for one in arguments])
        case ast.Name(name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.Name(name) | ast.Call(ast.Name(name)) if name not in _FUNCTIONS:
            known = ", ".join((*_FUNCTIONS, *_CONSTANTS))
            raise ParseError(f"expected one of {known}, found {name!r}")
        case _:
            raise ParseError(f"{_A_SUM}, found {ast.unparse(node)[:_SHOWN]!r}")


def _called(name: str, given: list[Number]) -> Number:
    try:
        return _bounded(_FUNCTIONS[name](*given))
    except TypeError:
        raise ParseError(f"{name} does not take {len(given)} numbers") from None
    except Undefined:
        raise
    except ValueError:
        raise Undefined(f"{name}({', '.join(map(written, given))}) is no number") from None


def _bounded(value: Number) -> Number:
    if isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise Undefined(f"a whole number of more than {_MOST_BITS} bits is not worked out")
    elif not math.isfinite(value):
        raise Undefined("the result is too large for a number")
    return value


def _power(value: Number, exponent: Number) -> Number:
    if isinstance(value, int) and isinstance(exponent, int) and exponent >= 0:
        if value.bit_length() * exponent > _MOST_BITS and abs(value) > 1:
            raise Undefined(f"a power of more than {_MOST_BITS} bits is not worked out")
        return int(value**exponent)
    if value < 0 and isinstance(exponent, float) and not exponent.is_integer():
        raise Undefined("a negative number has no such power")
    return float(value) ** exponent


def _factorial(value: Number) -> int:
    if not isinstance(value, int) or not 0 <= value <= _MOST_FACTORIAL:
        raise ValueError
    return math.factorial(value)


def _rounded(value: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > _MOST_DIGITS:
        raise ValueError
    return round(value, digits)


_CONSTANTS = {"pi": math.pi, "e": math.e}
_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_MATH = ("sqrt", "log", "log2", "log10", "exp", "sin", "cos", "tan", "floor", "ceil")
_FUNCTIONS: dict[str, Callable[..., Number]] = {
    **{name: getattr(math, name) for name in _MATH},
    "ln": math.log,
    "abs": abs,
    "round": _rounded,
    "factorial": _factorial,
    "min": lambda *given: min(given),
    "max": lambda *given: max(given),
}
