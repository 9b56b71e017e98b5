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
_SOME = 0.3  # together with a line that both remove
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


class Kept(NamedTuple):
    changes: tuple[FileChange, ...]
    repairs: list[str]
    problems: list[str]


class Thought(IntEnum):
    """What the words between two blocks do to the first one."""

    NONE = 0
    OFFERS = 1
    ADDS = 2  # they withdraw it, and announce an addition
    WITHDRAWS = 3


def thought(prose: Sequence[str]) -> Thought:
    last = next((line for line in reversed(prose) if line.strip()), "")
    for line in prose:
        if _WITHDRAWS.search(line):
            adds = _ADDS.search(line) or _ADDS.search(last)
            return Thought.ADDS if adds else Thought.WITHDRAWS
    return Thought.OFFERS if any(map(_OFFERS.search, prose)) else Thought.NONE


def takes_back(line: str) -> bool:
    """Whether words below the last change withdraw it: plainly, as nothing takes its place."""
    found = _WITHDRAWS.search(line)
    return found is not None and not line[: found.start()].strip(" *")


def kept(sections: Sequence[Section], intros: Sequence[Sequence[str]], roles: list[Role]) -> Kept:
    """The changes that count; the lines of the others get their role."""
    folding = _Folding([Thought.NONE, *map(thought, intros[1:])], roles)
    for section in sections:
        if section.pieces or not section.idle:
            folding.add(section)
    changes = [_joined(group.sections) for group in folding.groups.values() if group.sections]
    return Kept(
        tuple(sorted(changes, key=lambda change: change.at)), folding.repairs, folding.problems
    )


class _Group:
    """The changes of one file."""

    def __init__(self) -> None:
        self.sections = list[Section]()
        self.problems = list[str]()
        self.above = _Quoted()  # by those of the blocks above
        self.hunks = set[object]()  # of the last block
        self._waiting = list[Section]()

    def begin(self, block: int) -> None:
        if self._waiting and self._waiting[-1].block != block:
            for section in self._waiting:
                self.above.add(section)
            self._waiting.clear()
            self.hunks.clear()

    def take(self, section: Section) -> None:
        self.sections.append(section)
        self._waiting.append(section)

    @property
    def is_above(self) -> bool:
        return len(self.sections) > len(self._waiting)


class _Folding:
    def __init__(self, thoughts: Sequence[Thought], roles: list[Role]) -> None:
        self.roles = roles
        self.groups = dict[str, _Group]()
        self.repairs = list[str]()
        self._alike = set[str]()  # files that two alternatives change alike
        self._withdraws = _latest(thoughts, Thought.WITHDRAWS)
        self._adds = _latest(thoughts, Thought.ADDS)
        self._offers = _latest(thoughts, Thought.OFFERS)

    def add(self, section: Section) -> None:
        group = self.groups.setdefault(section.name, _Group())
        group.begin(section.block)
        if not group.is_above:
            self._leave_out_doubles(group, section)
            if made := _made_before(group.sections, section):
                group.problems.append(
                    f"{made.name} is created twice, in {made.shown} and in {section.shown}, with "
                    f"different text: {_SEND}"
                )
            group.take(section)
            return
        began = group.sections[0].block
        if self._withdraws[section.block] > began:
            self._replace(group, section)
        elif self._offers[section.block] > began:
            if _changed(group.sections) == _changed([section]):
                self._replace(group, section)
                self._alike.add(section.name)
            else:
                group.take(section)
        elif group.above.repeats(section):
            self._leave_out([section])
            self.repairs.append(f"{section.shown} repeat what is above: read once")
        else:
            self._join(group, section, self._adds[section.block] > began)

    def _join(self, group: _Group, section: Section, adds: bool) -> None:
        relation = group.above.relation(section)
        if relation is _Relation.SAME:
            self._replace(group, section)
            return
        if relation is _Relation.UNCLEAR or adds:
            group.problems.append(
                _undecided(section, f"replaces that in {group.sections[-1].shown}")
            )
        group.take(section)

    def _leave_out_doubles(self, group: _Group, section: Section) -> None:
        for piece in list(section.pieces):
            key = (piece.hunk.lines, piece.hunk.start, piece.hunk.counts)
            if key in group.hunks and piece.hunk.start is not None:  # else it has another place
                section.pieces.remove(piece)
                self.roles[piece.first : piece.end] = [Role.DRAFT] * (piece.end - piece.first)
                self.repairs.append(f"the hunk in line {piece.first + 1} repeats one above it")
            group.hunks.add(key)

    def _replace(self, group: _Group, section: Section) -> None:
        lines = ", ".join(f"{other.first + 1}-{other.end}" for other in group.sections)
        self._leave_out(group.sections)
        self.repairs.append(
            f"the draft of {section.name or 'the hunks'} in lines {lines} was left out: "
            f"{section.shown} count"
        )
        self.groups[section.name] = _Group()
        self.groups[section.name].take(section)

    def _leave_out(self, sections: Sequence[Section]) -> None:
        for section in sections:
            for at in range(section.first, section.end):
                if self.roles[at] in (Role.HEADER, Role.BODY):
                    self.roles[at] = Role.DRAFT

    @property
    def problems(self) -> list[str]:
        """Also of changes that were withdrawn or offered, of files that did not come again."""
        found = [said for group in self.groups.values() for said in group.problems]
        sections = [one for group in self.groups.values() for one in group.sections]
        offer, last = self._offers[-1], self._withdraws[-1]
        found += [_either(one, sections) for one in sections if one.block < offer]
        if self._alike:
            more = [one for one in sections if one.name not in self._alike and one.block >= offer]
            found += [_undecided(one, "belongs to both alternatives") for one in more]
        what = "still counts after the words below it"
        return found + [_undecided(one, what) for one in sections if one.block < last]


