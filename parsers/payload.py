"""What stands after `Action Input:`. Its first line decides where it ends.

fence = 3 or more backticks or tildes, with an info string; closed by at least as many, alone
"""

from dataclasses import dataclass

_FENCE_MARKS = "`~"
_SHORTEST_FENCE = 3


@dataclass(frozen=True, slots=True)
class Fence:
    mark: str
    length: int

    def is_closed_by(self, line: str) -> bool:
        bare = line.strip()
        return len(bare) >= self.length and not bare.strip(self.mark)


def opening_fence(line: str) -> Fence | None:
    bare = line.lstrip()
    mark = bare[:1]
    if not mark or mark not in _FENCE_MARKS:
        return None
    length = len(bare) - len(bare.lstrip(mark))
    info = bare[length:]
    return Fence(mark, length) if length >= _SHORTEST_FENCE and mark not in info else None


def unfenced(text: str) -> str:
    """The payload without empty lines around it, nor a fence that spans it."""
    lines = _without_empty_ends(text.split("\n"))
    fence = opening_fence(lines[0])
    return "\n".join(_within(fence, lines) if fence else lines)


def _within(fence: Fence, lines: list[str]) -> list[str]:
    end = next((n for n, line in enumerate(lines) if n and fence.is_closed_by(line)), len(lines))
    spans = end < len(lines) and not any(line.strip() for line in lines[end + 1 :])
    return lines[1:end] if spans else lines


def _without_empty_ends(lines: list[str]) -> list[str]:
    """A last line of blanks stays: in a diff it is a line of context."""
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    last = len(lines)
    while last > first and not lines[last - 1]:
        last -= 1
    return lines[first:last] or [""]
