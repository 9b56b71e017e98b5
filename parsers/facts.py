"""`%% turn: n=3 in=1234 paths=src/a.py,src/b.py`: small named values on one line.

Spaces, commas inside a list, line ends and `%` are written as `%20`, `%2C`, `%0A`, `%25`.
"""

from collections.abc import Iterable, Mapping

_ESCAPES = {"%": "%25", " ": "%20", ",": "%2C", "\n": "%0A"}


def write_facts(facts: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in facts.items())


def read_facts(text: str) -> dict[str, str]:
    """Words without `=` are for people and skipped."""
    pairs = (word.partition("=") for word in text.split(" "))
    return {name: value for name, equals, value in pairs if equals}


def write_list(values: Iterable[str]) -> str:
    return ",".join(_encode(value) for value in values)


def read_list(text: str) -> tuple[str, ...]:
    return tuple(_decode(part) for part in text.split(",")) if text else ()


def _encode(value: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in value)


def _decode(value: str) -> str:
    for character, written in reversed(_ESCAPES.items()):
        value = value.replace(written, character)
    return value
