"""tests/scenarios/readers: what functions give for texts, a table a subject.

table   = comment* section*
section = "== " function ": " sentence NEWLINE row*
row     = [name ": "] arguments " => " value NEWLINE, which may go on in indented lines

Arguments are literals of Python, or `'x' * 99`. A value is written as Python writes it, without the
fields of an object that have their default. What is raised is a value, too.
"""

import ast
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[1] / "scenarios" / "readers"
_NAMED = re.compile(r"(?!['\"(\[{])(.+?): ")


class ReaderRow(NamedTuple):
    function: str
    arguments: tuple[Any, ...]
    value: str  # in the shape of `normal`

    def check(self, functions: Mapping[str, Callable[..., object]]) -> None:
        found = normal(shown(_called(functions[self.function], self.arguments)))
        assert found == self.value, f"{found} is not {self.value}"


def _called(function: Callable[..., object], arguments: tuple[Any, ...]) -> object:
    try:
        return function(*arguments)
    except ValueError as error:
        return error


def read_rows(path: Path) -> Iterator[tuple[str, ReaderRow]]:
    """The rows, each with the sentence of its section and its name."""
    function = sentence = ""
    for line in re.sub(r"\n +", " ", path.read_text(encoding="utf-8")).split("\n"):
        if line.startswith("== "):
            function, _, sentence = line[3:].partition(": ")
        elif line and not line.startswith("#"):
            named = _NAMED.match(line)
            rest = line[named.end() :] if named else line
            arguments, value = _parted(rest)
            name = named[1] if named else rest
            yield f"{sentence}: {name}", ReaderRow(function, arguments, value)


def _parted(text: str) -> tuple[tuple[Any, ...], str]:
    """At the first arrow that has an expression on both sides: there may be others in texts."""
    for arrow in re.finditer(" => ", text):
        try:
            return tuple(eval(f"[{text[: arrow.start()]}]", {})), normal(text[arrow.end() :])
        except SyntaxError:
            continue
    raise AssertionError(f"expected ARGUMENTS => VALUE, found {text!r}")


def normal(value: str) -> str:
    """Without spaces and ends of lines that mean nothing."""
    return ast.unparse(ast.parse(value.strip(), mode="eval"))


def shown(value: object) -> str:
    match value:
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case BaseException():
            return f"{type(value).__name__}({str(value)!r})"
        case Mapping():
            return f"{{{', '.join(f'{shown(key)}: {shown(one)}' for key, one in value.items())}}}"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case tuple() if hasattr(value, "_fields"):
            return _built(value, value._fields, value._field_defaults)
        case tuple():
            return f"({''.join(f'{shown(one)}, ' for one in value)})" if value else "()"
        case _ if dataclasses.is_dataclass(value):
            fields = [one for one in dataclasses.fields(value) if one.init]
            return _built(value, [one.name for one in fields], dict(_defaults(fields)))
    return repr(value)


def _defaults(fields: list[dataclasses.Field[Any]]) -> Iterator[tuple[str, object]]:
    for one in fields:
        if one.default is not dataclasses.MISSING:
            yield one.name, one.default
        elif one.default_factory is not dataclasses.MISSING:
            yield one.name, one.default_factory()


def _built(value: object, names: Any, defaults: Mapping[str, object]) -> str:
    """Without fields that have their default; those behind such a field have their names."""
    parts, is_left_out = list[str](), False
    for name in names:
        field = getattr(value, name)
        if name in defaults and defaults[name] == field:
            is_left_out = True
        else:
            parts.append(f"{name}={shown(field)}" if is_left_out else shown(field))
    return f"{type(value).__name__}({', '.join(parts)})"
