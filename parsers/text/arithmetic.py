"""A line of arithmetic, and what it comes to.

sum     = product (("+" | "-") product)*
product = signed (("*" | "/" | "//" | "%") signed)*
signed  = ("+" | "-") signed | power
power   = atom (("^" | "**") signed)?
atom    = number | constant | function "(" sum ("," sum)* ")" | "(" sum ")"

Whole numbers are exact; a power, a factorial and a text are bounded, so that nothing takes long.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from react_agent.parsers.settings.errors import ParseError

Number = int | float

_MOST_CHARS = 1_000
_MOST_DEEP = 50
_MOST_BITS = 10_000  # of a whole number: about 3000 digits
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[a-zA-Z_]\w*)|(?P<sign>\*\*|//|[-+*/%^(),]))"
)
_WRITTEN_OTHERWISE = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "π": "pi", "√": "sqrt"}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_END = ""


class Undefined(ValueError):
    """It can be read, and there is no such number."""


@dataclass(slots=True)
class _Cursor:
    """The tokens, and which one is next."""

    tokens: list[str]
    places: list[int]
    at: int = 0
    depth: int = 0

    @property
    def next(self) -> str:
        return self.tokens[self.at]

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def take_if(self, *signs: str) -> str:
        return self.take() if self.next in signs else _END

    def expect(self, sign: str) -> None:
        if not self.take_if(sign):
            raise self.error(f"`{sign}`")

    def error(self, expected: str) -> ParseError:
        found = f"'{self.next}'" if self.next else "the end"
        return ParseError(f"character {self.places[self.at]}: expected {expected}, found {found}")


def calculated(text: str) -> Number:
    """Raises ParseError and Undefined."""
    cursor = _tokens(text)
    try:
        value = _sum(cursor)
    except ZeroDivisionError:
        raise Undefined("that divides by zero") from None
    except OverflowError:
        raise Undefined("the result is too large for a number") from None
    if cursor.next:
        raise cursor.error("an operator or the end")
    return value


def written(value: Number) -> str:
    """Whole numbers without a point, others with all of their digits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _tokens(text: str) -> _Cursor:
    text = text.strip().rstrip("=? ")
    for character, plain in _WRITTEN_OTHERWISE.items():
        text = text.replace(character, plain)
    if len(text) > _MOST_CHARS:
        raise ParseError(f"expected at most {_MOST_CHARS} characters, found {len(text)}")
    text = text.rstrip()
    cursor, at = _Cursor([], []), 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            place = at + len(text[at:]) - len(text[at:].lstrip())
            raise ParseError(
                f"character {place + 1}: expected a number, a name or an operator, "
                f"found {text[place]!r}"
            )
        cursor.tokens.append(found[0].strip())
        cursor.places.append(found.end() - len(found[0].strip()) + 1)
        at = found.end()
    cursor.tokens.append(_END)
    cursor.places.append(len(text) + 1)
    return cursor


def _sum(cursor: _Cursor) -> Number:
    value = _product(cursor)
    while sign := cursor.take_if("+", "-"):
        other = _product(cursor)
        value = _bounded(value + other if sign == "+" else value - other)
    return value


def _product(cursor: _Cursor) -> Number:
    value = _signed(cursor)
    while sign := cursor.take_if("*", "/", "//", "%"):
        value = _bounded(_PRODUCTS[sign](value, _signed(cursor)))
    return value


def _signed(cursor: _Cursor) -> Number:
    sign = cursor.take_if("+", "-")
    if not sign:
        return _power(cursor)
    value = _nested(cursor, _signed)
    return -value if sign == "-" else value


def _power(cursor: _Cursor) -> Number:
    value = _atom(cursor)
    if not cursor.take_if("^", "**"):
        return value
    return _raised(value, _nested(cursor, _signed))


