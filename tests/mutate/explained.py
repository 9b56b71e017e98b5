"""The survivors that docs/mutation.md explains.

explained   = (mutant+ explanation)*      all below the heading "## Survivors"
mutant      = "    " function NEWLINE ("    - " line NEWLINE)* ("    + " line NEWLINE)*
explanation = any other text; one for all the mutants right above it
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from mutants import Change

HEADING = "## Survivors"
BLOCK = "    "


@dataclass(slots=True)
class _Entry:
    number: int  # of its first line
    function: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


def read_explained(text: str, modules: Collection[str]) -> dict[Change, int]:
    """Each with the number of its line. A ValueError tells which one is not explained."""
    found = dict[Change, int]()
    pending = list[_Entry]()
    for number, line in _lines(text):
        if line.startswith(BLOCK):
            _take(pending, number, line.removeprefix(BLOCK))
        elif line.startswith("#"):
            _refuse(pending)
        elif line.strip():
            found.update((_change(entry, modules), entry.number) for entry in pending)
            pending.clear()
    _refuse(pending)
    return found


def _change(entry: _Entry, modules: Collection[str]) -> Change:
    change = Change(entry.function, tuple(entry.before), tuple(entry.after))
    if change.module not in modules:
        raise ValueError(f"line {entry.number}: `{change.module}` is no module that gets mutants")
    return change


def _lines(text: str) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    begin = lines.index(HEADING) + 1
    yield from enumerate(lines[begin:], begin + 1)


def _take(pending: list[_Entry], number: int, line: str) -> None:
    sign, _, code = line.partition(" ")
    if sign not in ("-", "+"):
        pending.append(_Entry(number, line.strip()))
    elif not pending:
        raise ValueError(f"line {number}: expected a function above `{line}`")
    else:
        (pending[-1].before if sign == "-" else pending[-1].after).append(code.strip())


def _refuse(pending: list[_Entry]) -> None:
    if pending:
        entry = pending[0]
        raise ValueError(f"line {entry.number}: `{entry.function}` has no explanation below it")
