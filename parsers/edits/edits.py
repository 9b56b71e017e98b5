"""What an editing tool is given, made true of files: a patch in any format, or texts by name.

input = object | patch | fields                  the first of them that it can be
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from react_agent.parsers.edits.replaced import replaced
from react_agent.parsers.edits.replacement import Replacement, parse_replacements
from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import FileChange, Hunk, Role
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.repair import mended
from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.values.damaged_json import insists_on_json
from react_agent.parsers.values.unreadable import Unreadable

_NOTHING_READ = frozenset({Role.PROSE, Role.BLANK, Role.FENCE})


def is_object(text: str) -> bool:
    return insists_on_json(unfenced(text))


class Edits(NamedTuple):
    """What there is to edit, as a tool has it."""

    files: Mapping[str, str]
    usage: str  # what is said where nothing can be read
    roots: tuple[str, ...] = ()  # where the files lie: absolute paths may begin so

    def edited(self, text: str) -> Repaired | Refused:
        if is_object(text):
            return self._by_name(text)
        reading = read_changes(text, self.files)
        if reading.problem:
            is_nothing = _NOTHING_READ.issuperset(reading.roles)
            return self._by_name(text) if is_nothing else Refused((reading.problem,))
        changes = tuple(map(self._below_root, reading.changes))
        found = mended(changes, self.files)
        if isinstance(found, Refused) and (blocks := tuple(_blocks(changes))):
            again = replaced(blocks, self.files)
            found = again if isinstance(again, Repaired) or again.of_parts else found
        if isinstance(found, Refused):
            return found
        return found._replace(repairs=(*reading.repairs, *found.repairs))

    def _by_name(self, text: str) -> Repaired | Refused:
        wanted = parse_replacements(text)
        if isinstance(wanted, Unreadable):
            return Refused((wanted.reason,))
        below = [replace(one, path=self._relative(one.path)) for one in wanted]
        return replaced(below, self.files) if below else Refused((self.usage,))

    def _below_root(self, change: FileChange) -> FileChange:
        old, new = (name and self._relative(name) for name in (change.old, change.new))
        return change._replace(old=old, new=new)

    def _relative(self, name: str) -> str:
        for root in self.roots:
            name = name.removeprefix(f"{root}/")
        return name


def _blocks(changes: Sequence[FileChange]) -> Iterator[Replacement]:
    """What of a file may be a part of a line; none where something else is to be done as well."""
    if all(hunk.is_block for change in changes for hunk in change.hunks):
        for change in changes:
            for hunk in change.hunks:
                yield _block(change.new or "", hunk)


def _block(path: str, hunk: Hunk) -> Replacement:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (hunk.old, hunk.new))
    return Replacement(path, old, new, all=hunk.everywhere)
