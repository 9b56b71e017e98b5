"""Edits, drawn at random, with what becomes of their files."""

import random
from typing import NamedTuple

import pytest

from react_agent.parsers.patch.changes import FileChange, Named
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Source, Splice, source_of

# lines that readers of patches stumble over
_LINES = (
    *("", " ", "\t", "\r", "x\r", "a\rb", "\f", "\x0b", "\x1c", "\x85", "\u2028", "é", "\udce9"),
    *("-", "+", "-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline", "\\"),
)
_NAMES = ("src/{}.py", "a {}", 'quo"te {}', "é{}", "b/{}", "tab's {} ")
Part = tuple[Named, Source, Placement]


class Edits(NamedTuple):
    parts: list[Part]
    before: dict[str, str]
    changed: dict[str, str | None]  # what is to become of the files that change


class Draw:
    """Everything that a seed makes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def edits(self, count: int) -> Edits:
        edits = Edits([], {}, {})
        for number in range(count):
            self._edit(self.random.choice(_NAMES).format(number), edits)
        return edits

    def _edit(self, name: str, edits: Edits) -> None:
        kind = self.random.choice(["change"] * 6 + ["mode", "create", "delete", "rename"])
        text = "" if kind == "create" else self._text()
        source = source_of(text)
        placement = Placement(self._splices(len(source.raw)), self.random.random() < 0.7)
        if kind == "delete":
            placement = Placement((Splice(0, len(source.raw), ()),), True)
        after = spliced(source, placement)
        old = None if kind == "create" else name
        new = None if kind == "delete" else name + "n" * (kind == "rename")
        modes = ("100644", "100755") if kind == "mode" else ("", "")
        moved = kind if kind == "rename" else ""
        change = FileChange(1, old, new, (), None, moved, *modes)
        edits.parts.append((Named(change, old, new), source, placement))
        if old is not None:
            edits.before[old] = text
        if kind in ("delete", "rename"):
            edits.changed[name] = None
        if new is not None and (kind != "change" or after != text):
            edits.changed[new] = after

    def _text(self) -> str:
        lines = [self._line() for _ in range(self.random.choice([0, 1, 2, 6, 15, 40]))]
        return "\n".join(lines) + "\n" * (bool(lines) and self.random.random() < 0.7)

    def _line(self) -> str:
        if self.random.random() < 0.5:
            return self.random.choice(_LINES)
        return f"line {self.random.randrange(30)}"

    def _splices(self, count: int) -> tuple[Splice, ...]:
        splices, at = list[Splice](), 0
        while self.random.random() < 0.7 and at <= count:
            start = self.random.randint(at, min(count, at + 12))
            end = self.random.randint(start, min(count, start + 4))
            new = tuple(self._line() for _ in range(self.random.randrange(4)))
            splices.append(Splice(start, end, new))
            at = end + self.random.randrange(2)
        return tuple(splices)


def spliced(source: Source, placement: Placement) -> str:
    lines, at = list[str](), 0
    for splice in placement.splices:
        lines += [*source.raw[at : splice.start], *splice.lines]
        at = splice.end
    lines += source.raw[at:]
    return "\n".join(lines) + "\n" * (bool(lines) and placement.final_newline)


@pytest.fixture(scope="session")
def draw() -> type[Draw]:
    return Draw
