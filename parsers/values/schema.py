"""Read the input of a tool whose arguments have a JSON schema, and describe the schema in words.

input = (name ":" value NEWLINE)* | JSON object
value = the text | whole number | number | yes or no | list, between commas or as JSON | JSON

A value is read according to its type in the schema. A text that fits none of its types is refused.
The schema comes from a third party. If a part of it is not understood, that part allows any value,
and the server makes the final decision.
"""

import math
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from react_agent.parsers.settings.errors import did_you_mean, yes_or_no
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.values.arguments import (
    Argument,
    Unreadable,
    folded_key,
    left_out,
    read_arguments,
    unquoted,
)
from react_agent.parsers.values.damaged_json import insists_on_json, read_json

Schema = Mapping[str, Any]

_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "array": "a list, between commas",
    "object": "a JSON object",
}
_DEEPEST = 6  # references and alternatives in each other
_MOST = 30  # alternatives: of references to references, there may be any number
_ARRAYS = 2  # in each other, written between commas
_MOST_ABOUT = 80  # characters about an argument
_LISTED = 12  # values of an enumeration


def in_words(schema: object) -> str:
    """Return a description of the arguments on one line, for the model."""
    root = _mapping(schema)
    needed = _required(root)
    parts = [
        f"{name}: {_value_in_words(one, root)}{'' if name in needed else ' (optional)'}"
        for name, one in _properties(root).items()
    ]
    return one_line(f"input, one per line: {'; '.join(parts)}") if parts else "no input"


def read_input(text: str, schema: object) -> dict[str, Any] | Unreadable:
    root = _mapping(schema)
    names = _properties(root)
    is_object = insists_on_json(text)
    table = {
        name: Argument(
            {folded_key(name)}, partial(_read, one, root, is_exact=is_object), begins=True
        )
        for name, one in names.items()
    }
    said = f"The arguments: {in_words(schema)}."
    requests = read_arguments(text, [*table.values()])
    if requests == () and text.strip():  # a value may go on in the next line
        requests = read_arguments(text, [*table.values()], of_lines=True)
    if isinstance(requests, Unreadable):
        return Unreadable(f"{requests.reason}. {said}")
    if len(requests) > 1 or (text.strip() and not requests):
        return Unreadable(f"The input is not `name: value` lines. {said}")
    by_key = {folded_key(name): name for name in names}
    for name in left_out(requests):
        known = by_key.get(folded_key(name))
        what = f"must be {_value_in_words(names[known], root)}" if known else "is no argument"
        return Unreadable(
            f"{known or name} {what}{'' if known else did_you_mean(name, names)}. {said}"
        )
    given = {
        name: found[0]
        for request in requests
        for name, one in table.items()
        if (found := request.all(one))
    }
    missing = [name for name in _required(root) if name not in given]
    return Unreadable(f"{missing[0]} is missing. {said}") if missing else given


def _read(
    schema: object, root: Schema, value: object, arrays: int = _ARRAYS, *, is_exact: bool = False
) -> tuple[Any] | None:
    """Return the value with the type from its schema, in a tuple, or None if no type fits.

    If `is_exact` is set, a text stays as it is, unless it must be one of certain values.
    """
    for one in islice(_choices(schema, root), _MOST):
        allowed = one.get("enum")
        read = _as_type(one, root, value, arrays)
        if read and isinstance(allowed, list):
            if read[0] in allowed:
                return read
        elif read:
            return (value,) if is_exact and isinstance(read[0], str) else read
    return None


def _as_type(schema: Schema, root: Schema, value: object, arrays: int) -> tuple[Any] | None:
    kind = schema.get("type")
    if not isinstance(value, str):
        kinds = {"integer": int, "number": (int, float), "boolean": bool, "array": list}
        is_wrong = kind == "string" or (isinstance(value, bool) and kind in ("integer", "number"))
        fits = isinstance(value, kinds.get(str(kind), object))  # type: ignore[arg-type]
        return (value,) if fits and not is_wrong else None
    text = unquoted(value.strip())
    try:
        match kind:
            case "integer":
                return (int(text),)
            case "number":
                number = float(text)
                return (number,) if math.isfinite(number) else None
            case "boolean":
                return (yes_or_no(text),)
            case "array" if arrays and not text.startswith("["):
                members = text.replace("\n", ",").split(",")
                inner = partial(_read, schema.get("items", {}), root, arrays=arrays - 1)
                read = [inner(one) for one in members if one.strip()]
                return None if None in read else ([one[0] for one in read if one],)
            case "array" | "object":
                found = read_json(text)
                return (found,) if isinstance(found, list if kind == "array" else dict) else None
            case "null":
                return (None,) if text in ("", "null", "none") else None
            case _:
                return (text,)
    except (ValueError, RecursionError):
        return None


def _value_in_words(schema: object, root: Schema) -> str:
    words = dict[str, None]()
    for one in islice(_choices(schema, root), _MOST):
        allowed = one.get("enum")
        if isinstance(allowed, list):
            shown = [str(value) for value in allowed[:_LISTED]]
            words[f"one of {', '.join(shown)}{', ...' if allowed[_LISTED:] else ''}"] = None
        elif one.get("type") != "null":
            words[_WORDS.get(str(one.get("type")), "a value")] = None
    about = " ".join(str(_mapping(schema).get("description", "")).split())[:_MOST_ABOUT]
    return f"{' or '.join(words) or 'nothing'}{f', {about}' if about else ''}"


def _choices(schema: object, root: Schema, deep: int = _DEEPEST) -> Iterator[Schema]:
    """Yield the alternative schemas for a value, each with a single type."""
    found = _mapping(schema)
    reference = found.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/") and deep:
        there: object = root
        for step in reference[2:].split("/"):
            there = _mapping(there).get(step)
        yield from _choices(there, root, deep - 1)
        return
    others = next((found[name] for name in ("anyOf", "oneOf") if name in found), None)
    if isinstance(others, list) and others and deep:
        for one in others:
            yield from _choices(one, root, deep - 1)
    elif isinstance(found.get("type"), list) and found["type"]:
        yield from ({**found, "type": kind} for kind in found["type"])
    else:
        yield found


def _properties(root: Schema) -> dict[str, object]:
    return {str(name): one for name, one in _mapping(root.get("properties")).items()}


def _mapping(value: object) -> Schema:
    return value if isinstance(value, dict) else {}


def _required(root: Schema) -> list[str]:
    found = root.get("required")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
