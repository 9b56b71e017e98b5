"""Read the input of the textbook's two example tools: a sum, and a plain-text file of facts.

sum   = a Python expression of numbers, brackets, sqrt(), the operators + - * / // % **, and `^` for
        a power
file  = (comment | entry | empty line)*
entry = title ("|" title)* NEWLINE line*     ended by an empty line

Whole numbers are exact. Powers and texts are limited in size to bound the running time.
"""

import ast
import math
import operator
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from react_agent.parsers.settings.errors import ParseError

Number = int | float

_MOST_CHARS, _SHOWN = 1_000, 60
_MOST_BITS = 10_000  # of a whole number: about 3000 digits
_OTHER_SIGNS = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "√": "sqrt"}
_A_SUM = "expected a sum such as 2 * (3 + 4)"
_TOO_LARGE = "the result is too large for a number"


def calculated(text: str) -> Number:
    """Return the value of a sum. Raises ParseError."""
    text = text.strip().rstrip("=? ").casefold()
    for sign, plain in _OTHER_SIGNS.items():
        text = text.replace(sign, plain)
    if len(text) > _MOST_CHARS:
        raise ParseError(f"expected at most {_MOST_CHARS} characters, found {len(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns about `1and`
            tree = ast.parse(text, mode="eval")
        return _value(tree.body)
    except (SyntaxError, UnicodeError, RecursionError, MemoryError):  # the last two: too deep
        raise ParseError(f"{_A_SUM}, found {text[:_SHOWN]!r}") from None
    except ZeroDivisionError:
        raise ParseError("division by zero") from None
    except OverflowError:
        raise ParseError(_TOO_LARGE) from None


def written(value: Number) -> str:
    """Return the number as text. A whole number has no decimal point; others have all digits."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value) if is_whole else value)


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value):
            return _bounded(value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            value = _value(operand)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left, sign, right) if operation := _OPERATORS.get(type(sign)):
            return _bounded(operation(_value(left), _value(right)))
        case ast.Call(ast.Name("sqrt"), [operand], []):
            if (value := _value(operand)) < 0:
                raise ParseError(f"sqrt({written(value)}) is not a number")
            return math.sqrt(value)
        case _:
            raise ParseError(f"{_A_SUM}, found {ast.unparse(node)[:_SHOWN]!r}")


def _bounded(value: Number) -> Number:
    if isinstance(value, complex):
        raise ParseError("a negative number can't be raised to this power")
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise ParseError(f"a whole number of more than {_MOST_BITS} bits is not computed")
    if not math.isfinite(value):
        raise ParseError(_TOO_LARGE)
    return value


def _power(value: Number, exponent: Number) -> Number:
    is_whole = isinstance(value, int) and isinstance(exponent, int) and abs(value) > 1
    if is_whole and int(value).bit_length() * exponent > _MOST_BITS:
        raise ParseError(f"a power of more than {_MOST_BITS} bits is not computed")
    raised: Number = operator.pow(value, exponent)
    return raised


_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}

_SMALL_WORDS = """
    a about an and are as at be by did do does for from had has have how in is it its me of on or s
    tell that the their there this to was were what when where which who whom whose why will with
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_OF_A_TITLE = 3  # a word of a title counts this many times a word of the text


@dataclass(frozen=True, slots=True)
class Entry:
    titles: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        return self.titles[0]


def read_fact_file(text: str) -> tuple[Entry, ...]:
    lines = (line.strip() for line in text.split("\n") if not line.startswith("#"))
    found = list[Entry]()
    for part in re.split(r"\n{2,}", "\n".join(lines).strip("\n")):
        first, _, rest = part.partition("\n")
        if titles := tuple(filter(None, map(str.strip, first.split("|")))):
            found.append(Entry(titles, rest))
    return tuple(found)


def nearest(question: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries about the question, the best first. The shorter title breaks a tie."""
    asked, found = set(_terms(question)), list[tuple[float, Entry]]()
    for entry in entries:
        titles = [set(_terms(one)) for one in entry.titles]
        title, text = set[str]().union(*titles), set(_terms(entry.text))
        score = _OF_A_TITLE * len(asked & title) + len(asked & text - title) - len(title) / 100
        if any(one and one <= asked for one in titles) or score > len(asked) / 2:
            found.append((score, entry))
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def _terms(text: str) -> Iterator[str]:
    """Yield the words of a text without accents, which are rarely typed, and without a plural s."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    for word in re.findall(r"\w+", plain):
        if word not in _SMALL:
            yield word.removesuffix("s") if len(word) > len("its") else word
