r"""The lines of a hunk: marked ones, and those whose mark was forgotten.

line = (" " | "+" | "-") text | "" | text | "\ No newline at end of file" (or in another language)
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Line

CUT = 2  # lines lacking: a count that is off by one is a slip
_SHARE = 4  # of a new file: one line in so many may lack
_CONTEXT = 3  # unchanged lines behind a change
_LEAST_NOTE = 12  # characters: "\\ No newline", in any language, as git takes it
_DEEPEST = 8  # blanks that are looked for before the marks


class Body(NamedTuple):
    lines: tuple[Line, ...]
    no_newline: tuple[bool, bool]

    @property
    def is_idle(self) -> bool:
        """Whether it changes nothing."""
        old = [line.text for line in self.lines if line.mark != "+"]
        new = [line.text for line in self.lines if line.mark != "-"]
        return old == new and self.no_newline[0] == self.no_newline[1]


class Left:
    """How many old and new lines are still to come, by what the header announced."""

    def __init__(self, counts: tuple[int, int] | None) -> None:
        self.is_known = counts is not None
        self.old, self.new = counts or (0, 0)

    def take(self, line: str) -> None:
        first = line[:1]
        if first == "\\" and is_no_newline(line):
            return
        self.old -= first != "+"
        self.new -= first != "-"

    @property
    def more(self) -> int:
        """The lines that are lacking on both sides."""
        return max(min(self.old, self.new), 0) if self.is_known else 0

    @property
    def is_done(self) -> bool:
        return self.is_known and self.old <= 0 and self.new <= 0


def body_of(lines: Sequence[str]) -> Body:
    read, flags = list[Line](), [False, False]
    for line in lines:
        if is_no_newline(line):
            mark = read[-1].mark if read else " "
            flags = [flags[0] or mark != "+", flags[1] or mark != "-"]
        elif not line:
            read.append(Line(" ", ""))
        elif line[0] in " +-":
            read.append(Line(line[0], line[1:]))
        else:
            read.append(Line("", line))
    return Body(tuple(read), (flags[0], flags[1]))


def is_no_newline(line: str) -> bool:
    return line.startswith("\\ ") and len(line) >= _LEAST_NOTE


def is_marked(line: str) -> bool:
    return line[:1] in ("", " ", "+", "-") or is_no_newline(line)


def lacking(lines: Sequence[str], counts: tuple[int, int] | None) -> int:
    left = Left(counts)
    for line in lines:
        left.take(line)
    return left.more


def is_cut(lines: Sequence[str], body: Body, counts: tuple[int, int] | None) -> bool:
    """Whether the text ends before the hunk does.

    Models miscount: only what ends in a change is taken for cut. Where both sides lack as many
    lines, these are the last ones of the context, without which it is whole.
    """
    left = Left(counts)
    for line in lines:
        left.take(line)
    if not left.is_known or body.lines[-1].mark not in ("+", "-"):
        return False
    if all(line.mark == "+" for line in body.lines):
        return left.new > max(CUT, (counts or (0, 0))[1] // _SHARE)
    if left.old == left.new:
        return left.old > _CONTEXT
    return max(left.old, left.new) >= (1 if body.lines[-1].mark == "-" else CUT)


def lacking_context(lines: Sequence[str], body: Body, counts: tuple[int, int] | None) -> int:
    """So many lines behind its last change are not quoted, as far as the counts tell."""
    left = Left(counts)
    for line in lines:
        left.take(line)
    return left.more if left.old == left.new and body.lines[-1].mark in ("+", "-") else 0


def unindented(lines: Sequence[str], counts: tuple[int, int] | None) -> list[str]:
    """The lines without the blanks before their marks, where only so the counts are right."""
    written = [line for line in lines if line.strip()]
    depth = min((len(line) - len(line.lstrip(" +-")) for line in written), default=0)
    for blanks in range(1, min(depth, _DEEPEST) + 1):
        if all(line[:blanks] == " " * blanks for line in written):
            bare = [line[blanks:] for line in lines]
            if _is_exact(bare, counts) and not _is_exact(lines, counts):
                return bare
    return []


def _is_exact(lines: Sequence[str], counts: tuple[int, int] | None) -> bool:
    left = Left(counts)
    for line in lines:
        left.take(line)
    return left.is_known and left.old == 0 == left.new
