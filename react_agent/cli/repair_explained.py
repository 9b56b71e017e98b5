"""What a text with a patch in it was taken for, line by line, and where its hunks went."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import Result, Role

_WIDTH = 80
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def explained(text: str, found: Repaired | Refused) -> list[str]:
    said = ["the text:", *_ranges(text.split("\n"), found.roles)]
    if isinstance(found, Refused):
        return [*said, "refused:", *_listed(found.reasons)]
    hunks = list(_hunks(found.patch.split("\n"), found.results))
    said += ["the patch:", *hunks]
    said += ["mended:", *_listed(found.repairs)] if found.repairs else []
    return [*said, _summary(found)]


def _ranges(lines: Sequence[str], roles: Sequence[Role]) -> Iterator[str]:
    """Lines of one role that follow each other, with the first of them."""
    numbered = list(zip(range(1, len(lines) + 1), roles, strict=False))
    if numbered and not lines[-1] and len(numbered) == len(lines):
        numbered.pop()  # what follows the last newline is no line to a person
    for role, group in groupby(numbered, lambda one: one[1]):
        first, *others = (number for number, _ in group)
        where = f"{first}-{others[-1]}" if others else f"{first}"
        yield _clipped(f"  {where:>9}  {role.value:<7} {lines[first - 1]}".rstrip())


def _clipped(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def _hunks(lines: Sequence[str], results: Sequence[Result]) -> Iterator[str]:
    """Of a patch as git writes it: a line of a hunk never begins with a letter or an @."""
    files, number = iter(results), 0
    for at, line in enumerate(lines):
        if line.startswith("diff --git "):
            yield f"  {_title(next(files))}"
            number = 0
        elif header := _HUNK.match(line):
            number += 1
            yield f"    hunk {number}: {_place(int(header[1]), _body(lines, at + 1))}"


def _title(result: Result) -> str:
    if result.old is None:
        return f"{result.new} (new)"
    if result.new is None:
        return f"{result.old} (deleted)"
    return result.new if result.new == result.old else f"{result.old} -> {result.new}"


def _body(lines: Sequence[str], start: int) -> list[str]:
    end = start
    while end < len(lines) and lines[end][:1] in (" ", "-", "+", "\\"):
        end += 1
    return [line for line in lines[start:end] if line]


def _place(start: int, body: Sequence[str]) -> str:
    before = next((at for at, line in enumerate(body) if line[0] != " "), 0)
    gone, come = (sum(line[0] == mark for line in body) for mark in "-+")
    return f"line {max(start, 1) + before}: {_lines(gone)} out, {come} in"


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _listed(clauses: Sequence[str]) -> Iterator[str]:
    for clause in clauses:
        first, *others = clause.split("\n")
        yield from textwrap.wrap(
            first,
            _WIDTH,
            initial_indent="  - ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from (f"    {line}" for line in others)


def _summary(found: Repaired) -> str:
    hunks = sum(line.startswith("@@ ") for line in found.patch.split("\n"))
    counts = ((len(found.results), "file"), (hunks, "hunk"), (len(found.repairs), "repair"))
    return ", ".join(f"{number} {name}{'s' * (number != 1)}" for number, name in counts)
