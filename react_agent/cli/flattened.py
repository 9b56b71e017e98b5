"""Options that several commands take, as one parameter: typer sees each field of it."""

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from inspect import Parameter
from typing import Any


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; a parameter whose type is a dataclass stands for the fields of that."""
    groups: dict[str, Any] = {
        one.name: one.annotation
        for one in inspect.signature(command).parameters.values()
        if is_dataclass(one.annotation)
    }
    flat = list(_flat(inspect.signature(command)))

    @functools.wraps(command)
    def called(**given: Any) -> Any:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        return command(**given, **made)

    called.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in flat}
    return called


def _flat(signature: inspect.Signature) -> Iterator[Parameter]:
    kind = Parameter.KEYWORD_ONLY  # so that one without a default may follow
    for one in signature.parameters.values():
        if is_dataclass(one.annotation):
            for field in fields(one.annotation):
                yield Parameter(field.name, kind, default=field.default, annotation=field.type)
        else:
            yield one.replace(kind=kind)
