"""What a change did to a file, as numbered lines of the new one."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

_TOO_MANY = 1_000  # lines between the first and the last change: then they are one region


@dataclass(frozen=True, slots=True)
class Region:
    """Lines `start` to `end` of the new file, counted from 0, the last one not included."""

    start: int
    end: int
    added: int
    removed: int


def changed_regions(old: Sequence[str], new: Sequence[str]) -> list[Region]:
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(before), len(after)) > _TOO_MANY:
        return [Region(head, head + len(after), len(after), len(before))]
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [
        Region(head + start, head + end, end - start, old_end - old_start)
        for kind, old_start, old_end, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines they have in common at the beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
