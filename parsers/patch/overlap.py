"""Whether a change of a file quotes lines that others of it quote too."""

from collections import Counter
from collections.abc import Iterable

from react_agent.parsers.patch.changes import Hunk, Line
from react_agent.parsers.patch.sections import Section

_MOST = 0.6  # of the old lines of the smaller hunk
_SOME = 0.3  # together with a line that both remove
_TELLING = 6  # characters, before a line says where it stands
_OFTEN = 8  # a line in more hunks than that tells nothing


class Quoted:
    """What the sections of a file quote, add and say so far."""

    def __init__(self) -> None:
        self.said = set[tuple[Line, ...]]()
        self._hunks_with = dict[str, list[Hunk]]()
        self._old, self._added = set[str](), set[str]()
        self._is_made = False

    def add(self, section: Section) -> None:
        self._is_made = self._is_made or section.header.old is None
        for hunk in (piece.hunk for piece in section.pieces):
            self.said.add(hunk.lines)
            self._old.update(_old(hunk))
            self._added.update(_written(hunk, "+"))
            for text in set(_old(hunk)):
                self._hunks_with.setdefault(text, []).append(hunk)

    def repeats(self, section: Section) -> bool:
        """Whether all of it was said before, in the same words."""
        pieces = section.pieces
        return bool(pieces) and all(piece.hunk.lines in self.said for piece in pieces)

    def shares(self, section: Section) -> bool:
        if self._is_made and section.header.old is None:
            return True
        return any(
            _is_near(piece.hunk, other)
            for piece in section.pieces
            for other in self._candidates(piece.hunk)
        )

    def is_built_on(self, section: Section) -> bool:
        """Whether it removes what was only just added, or changes a file that was just made."""
        if self._is_made and section.header.old is not None:
            return True
        gone = {text for piece in section.pieces for text in _written(piece.hunk, "-")}
        return not gone.isdisjoint(self._added - self._old)

    def _candidates(self, hunk: Hunk) -> Iterable[Hunk]:
        found = dict[int, Hunk]()
        for text in _old(hunk):
            others = self._hunks_with.get(text, ())
            if len(others) <= _OFTEN:
                found.update((other.at, other) for other in others)
        return found.values()


def _is_near(one: Hunk, other: Hunk) -> bool:
    old, others = Counter(_old(one)), Counter(_old(other))
    same = (old & others).total()
    smaller = min(old.total(), others.total())
    both_remove = set(_written(one, "-")) & set(_written(other, "-"))
    return same >= smaller * (_SOME if both_remove else _MOST)


def _old(hunk: Hunk) -> list[str]:
    return [line.strip() for line in hunk.old if line.strip()]


def _written(hunk: Hunk, mark: str) -> list[str]:
    texts = (line.text.strip() for line in hunk.lines if line.mark == mark)
    return [text for text in texts if len(text) >= _TELLING]
