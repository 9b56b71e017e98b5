"""Whether a change of a file quotes lines that others of it quote too."""

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum

from react_agent.parsers.patch.changes import Hunk, Line
from react_agent.parsers.patch.sections import Section

_MOST = 0.6  # of the old lines of the smaller hunk
_SOME = 0.3  # together with a line that both remove
_TELLING = 6  # characters, before a line says where it stands
_OFTEN = 8  # a line in more hunks than that tells nothing
_FAR = 50  # lines between two starts, both as models tell them


class Relation(IntEnum):
    APART = 0
    UNCLEAR = 1
    SAME = 2


class Quoted:
    """What the sections of a file quote, add and say so far."""

    def __init__(self) -> None:
        self.said = set[tuple[tuple[Line, ...], int | None]]()
        self._hunks_with = dict[str, list[Hunk]]()
        self._old, self._only_added = set[str](), set[str]()
        self._is_made = False

    def add(self, section: Section) -> None:
        self._is_made = self._is_made or section.header.old is None
        for hunk in (piece.hunk for piece in section.pieces):
            self.said.add((hunk.lines, hunk.start))
            self._old.update(_old(hunk))
            self._only_added.update(_written(hunk, "+"))
            for text in set(_old(hunk)):
                self._hunks_with.setdefault(text, []).append(hunk)
        self._only_added -= self._old

    def repeats(self, section: Section) -> bool:
        """Whether all of it was said before, in the same words."""
        said = [(piece.hunk.lines, piece.hunk.start) in self.said for piece in section.pieces]
        return bool(said) and all(said)

    def relation(self, section: Section) -> Relation:
        """The closest one of any two hunks."""
        is_made = section.header.old is None
        if self._is_made and is_made:
            return Relation.SAME
        found = [
            _relation(piece.hunk, other)
            for piece in section.pieces
            for other in self._candidates(piece.hunk)
        ]
        closest = max(found, default=Relation.APART)
        return max(closest, Relation.UNCLEAR) if self._is_built_on(section) else closest

    def _is_built_on(self, section: Section) -> bool:
        """Whether it removes what was only just added, or changes a file that was just made."""
        if self._is_made:
            return True
        gone = {text for piece in section.pieces for text in _written(piece.hunk, "-")}
        return not gone.isdisjoint(self._only_added)

    def _candidates(self, hunk: Hunk) -> Iterable[Hunk]:
        found = dict[int, Hunk]()
        for text in _old(hunk):
            others = self._hunks_with.get(text, ())
            if len(others) <= _OFTEN:
                found.update((other.at, other) for other in others)
        return found.values()


def _relation(one: Hunk, other: Hunk) -> Relation:
    old, others = Counter(_old(one)), Counter(_old(other))
    same = (old & others).total()
    smaller = min(old.total(), others.total())
    removed = not _removed(one).isdisjoint(_removed(other))
    if same < smaller * (_SOME if removed else _MOST):
        return Relation.APART
    is_same = one.lines == other.lines  # it may be meant for two places
    if one.start is not None and other.start is not None and abs(one.start - other.start) > _FAR:
        return Relation.UNCLEAR if removed and not is_same else Relation.APART
    if is_same:
        return Relation.UNCLEAR
    added = set(_written(one, "+")) & set(_written(other, "+"))
    return Relation.SAME if removed or added else Relation.UNCLEAR


def _removed(hunk: Hunk) -> set[str]:
    return set(_written(hunk, "-"))


def _old(hunk: Hunk) -> list[str]:
    return [line.strip() for line in hunk.old if line.strip()]


def _written(hunk: Hunk, mark: str) -> list[str]:
    texts = (line.text.strip() for line in hunk.lines if line.mark == mark)
    return [text for text in texts if len(text) >= _TELLING]
