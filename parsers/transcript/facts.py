"""`%% turn: n=3 in=1234 paths=src/a.py,src/b.py`: small named values on one line.

In a value, blanks, line ends and `%` are written as `%20`, `%0A`, `%25`. A list is one value: its
members stand between commas, and a comma or `%` of a member is written as `%2C`, `%25` first.
Numbers of steps are written `2-5,7`.
"""

import re
from collections.abc import Iterable, Mapping

_IN_VALUES = {"%": "%25", " ": "%20", "\n": "%0A"}
_IN_MEMBERS = {"%": "%25", ",": "%2C"}
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


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


def write_numbers(numbers: Iterable[int]) -> str:
    runs = list[list[int]]()
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


def read_numbers(text: str, most: int) -> tuple[int, ...]:
    """Those from 1 to `most`, in order; what is no number is skipped."""
    found = set[int]()
    for part in text.split(","):
        if match := _RANGE.fullmatch(part.strip()):
            first, last = int(match[1]), int(match[2] or match[1])
            found.update(range(max(first, 1), min(last, most) + 1))
    return tuple(sorted(found))
