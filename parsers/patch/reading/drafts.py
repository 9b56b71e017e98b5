"""Decide which changes count if a text has several changes of one file.

A block below words that withdraw the text above, such as "wait", replaces the blocks above it. So
does a block that quotes the same lines. Hunks elsewhere in the file are added. If two blocks make
the same change, the second one counts. An undecided case is reported as a problem.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import starmap

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Role
from react_agent.parsers.text.late_pattern import LatePattern

_WITHDRAWS = LatePattern(
    r"(?:^|[.!?:] +|\*\*)(?:(?:no, )?wait|actually|hmm+|oops|no,|on second thought|sorry)\b"
    r"|\breconsider|\brevis(?:e|ed|it)\b|\bscratch that\b|\b(?:ignore|disregard) (?:the|my|that)\b"
    r"|\bi (?:made|see) (?:an? )?(?:error|mistake)|\blet me (?:fix|correct|redo|rethink|simplify)\b"
    r"|\blet me try (?:again|another)\b",
    re.IGNORECASE,
)
_ADDS = LatePattern(r"\b(?:also|additionally|in addition|as well)\b", re.IGNORECASE)
_OFFERS = LatePattern(
    r"(?:^|\bhere(?: is|'s)|\bthis is)\W*(?:option|alternative|variant) (?:\d|[a-d]\b|one|two)"
    r"|(?:^|[.!?] )\W*alternatively\b|^\W*alternative\b[^.,]{0,30}:\W*$|^\W*or\b\W*$",
    re.IGNORECASE,
)
_SEND = "send the final diff only, once for each file"
_MOST = 0.6  # share of the smaller hunk's old lines that both hunks quote
_OFTEN = 8  # hunks: a line in more of them tells nothing


class Section:
    """The hunks below one header, in one continuous part of the text. Lines are counted from 0."""

    def __init__(self, block: int, first: int, end: int, header: FileChange) -> None:
        self.block = block  # its number: prose or a fence's edge begins a new block
        self.first, self.end = first, end  # `end` is not included
        self.header = header
        self.hunks = list[Hunk]()
        self.idle = 0  # hunks that change nothing

    @property
    def name(self) -> str:
        """Return the file's name without `a/` or `b/`. The name identifies the file."""
        new, old = self.header.new, self.header.old
        return new.removeprefix("b/") if new else (old or "").removeprefix("a/")

    @property
    def shown(self) -> str:
        return f"lines {self.first + 1}-{self.end}"


def withdraws(line: str) -> bool:
    return _WITHDRAWS.search(line) is not None


def kept(
    sections: Sequence[Section], intros: Sequence[Sequence[str]], roles: list[Role]
) -> tuple[list[FileChange], list[str], list[str]]:
    """Return the changes that count, repairs and problems, and mark all other changes as drafts.

    `intros` contains the words above each block. The words above the first block withdraw nothing.
    """
    folded, withdrawn, first = _Folded(roles), 0, list[Section]()
    doubted = [block for block, words in enumerate(intros) if block and any(map(withdraws, words))]
    offered = (at for at in range(1, len(intros)) if any(map(_OFFERS.search, intros[at])))
    offer = max((block for block in offered if block not in doubted), default=0)
    for section in sections:
        if offer and section.block >= offer and not first:
            first = folded.sections or [section]
            folded.files = {}
        if section.hunks or not section.idle:
            withdrawn = max((block for block in doubted if block <= section.block), default=0)
            is_added = any(map(_ADDS.search, intros[withdrawn]))
            folded.add(section, withdrawn, is_added=is_added)
    counted = folded.sections
    if first and first[0].block < offer:
        if _changed(first) == _changed(counted):
            folded.leave_out(first, counted[-1])
        else:
            folded.problems += [
                f"{one.shown} and {counted[0].shown} are offered as alternatives, and neither is "
                f"chosen: {_SEND}"
                for one in first
            ]
    folded.problems += [
        _undecided(one, "still applies after the text below it")
        for one in counted
        if one.block < withdrawn
    ]
    changes = [_joined(file.sections) for file in folded.files.values() if file.sections]
    in_order = sorted(changes, key=lambda change: change.at)
    return in_order, folded.repairs, folded.problems


