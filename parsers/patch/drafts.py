"""Of several changes of one file, which ones count.

Below words like "wait" another block takes the place of those above it, and so does one that
quotes the same lines; hunks elsewhere in the file come on top. What can't be told is a problem.
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Role
from react_agent.parsers.patch.overlap import Quoted, Relation
from react_agent.parsers.patch.second_thought import Thought, thought
from react_agent.parsers.patch.sections import Section

_SEND = "send the final diff only, once for each file"


class Kept(NamedTuple):
    changes: tuple[FileChange, ...]
    repairs: list[str]
    problems: list[str]


def kept(sections: Sequence[Section], intros: Sequence[Sequence[str]], roles: list[Role]) -> Kept:
    """The changes that count; the lines of the others get their role."""
    thoughts = [Thought.NONE, *(thought(intro) for intro in intros[1:])]
    folding = _Folding(thoughts, roles)
    for section in sections:
        if section.pieces or not section.idle:
            folding.add(section)
    changes = [_joined(group.sections) for group in folding.groups.values() if group.sections]
    return Kept(tuple(sorted(changes, key=_at)), folding.repairs, folding.problems)


class _Group:
    """The changes of one file."""

    def __init__(self) -> None:
        self.sections = list[Section]()
        self.problems = list[str]()
        self.above = Quoted()  # by those of the blocks above
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
        self._again = _latest(thoughts, Thought.AGAIN)
        self._better = _latest(thoughts, Thought.BETTER)
        self._adds = _latest(thoughts, Thought.ADDS)
        self._offers = _latest(thoughts, Thought.OFFERS)

    def add(self, section: Section) -> None:
        group = self.groups.setdefault(section.name, _Group())
        group.begin(section.block)
        if not group.is_above:
            self._leave_out_doubles(group, section)
            if made := _made_before(group.sections, section):
                group.problems.append(_twice(made, section))
            group.take(section)
        elif self._is_thought_over(group, section):
            self._replace(group, section)
        elif group.above.repeats(section):
            self._leave_out([section])
            self.repairs.append(f"{section.shown} say again what was said above: read once")
        elif self._replaces(group, section):
            self._replace(group, section)
        else:
            group.take(section)

    def _leave_out_doubles(self, group: _Group, section: Section) -> None:
        for piece in list(section.pieces):
            key = (piece.hunk.lines, piece.hunk.start, piece.hunk.counts)
            if key in group.hunks and piece.hunk.start is not None:  # else it has another place
                section.pieces.remove(piece)
                self.roles[piece.first : piece.end] = [Role.DRAFT] * (piece.end - piece.first)
                self.repairs.append(f"the hunk in line {piece.first + 1} was there already")
            group.hunks.add(key)

    def _is_thought_over(self, group: _Group, section: Section) -> bool:
        last = max(self._again[section.block], self._better[section.block])
        return last > group.sections[0].block

    def _replaces(self, group: _Group, section: Section) -> bool:
        if self._offers[section.block] > group.sections[0].block:
            return False
        relation = group.above.relation(section)
        adds = self._adds[section.block] > group.sections[0].block
        if relation is Relation.UNCLEAR or (adds and relation is Relation.APART):
            said = _can_not_tell(section, f"replaces that in {group.sections[-1].shown}")
            group.problems.append(said)
        return relation is Relation.SAME

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
        """Also of changes above a second thought, of files that were not written again."""
        found = [said for group in self.groups.values() for said in group.problems]
        sections = [one for group in self.groups.values() for one in group.sections]
        last, offer = self._again[-1], self._offers[-1]
        found += [_either(one, sections) for one in sections if one.block < offer]
        return found + [
            _can_not_tell(section, "still counts after what is said below it")
            for section in sections
            if section.block < last
        ]


def _made_before(sections: Sequence[Section], section: Section) -> Section | None:
    """A section that makes the same new file; one whose hunks were all there already is none."""
    if section.header.old is not None or not section.pieces:
        return None
    return next((one for one in sections if one.header.old is None and one.pieces), None)


def _twice(one: Section, other: Section) -> str:
    lines = f"in {one.shown} and in {other.shown}"
    return f"{one.name} is created twice, {lines}, with different text: {_SEND}"


def _either(one: Section, sections: Sequence[Section]) -> str:
    others = [other.shown for other in sections if other.block > one.block]
    both = f"{one.shown} and {others[0] if others else 'what is below'} are offered as alternatives"
    return f"{both}, and it is not said which one counts: {_SEND}"


def _can_not_tell(section: Section, what: str) -> str:
    named = section.name or "a file without a name"
    return f"it can't be told whether the change of {named} in {section.shown} {what}: {_SEND}"


def _latest(thoughts: Sequence[Thought], wanted: Thought) -> list[int]:
    """For each block, the last one up to it above which this is thought; 0 for none."""
    found = [0]
    for block, each in enumerate(thoughts[1:], 1):
        found.append(block if each is wanted else found[-1])
    return found


def _at(change: FileChange) -> int:
    return change.at


def _joined(sections: Sequence[Section]) -> FileChange:
    first = sections[0].header
    for other in (section.header for section in sections[1:]):
        first = first._replace(
            moved=first.moved or other.moved,
            old_mode=first.old_mode or other.old_mode,
            new_mode=first.new_mode or other.new_mode,
        )
    hunks = tuple(piece.hunk for section in sections for piece in section.pieces)
    return first._replace(hunks=hunks)