def _atom(cursor: _Cursor) -> Number:
    if cursor.take_if("("):
        value = _nested(cursor, _sum)
        cursor.expect(")")
        return value
    if cursor.next[:1].isdigit() or cursor.next[:1] == ".":
        return _number(cursor.take())
    name = cursor.next.casefold()
    if name in _FUNCTIONS:
        cursor.take()
        return _called(name, cursor)
    if name in _CONSTANTS:
        cursor.take()
        return _CONSTANTS[name]
    if name.isidentifier():
        raise cursor.error(f"one of {', '.join((*_FUNCTIONS, *_CONSTANTS))}")
    raise cursor.error("a number")


def _nested(cursor: _Cursor, rule: Callable[[_Cursor], Number]) -> Number:
    cursor.depth += 1
    if cursor.depth > _MOST_DEEP:
        raise ParseError(f"expected at most {_MOST_DEEP} levels of brackets and signs")
    value = rule(cursor)
    cursor.depth -= 1
    return value


def _called(name: str, cursor: _Cursor) -> Number:
    cursor.expect("(")
    given = [_nested(cursor, _sum)]
    while cursor.take_if(","):
        given.append(_nested(cursor, _sum))
    cursor.expect(")")
    function, counts = _FUNCTIONS[name]
    if len(given) not in counts:
        wanted = " or ".join(map(str, counts)) if len(counts) <= len("ab") else "one or more"
        raise ParseError(f"{name} takes {wanted} numbers, found {len(given)}")
    try:
        return _bounded(function(*given))
    except (ValueError, TypeError):
        shown = ", ".join(map(written, given))
        raise Undefined(f"{name}({shown}) is no number") from None


def _number(text: str) -> Number:
    plain = text.replace("_", "")
    value = int(plain) if plain.isdecimal() else float(plain)
    return _bounded(value)


def _raised(value: Number, exponent: Number) -> Number:
    if isinstance(value, int) and isinstance(exponent, int) and exponent >= 0:
        if value.bit_length() * exponent > _MOST_BITS and abs(value) > 1:
            raise Undefined(f"a power of more than {_MOST_BITS} bits is not worked out")
        return int(value**exponent)
    if value < 0 and isinstance(exponent, float) and not exponent.is_integer():
        raise Undefined("a negative number has no such power")
    return _bounded(float(value) ** exponent)


def _bounded(value: Number) -> Number:
    if isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise Undefined(f"a whole number of more than {_MOST_BITS} bits is not worked out")
    elif not math.isfinite(value):
        raise Undefined("the result is too large for a number")
    return value


def _factorial(value: Number) -> int:
    if not isinstance(value, int) or not 0 <= value <= _MOST_FACTORIAL:
        raise ValueError
    return math.factorial(value)


def _rounded(value: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > _MOST_DIGITS:
        raise ValueError
    return round(value, digits)


_MOST_FACTORIAL = 1_000
_MOST_DIGITS = 300
_PRODUCTS: Mapping[str, Callable[[Number, Number], Number]] = {
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
    "//": lambda one, other: one // other,
    "%": lambda one, other: one % other,
}
_ONE, _ANY = (1,), range(1, _MOST_CHARS)
_FUNCTIONS: Mapping[str, tuple[Callable[..., Number], tuple[int, ...] | range]] = {
    "sqrt": (math.sqrt, _ONE),
    "log": (math.log, (1, 2)),
    "ln": (math.log, _ONE),
    "log2": (math.log2, _ONE),
    "log10": (math.log10, _ONE),
    "exp": (math.exp, _ONE),
    "sin": (math.sin, _ONE),
    "cos": (math.cos, _ONE),
    "tan": (math.tan, _ONE),
    "abs": (abs, _ONE),
    "floor": (math.floor, _ONE),
    "ceil": (math.ceil, _ONE),
    "round": (_rounded, (1, 2)),
    "factorial": (_factorial, _ONE),
    "min": (lambda *given: min(given), _ANY),
    "max": (lambda *given: max(given), _ANY),
}
