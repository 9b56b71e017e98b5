"""Of several changes of one file in a text, which ones count.

Below words that withdraw what is above, such as "wait", another block takes the place of those
above it, and so does one that quotes the same lines; hunks elsewhere in the file are added. Of two
alternatives that make the same change the second counts. What can't be decided is a problem.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Role
from react_agent.parsers.text.late_pattern import LatePattern

_WITHDRAWS = LatePattern(
    r"(?:^|[.!?:] +|\*\*)(?:(?:no, )?wait|actually|hmm+|oops|no,|on second thought|sorry)\b"
    r"|\breconsider|\brevis(?:e|ed|it)\b|\bscratch that\b|\b(?:ignore|disregard) (?:the|my|that)\b"
    r"|\bi (?:made|see) (?:an? )?(?:error|mistake)|\blet me (?:fix|correct|redo|rethink|simplify)\b"
    r"|\blet me try (?:again|another)\b|\bmore (?:complete|comprehensive|accurate|robust) "
    r"(?:version|patch|diff|fix)\b",
    re.IGNORECASE,
)
_ADDS = LatePattern(r"\b(?:also|additionally|in addition|too|as well)\b", re.IGNORECASE)
_OFFERS = LatePattern(
    r"(?:^|\bhere(?: is|'s)|\bthis is)\W*(?:option|alternative|variant) (?:\d|[a-d]\b|one|two)"
    r"|(?:^|[.!?] )\W*alternatively\b|^\W*alternative\b[^.,]{0,30}:\W*$|^\W*or\b\W*$"
    r"|\b(?:an|another|the other) alternative\b|\bor,? you (?:could|can|may|might)\b",
    re.IGNORECASE,
)
_SEND = "send the final diff only, once for each file"
_MOST = 0.6  # of the old lines of the smaller hunk
_TELLING = 6  # characters, before a line shows where it is
_OFTEN = 8  # a line in more hunks than that shows nothing
_FAR = 50  # lines between two starts, both as models write them


class Piece(NamedTuple):
    """A hunk and its lines in the text, counted from 0, `end` not included."""

    hunk: Hunk
    first: int
    end: int


class Section:
    """The hunks below one header, in one stretch of the text."""

    def __init__(self, block: int, first: int, end: int, header: FileChange) -> None:
        self.block = block  # stretches that prose or a fence's edge divides
        self.first, self.end = first, end
        self.header = header
        self.pieces = list[Piece]()
        self.idle = 0  # hunks that change nothing

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.end = piece.end

    @property
    def name(self) -> str:
        """Without `a/` or `b/`; files are told apart by it."""
        new, old = self.header.new, self.header.old
        return new.removeprefix("b/") if new else (old or "").removeprefix("a/")

    @property
    def shown(self) -> str:
        return f"lines {self.first + 1}-{self.end}"

    @property
    def hunks(self) -> list[Hunk]:
        return [piece.hunk for piece in self.pieces]

    @property
    def makes_file(self) -> bool:
        return self.header.old is None and bool(self.pieces)


class Kept(NamedTuple):
    changes: tuple[FileChange, ...]
    repairs: list[str]
    problems: list[str]


def takes_back(line: str) -> bool:
    """Whether words below the last change withdraw it: plainly, as nothing takes its place."""
    found = _WITHDRAWS.search(line)
    return found is not None and not line[: found.start()].strip(" *")


def kept(sections: Sequence[Section], intros: Sequence[Sequence[str]], roles: list[Role]) -> Kept:
    """The changes that count; the lines of the others get their role.

    `intros`: the words above each block. Those above the first are of no draft.
    """
    folded = _Folded(roles)
    withdraws = [block for block, words in enumerate(intros) if block and _withdraws(words)]
    offer = max((block for block in range(1, len(intros)) if _offers(intros[block])), default=0)
    first = list[Section]()
    for section in sections:
        if offer and section.block >= offer and not first:
            first = folded.sections or [section]
            folded.files = {}
        if section.pieces or not section.idle:
            above = [block for block in withdraws if block <= section.block]
            folded.add(section, above[-1] if above else 0, intros)
    counted = folded.sections
    if first and first[0].block < offer:
        if _changed(first) == _changed(counted):
            folded.leave_out(first, counted[-1])
        else:
            folded.problems += [_either(one, counted) for one in first]
    what = "still counts after the words below it"
    last = max((block for block in withdraws if not _adds(intros[block])), default=0)
    folded.problems += [_undecided(one, what) for one in counted if one.block < last]
    changes = [_joined(file.sections) for file in folded.files.values() if file.sections]
    in_order = sorted(changes, key=lambda change: change.at)
    return Kept(tuple(in_order), folded.repairs, folded.problems)


def _withdraws(words: Sequence[str]) -> bool:
    return any(map(_WITHDRAWS.search, words))


def _adds(words: Sequence[str]) -> bool:
    """Whether what withdraws announces an addition: in its line, or in the last one."""
    telling = [line for line in words if _WITHDRAWS.search(line)][:1]
    telling += [line for line in words if line.strip()][-1:]
    return any(map(_ADDS.search, telling))


def _offers(words: Sequence[str]) -> bool:
    return not _withdraws(words) and any(map(_OFFERS.search, words))


class _Folded:
    """What counts of the sections so far."""

    def __init__(self, roles: list[Role]) -> None:
        self.roles = roles
        self.files = dict[str, _File]()
        self.repairs, self.problems = list[str](), list[str]()

    @property
    def sections(self) -> list[Section]:
        return [one for file in self.files.values() for one in file.sections]

    def add(self, section: Section, withdrawn: int, intros: Sequence[Sequence[str]]) -> None:
        """`withdrawn`: the last block above which the words withdraw what was before; 0: none."""
        file = self.files.setdefault(section.name, _File())
        file.begin(section.block)
        if not file.is_above:
            self._leave_out_doubles(file, section)
            made = next((one for one in file.sections if one.makes_file), None)
            if made and section.makes_file:
                self.problems.append(
                    f"{made.name} is created twice, in {made.shown} and in {section.shown}, with "
                    f"different text: {_SEND}"
                )
        elif withdrawn > file.sections[0].block and not _adds(intros[withdrawn]):
            self._replace(file, section)
            return
        elif file.repeats(section):
            self._mark(section.first, section.end)
            self.repairs.append(f"{section.shown} repeat what is above: read once")
            return
        else:
            relation = file.relation(section)
            if relation is _Relation.SAME:
                self._replace(file, section)
                return
            if relation is _Relation.UNCLEAR or withdrawn > file.sections[0].block:
                what = f"replaces that in {file.sections[-1].shown}"
                self.problems.append(_undecided(section, what))
        file.take(section)

    def _leave_out_doubles(self, file: "_File", section: Section) -> None:
        for piece in list(section.pieces):
            key = (piece.hunk.lines, piece.hunk.start, piece.hunk.counts)
            if key in file.hunks and piece.hunk.start is not None:  # else it has another place
                section.pieces.remove(piece)
                self._mark(piece.first, piece.end)
                self.repairs.append(f"the hunk in line {piece.first + 1} repeats one above it")
            file.hunks.add(key)

    def _replace(self, file: "_File", section: Section) -> None:
        self.leave_out(file.sections, section)
        self.files[section.name] = _File()
        self.files[section.name].take(section)

    def leave_out(self, sections: Sequence[Section], counts: Section) -> None:
        for one in sections:
            self._mark(one.first, one.end)
        lines = ", ".join(f"{one.first + 1}-{one.end}" for one in sections)
        self.repairs.append(
            f"the draft of {counts.name or 'the hunks'} in lines {lines} was left out: "
            f"{counts.shown} count"
        )

    def _mark(self, first: int, end: int) -> None:
        for at in range(first, end):
            if self.roles[at] in (Role.HEADER, Role.BODY):
                self.roles[at] = Role.DRAFT


def _either(one: Section, others: Sequence[Section]) -> str:
    both = f"{one.shown} and {others[0].shown} are offered as alternatives"
    return f"{both}, and neither is chosen: {_SEND}"


def _undecided(section: Section, what: str) -> str:
    named = section.name or "a file without a name"
    return f"it is not clear whether the change of {named} in {section.shown} {what}: {_SEND}"


def _changed(sections: Sequence[Section]) -> list[tuple[str, int | None, list[Line]]]:
    """For each hunk the lines that go and come, and the line of the file where that begins."""
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
    """The changes of one file, and what those of the blocks above quote and add."""

    def __init__(self) -> None:
        self.sections = list[Section]()
        self.hunks = set[object]()  # of the last block
        self._waiting = list[Section]()  # the same
        self._above = set[tuple[tuple[Line, ...], int | None]]()
        self._hunks_with = dict[str, list[Hunk]]()
        self._old, self._only_added = set[str](), set[str]()
        self._is_made = False

    def begin(self, block: int) -> None:
        if self._waiting and self._waiting[-1].block != block:
            for section in self._waiting:
                self._add(section)
            self._waiting.clear()
            self.hunks.clear()

    def take(self, section: Section) -> None:
        self.sections.append(section)
        self._waiting.append(section)

    @property
    def is_above(self) -> bool:
        return len(self.sections) > len(self._waiting)

    def _add(self, section: Section) -> None:
        self._is_made = self._is_made or section.header.old is None
        for hunk in section.hunks:
            self._above.add((hunk.lines, hunk.start))
            self._old.update(_old(hunk))
            self._only_added.update(_written(hunk, "+"))
            for text in set(_old(hunk)):
                self._hunks_with.setdefault(text, []).append(hunk)
        self._only_added -= self._old

    def repeats(self, section: Section) -> bool:
        """Whether all of it is above, in the same words."""
        hunks = section.hunks
        return bool(hunks) and all((hunk.lines, hunk.start) in self._above for hunk in hunks)

    def relation(self, section: Section) -> _Relation:
        """The closest one of any two hunks."""
        if self._is_made and section.header.old is None:
            return _Relation.SAME
        closest = max(
            (_relation(hunk, other) for hunk in section.hunks for other in self._like(hunk)),
            default=_Relation.APART,
        )
        gone = {text for hunk in section.hunks for text in _written(hunk, "-")}
        is_built_on = self._is_made or not gone.isdisjoint(self._only_added)
        return max(closest, _Relation.UNCLEAR) if is_built_on else closest

    def _like(self, hunk: Hunk) -> Iterable[Hunk]:
        """Those that quote one of its lines."""
        found = dict[int, Hunk]()
        for text in _old(hunk):
            others = self._hunks_with.get(text, ())
            if len(others) <= _OFTEN:
                found.update((other.at, other) for other in others)
        return found.values()


def _relation(one: Hunk, other: Hunk) -> _Relation:
    old, others = Counter(_old(one)), Counter(_old(other))
    if (old & others).total() < _MOST * min(old.total(), others.total()):
        return _Relation.APART
    starts = one.start, other.start
    is_same = one.lines == other.lines  # it may be meant for two places
    if None not in starts and abs((one.start or 0) - (other.start or 0)) > _FAR:
        return _Relation.APART if is_same else _Relation.UNCLEAR
    return _Relation.UNCLEAR if is_same else _Relation.SAME


def _old(hunk: Hunk) -> list[str]:
    return [line.strip() for line in hunk.old if line.strip()]


def _written(hunk: Hunk, mark: str) -> list[str]:
    texts = (line.text.strip() for line in hunk.lines if line.mark == mark)
    return [text for text in texts if len(text) >= _TELLING]