class _Folded:
    """The sections read so far whose changes count."""

    def __init__(self, roles: list[Role]) -> None:
        self.roles = roles
        self.files = dict[str, _File]()
        self.repairs, self.problems = list[str](), list[str]()

    @property
    def sections(self) -> list[Section]:
        return [one for file in self.files.values() for one in file.sections]

    def add(self, section: Section, withdrawn: int, *, is_added: bool) -> None:
        """Add a section. `withdrawn` is the last block that withdraws the blocks above it, or 0."""
        file = self.files.setdefault(section.name, _File())
        block = file.sections[0].block if file.sections else section.block
        if withdrawn <= block and file.repeats(section):
            self._mark(section)
            self.repairs.append(f"{section.shown} repeat an earlier change: read once")
            return
        if block == section.block:
            if section.header.old is None and section.hunks and file.makes_file:
                self.problems.append(
                    f"{section.name} is created twice, in {file.sections[0].shown} and in "
                    f"{section.shown}, with different text: {_SEND}"
                )
        else:
            relation = file.relation(section)
            if withdrawn > block:
                relation = max(relation, _Relation.UNCLEAR if is_added else _Relation.SAME)
            if relation is _Relation.SAME:
                self.leave_out(file.sections, section)
                file = self.files[section.name] = _File()
            elif relation is _Relation.UNCLEAR:
                what = f"replaces the one in {file.sections[-1].shown}"
                self.problems.append(_undecided(section, what))
        file.take(section)

    def leave_out(self, sections: Sequence[Section], counts: Section) -> None:
        for one in sections:
            self._mark(one)
        lines = ", ".join(f"{one.first + 1}-{one.end}" for one in sections)
        self.repairs.append(
            f"the draft of {counts.name or 'the hunks'} in lines {lines} was left out in favor "
            f"of {counts.shown}"
        )

    def _mark(self, section: Section) -> None:
        for at in range(section.first, section.end):
            if self.roles[at] in (Role.HEADER, Role.BODY):
                self.roles[at] = Role.DRAFT


def _undecided(section: Section, what: str) -> str:
    named = section.name or "an unnamed file"
    return f"it is not clear whether the change to {named} in {section.shown} {what}: {_SEND}"


def _changed(sections: Sequence[Section]) -> list[tuple[str, int | None, list[Line]]]:
    """Return each hunk's file, its changed lines, and the file line at which its change begins."""
    found = list[tuple[str, int | None, list[Line]]]()
    for name, hunk in ((one.name, hunk) for one in sections for hunk in one.hunks):
        above = next((n for n, line in enumerate(hunk.lines) if line.mark in ("+", "-")), 0)
        start = None if hunk.start is None else hunk.start + above
        found.append((name, start, [line for line in hunk.lines if line.mark in ("+", "-")]))
    return found


def _joined(sections: Sequence[Section]) -> FileChange:
    first = sections[0].header
    for other in (section.header for section in sections[1:]):
        first = first._replace(
            moved=first.moved or other.moved,
            old_mode=first.old_mode or other.old_mode,
            new_mode=first.new_mode or other.new_mode,
        )
    return first._replace(hunks=tuple(hunk for section in sections for hunk in section.hunks))


class _Relation(IntEnum):
    APART = 0
    UNCLEAR = 1
    SAME = 2


class _File:
    """The changes of one file, indexed by the lines that they quote."""

    def __init__(self) -> None:
        self.sections = list[Section]()
        self.hunks = set[object]()  # their lines and starts
        self._quoting = dict[str, list[tuple[int, Hunk]]]()  # with their blocks

    @property
    def makes_file(self) -> bool:
        return any(one.header.old is None for one in self.sections)

    def take(self, section: Section) -> None:
        self.sections.append(section)
        for hunk in section.hunks:
            self.hunks.add(hunk[1:3])
            for text in set(_old(hunk)):
                self._quoting.setdefault(text, []).append((section.block, hunk))

    def repeats(self, section: Section) -> bool:
        """Return whether all hunks of the section were read before with the same text."""
        return bool(section.hunks) and self.hunks.issuperset(one[1:3] for one in section.hunks)

    def relation(self, section: Section) -> _Relation:
        """Return the closest relation between any two hunks."""
        pairs = ((one, other) for one in section.hunks for other in self._like(one, section.block))
        closest = max(starmap(_relation, pairs), default=_Relation.APART)
        return max(closest, _Relation.UNCLEAR) if self.makes_file else closest

    def _like(self, hunk: Hunk, block: int) -> Iterable[Hunk]:
        """Return the hunks in earlier blocks that quote one of this hunk's lines."""
        found = dict[int, Hunk]()
        for text in _old(hunk):
            others = self._quoting.get(text, ())
            if len(others) <= _OFTEN:
                found.update((other.at, other) for above, other in others if above < block)
        return found.values()


def _relation(one: Hunk, other: Hunk) -> _Relation:
    old, others = Counter(_old(one)), Counter(_old(other))
    if (old & others).total() < _MOST * min(old.total(), others.total()):
        return _Relation.APART
    # the same lines may be meant for two places
    return _Relation.UNCLEAR if one.lines == other.lines else _Relation.SAME


def _old(hunk: Hunk) -> list[str]:
    return [line.strip() for line in hunk.old if line.strip()]
