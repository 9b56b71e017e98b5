"""Find blocks of text between two lines of backticks or tildes.

fence = 3 or more of one mark, with an info string; closed by at least as many, alone on a line
        and indented by at most 3 spaces more; a special token may follow them
"""

from typing import NamedTuple

_MARKS = "`~"
_SHORTEST = 3
_DEEPEST = 3  # spaces: a line with more is code that only shows a fence
_PATCHES = ("diff", "patch")  # in these, a fence after one space is a line of context


class Fence(NamedTuple):
    mark: str
    length: int
    indent: int = 0
    info: str = ""

    def is_closed_by(self, line: str) -> bool:
        if self.mark not in line:
            return False
        bare = _without_tokens(line).strip()
        deepest = self.indent + (0 if self.info in _PATCHES else _DEEPEST)
        return (
            len(bare) >= self.length
            and not bare.strip(self.mark)
            and len(line) - len(line.lstrip()) <= deepest
        )

    def holds(self, other: "Fence") -> bool:
        """Return whether a fence inside this one must be closed first. A shorter one needn't be."""
        is_like = other.mark == self.mark and other.length >= self.length
        return is_like and bool(other.info) and other.indent <= self.indent + _DEEPEST


def opening_fence(line: str) -> Fence | None:
    bare = line.lstrip()
    mark = bare[:1]
    if not mark or mark not in _MARKS:
        return None
    length = len(bare) - len(bare.lstrip(mark))
    info = bare[length:].strip()
    if length < _SHORTEST or mark in info:
        return None
    return Fence(mark, length, len(line) - len(bare), info)


def follow(line: str, open_ones: list[Fence]) -> None:
    """Open or close a fence at this line. A nested fence needs an info string."""
    inner = open_ones[-1] if open_ones else None
    if inner and inner.is_closed_by(line):
        open_ones.pop()
    elif inner is None or inner.mark in line:
        opened = opening_fence(line)
        if opened and (inner is None or inner.holds(opened)):
            open_ones.append(opened)


def blocks(lines: list[str]) -> list[tuple[Fence, int, int]]:
    """Return each outermost fence with its first and last line, from 0. The last may be open."""
    found = list[tuple[Fence, int, int]]()
    open_ones = list[Fence]()
    begin = 0
    for number, line in enumerate(lines):
        outer = open_ones[0] if open_ones else None
        follow(line, open_ones)
        if open_ones and not outer:
            begin = number
        elif outer and not open_ones:
            found.append((outer, begin, number))
    return [*found, (open_ones[0], begin, len(lines))] if open_ones else found


def _without_tokens(line: str) -> str:
    """Return the line without trailing tokens. The slow import is made only if necessary."""
    if line.rstrip()[-1:] in ("", *_MARKS):
        return line
    from react_agent.parsers.turn.special import without_last_tokens

    return without_last_tokens(line)


def unfenced(text: str) -> str:
    """Return the text without surrounding empty lines and without a fence around all of it."""
    lines = without_empty_ends(text.split("\n"))
    found = blocks(lines) if opening_fence(lines[0]) else []
    end = found[0][2] if found else len(lines)
    is_whole = end < len(lines) and not any(map(str.strip, lines[end + 1 :]))
    return "\n".join(lines[1:end] if is_whole else lines)


def without_empty_ends(lines: list[str]) -> list[str]:
    """Remove empty lines at both ends. Keep a last line of spaces: it is context in a diff."""
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return lines[first:last] or [""]
