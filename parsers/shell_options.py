"""The options of a command, where all of them are known, and its other words.

option = "-" letter+ | "-" letter value | "-" number | "--" name ["=" value | value]
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NUMBER = "#"  # the name of an option such as -20


@dataclass(frozen=True, slots=True)
class Known:
    flags: frozenset[str]
    valued: frozenset[str]


@dataclass(frozen=True, slots=True)
class Options:
    options: tuple[tuple[str, str], ...]  # a flag has no value
    words: tuple[str, ...]
    behind: tuple[str, ...] = ()  # a `--`

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def values(self, *names: str) -> tuple[str, ...]:
        return tuple(value for name, value in self.options if name in names)


def known(flags: str, valued: str = "") -> Known:
    return Known(frozenset(flags.split()), frozenset(valued.split()))


def read_options(words: Sequence[str], expected: Known) -> Options | None:
    """None: one of them is not known, or lacks its value."""
    options, others, rest = list[tuple[str, str]](), list[str](), iter(words)
    for word in rest:
        if word == "--":
            return Options(tuple(options), tuple(others), tuple(rest))
        if not word.startswith("-") or word == "-":
            others.append(word)
            continue
        read = _long(word, rest, expected) if word[1] == "-" else _short(word, rest, expected)
        if read is None:
            return None
        options += read
    return Options(tuple(options), tuple(others))


def _long(word: str, rest: Iterator[str], expected: Known) -> list[tuple[str, str]] | None:
    name, equals, value = word.partition("=")
    if name in expected.valued:
        given = value if equals else next(rest, None)
        return None if given is None else [(name, given)]
    return [(name, "")] if name in expected.flags and not equals else None


def _short(word: str, rest: Iterator[str], expected: Known) -> list[tuple[str, str]] | None:
    if word[1:].isdecimal():
        return [(NUMBER, word[1:])] if NUMBER in expected.flags else None
    read = list[tuple[str, str]]()
    for at, letter in enumerate(word[1:], 2):
        name = f"-{letter}"
        if name in expected.valued:
            given = word[at:] or next(rest, None)
            return None if given is None else [*read, (name, given)]
        if name not in expected.flags:
            return None
        read.append((name, ""))
    return read
