"""`%% turn: n=3 in=1234 paths=src/a.py,src/b.py`: small named values on one line.

In a value, blanks, line ends and `%` are written as `%20`, `%0A`, `%25`. A list is one value: its
members stand between commas, and a comma or `%` of a member is written as `%2C`, `%25` first.
"""

from collections.abc import Iterable, Mapping

_IN_VALUES = {"%": "%25", " ": "%20", "\n": "%0A"}
_IN_MEMBERS = {"%": "%25", ",": "%2C"}


def write_facts(facts: Mapping[str, str]) -> str:
    return " ".join(f"{name}={_encode(value, _IN_VALUES)}" for name, value in facts.items())


def read_facts(text: str) -> dict[str, str]:
    """Words without `=` are for people and skipped."""
    pairs = (word.partition("=") for word in text.split(" "))
    return {name: _decode(value, _IN_VALUES) for name, equals, value in pairs if equals}


def write_list(members: Iterable[str]) -> str:
    return ",".join(_encode(member, _IN_MEMBERS) for member in members)


def read_list(text: str) -> tuple[str, ...]:
    return tuple(_decode(part, _IN_MEMBERS) for part in text.split(",")) if text else ()


def _encode(text: str, escapes: Mapping[str, str]) -> str:
    for character, written in escapes.items():
        text = text.replace(character, written)
    return text


def _decode(text: str, escapes: Mapping[str, str]) -> str:
    if "%" not in text:
        return text
    for character, written in reversed(tuple(escapes.items())):
        text = text.replace(written, character)
    return text
