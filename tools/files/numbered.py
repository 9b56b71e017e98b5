"""Lines as a model sees them: `  12| text`."""

from collections.abc import Sequence

from react_agent.tools.clip import clip_line

_NARROWEST = 4


def number(at: int, line: str, most: int, around: int = 0) -> str:
    """At most `most` characters; a longer line is clipped around the character `around`."""
    prefix = _prefix(at)
    return f"{prefix}{clip_line(line, most - len(prefix), around)}" if line else prefix.rstrip()


def is_clipped(at: int, line: str, most: int) -> bool:
    return len(_prefix(at)) + len(line) > most


def _prefix(at: int) -> str:
    return f"{at:>{_NARROWEST}}| "


def number_lines(lines: Sequence[str], first: int, most: int) -> list[str]:
    return [number(at, line, most) for at, line in enumerate(lines, first)]