def _made_before(sections: Sequence[Section], section: Section) -> Section | None:
    """A section that makes the same new file; one whose hunks were all there already is none."""
    if section.header.old is not None or not section.pieces:
        return None
    return next((one for one in sections if one.header.old is None and one.pieces), None)


def _either(one: Section, sections: Sequence[Section]) -> str:
    others = [other.shown for other in sections if other.block > one.block]
    both = f"{one.shown} and {others[0] if others else 'what is below'} are offered as alternatives"
    return f"{both}, and neither is chosen: {_SEND}"


def _undecided(section: Section, what: str) -> str:
    named = section.name or "a file without a name"
    return f"it is not clear whether the change of {named} in {section.shown} {what}: {_SEND}"


def _changed(sections: Sequence[Section]) -> list[tuple[int | None, list[Line]]]:
    """For each hunk the lines that go and come, and the line of the file where that begins."""
    found = list[tuple[int | None, list[Line]]]()
    for hunk in (hunk for section in sections for hunk in section.hunks):
        above = next((n for n, line in enumerate(hunk.lines) if line.mark in ("+", "-")), 0)
        start = None if hunk.start is None else hunk.start + above
        found.append((start, [line for line in hunk.lines if line.mark in ("+", "-")]))
    return found


def _latest(thoughts: Sequence[Thought], wanted: Thought) -> list[int]:
    """For each block, the last one up to it above which the words do this; 0 for none."""
    found = [0]
    for block, each in enumerate(thoughts[1:], 1):
        found.append(block if each is wanted else found[-1])
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


class _Quoted:
    """What the sections of a file quote and add so far."""

    def __init__(self) -> None:
        self.said = set[tuple[tuple[Line, ...], int | None]]()
        self._hunks_with = dict[str, list[Hunk]]()
        self._old, self._only_added = set[str](), set[str]()
        self._is_made = False

    def add(self, section: Section) -> None:
        self._is_made = self._is_made or section.header.old is None
        for hunk in section.hunks:
            self.said.add((hunk.lines, hunk.start))
            self._old.update(_old(hunk))
            self._only_added.update(_written(hunk, "+"))
            for text in set(_old(hunk)):
                self._hunks_with.setdefault(text, []).append(hunk)
        self._only_added -= self._old

    def repeats(self, section: Section) -> bool:
        """Whether all of it is above, in the same words."""
        said = [(hunk.lines, hunk.start) in self.said for hunk in section.hunks]
        return bool(said) and all(said)

    def relation(self, section: Section) -> _Relation:
        """The closest one of any two hunks."""
        if self._is_made and section.header.old is None:
            return _Relation.SAME
        found = [
            _relation(hunk, other) for hunk in section.hunks for other in self._candidates(hunk)
        ]
        closest = max(found, default=_Relation.APART)
        return max(closest, _Relation.UNCLEAR) if self._is_built_on(section) else closest

    def _is_built_on(self, section: Section) -> bool:
        """Whether it removes what was only just added, or changes a file that was just made."""
        if self._is_made:
            return True
        gone = {text for hunk in section.hunks for text in _written(hunk, "-")}
        return not gone.isdisjoint(self._only_added)

    def _candidates(self, hunk: Hunk) -> Iterable[Hunk]:
        found = dict[int, Hunk]()
        for text in _old(hunk):
            others = self._hunks_with.get(text, ())
            if len(others) <= _OFTEN:
                found.update((other.at, other) for other in others)
        return found.values()


def _relation(one: Hunk, other: Hunk) -> _Relation:
    old, others = Counter(_old(one)), Counter(_old(other))
    same = (old & others).total()
    smaller = min(old.total(), others.total())
    removed = not set(_written(one, "-")).isdisjoint(_written(other, "-"))
    if same < smaller * (_SOME if removed else _MOST):
        return _Relation.APART
    is_same = one.lines == other.lines  # it may be meant for two places
    if one.start is not None and other.start is not None and abs(one.start - other.start) > _FAR:
        return _Relation.UNCLEAR if removed and not is_same else _Relation.APART
    if is_same:
        return _Relation.UNCLEAR
    added = set(_written(one, "+")) & set(_written(other, "+"))
    return _Relation.SAME if removed or added else _Relation.UNCLEAR


def _old(hunk: Hunk) -> list[str]:
    return [line.strip() for line in hunk.old if line.strip()]


def _written(hunk: Hunk, mark: str) -> list[str]:
    texts = (line.text.strip() for line in hunk.lines if line.mark == mark)
    return [text for text in texts if len(text) >= _TELLING]
