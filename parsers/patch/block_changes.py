"""Blocks of old and new lines, each for a path -> changes of files."""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk
from react_agent.parsers.patch.kept_lines import kept_lines
from react_agent.parsers.patch.line_cursor import Unread


class Block(NamedTuple):
    path: str
    at: int  # its first line in the text, counted from 1
    old: list[str]
    new: list[str]
    start: int | None = None  # the line of the file that it says, counted from 1
    everywhere: bool = False


def changes_of(blocks: Sequence[Block]) -> list[FileChange]:
    """One for each path, in the order in which they come."""
    found = dict[str, list[Block]]()
    for block in blocks:
        found.setdefault(block.path, []).append(block)
    return [_change(path, of_path) for path, of_path in found.items()]


def _change(path: str, blocks: Sequence[Block]) -> FileChange:
    """Nothing to look for: the file is new, and this is all of it."""
    at, is_new = blocks[0].at, False
    for block in blocks:
        is_empty = not any(line.strip() for line in block.old)
        is_new = is_new or is_empty
        if is_empty and len(blocks) > 1:
            raise Unread(
                f"the block of line {block.at} has nothing to look for, and {path} has other "
                "blocks: quote a line beside the new ones"
            )
        if is_empty and not any(block.new):
            raise Unread(f"the block of line {block.at} is empty: write the old and the new lines")
    hunks = tuple(map(_hunk, blocks))
    return FileChange(at, None if is_new else path, path, hunks)


def _hunk(block: Block) -> Hunk:
    old = block.old if any(line.strip() for line in block.old) else []
    lines = kept_lines(old, block.new)
    return Hunk(block.at, lines, start=block.start, everywhere=block.everywhere, is_block=True)
