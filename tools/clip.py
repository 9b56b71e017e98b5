"""Shorten the text that a model sees, and report how much was left out."""

from collections.abc import Sequence

from react_agent.parsers.secrets.finder import Sure, secrets_in
from react_agent.parsers.text.counted import counted
from react_agent.tools.context import Limits

__all__ = ["clip", "clip_line", "counted", "fitting"]

_WIDEST_NOTE = 180  # characters of the sentence that stands where the middle was
_SMALLEST_PART = 40
_LONGEST_KEY = 1_000  # characters
_LESS = "ask for less to see them"


def clip(text: str, limits: Limits, advice: str = _LESS, lost: int = 0) -> str:
    """Return the text, cut in the middle if too long. `lost` bytes are already missing there."""
    room = max(limits.output_chars, _WIDEST_NOTE + 2 * _SMALLEST_PART)
    narrow = min(limits.line_chars, (room - _WIDEST_NOTE) // 2 - 1)
    lines = list[str]()
    for most in (limits.line_chars, narrow):
        lines = [clip_line(line, most) for line in text.split("\n")]
        if len("\n".join(lines)) <= room:
            return "\n".join(lines)
    left = room - _WIDEST_NOTE
    head = lines[: fitting(lines, left // 2)]
    left -= sum(len(line) + 1 for line in head)
    tail = lines[len(lines) - fitting(lines[len(head) :][::-1], left) :]
    middle = lines[len(head) : len(lines) - len(tail)]
    characters = sum(len(line) + 1 for line in middle)
    left_out = f"{counted(len(middle), 'line')} ({counted(characters, 'character')})"
    if lost:
        left_out = f"about {counted(characters + lost, 'byte')}"
    shown = f"at most {room:,} characters are shown at once"
    note = f"[... {left_out} left out here: {shown}, {advice} ...]"
    return "\n".join((*head, note, *tail))


def clip_line(line: str, most: int, around: int = 0) -> str:
    """Return the part of a line around index `around`, with counts of the omitted characters."""
    if len(line) <= most:
        return line
    kept = max(most - len(f"(+{len(line)} characters)…(+{len(line)} characters)…"), 1)
    start = min(max(around - kept // 2, 0), len(line) - kept)
    start, end = _beside_keys(line, start, start + kept)
    before, after = start, len(line) - end
    left = f"(+{before} characters)…" if before else ""
    right = f"…(+{after} characters)" if after else ""
    return left + line[start:end] + right


def _beside_keys(line: str, start: int, end: int) -> tuple[int, int]:
    """Return the cut positions, moved so that no key is split and redaction finds all keys."""
    offset = max(start - _LONGEST_KEY, 0)
    for key in secrets_in(line[offset : end + _LONGEST_KEY], Sure.PLACED):
        first, last = offset + key.start, offset + key.end
        start = last if first < start < last else start
        end = first if first < end < last else end
    return start, max(start, end)


def fitting(lines: Sequence[str], room: int) -> int:
    """Return how many of the first lines fit into the size limit."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)
