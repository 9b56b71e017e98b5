"""What an editing tool is given, made true of files: a patch in any format, or texts by name.

input = object | patch | fields                  the first of them that it can be
"""

from collections.abc import Iterator, Mapping, Sequence

from react_agent.parsers.block_marks import ALL, SEARCH
from react_agent.parsers.fence import opening_fence, unfenced
from react_agent.parsers.json_tokens import insists_on_json
from react_agent.parsers.labelled_path import looks_like_path
from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import FileChange, Hunk, Role
from react_agent.parsers.patch.reader import read_changes
from react_agent.parsers.replaced import replaced
from react_agent.parsers.replacement import Replacement, parse_replacements
from react_agent.parsers.unreadable import Unreadable

_NOTHING_READ = frozenset({Role.PROSE, Role.BLANK, Role.FENCE})


def is_object(text: str) -> bool:
    return insists_on_json(unfenced(text))


def edited(text: str, files: Mapping[str, str], usage: str) -> Repaired | Refused:
    """`usage` is what is said where nothing can be read."""
    if is_object(text):
        return _by_name(text, files, usage)
    text = _labelled(text, files)
    found = repair(text, files)
    if isinstance(found, Repaired):
        return found
    changes = read_changes(text).changes
    if not changes and _NOTHING_READ.issuperset(found.roles):
        return _by_name(text, files, usage)
    blocks = tuple(_blocks(changes))
    again = replaced(blocks, files) if blocks else found
    return again if isinstance(again, Repaired) else found


def _labelled(text: str, files: Mapping[str, str]) -> str:
    """The name of a file above a block is one, though only the files tell: `CHANGES`."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line[:1] in ("<", "-") and SEARCH.fullmatch(line.rstrip()):
            above = next((number for number in range(at - 1, -1, -1) if _says(lines[number])), at)
            name = lines[above].strip()
            if name in files and not looks_like_path(name):
                lines[above] = f"file: {name}"
    return "\n".join(lines)


def _says(line: str) -> bool:
    return bool(line.strip()) and not opening_fence(line) and not ALL.fullmatch(line)


def _by_name(text: str, files: Mapping[str, str], usage: str) -> Repaired | Refused:
    wanted = parse_replacements(text)
    if isinstance(wanted, Unreadable):
        return Refused((wanted.reason,))
    return replaced(wanted, files) if wanted else Refused((usage,))


def _blocks(changes: Sequence[FileChange]) -> Iterator[Replacement]:
    """What of a file may be a part of a line; none where something else is to be done as well."""
    if all(hunk.is_block for change in changes for hunk in change.hunks):
        for change in changes:
            for hunk in change.hunks:
                yield _block(change.new or "", hunk)


def _block(path: str, hunk: Hunk) -> Replacement:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (hunk.old, hunk.new))
    return Replacement(path, old, new, all=hunk.everywhere)
