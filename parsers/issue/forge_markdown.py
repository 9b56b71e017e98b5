"""Make text from a forge readable for a model: remove hidden comments.

Code in fences and in backticks is not changed. A comment that is never closed is kept.
"""

from collections.abc import Iterator

from react_agent.parsers.text.fence import Fence, follow
from react_agent.parsers.text.late_pattern import LatePattern

_PARTS = LatePattern(r"(`[^`]{1,1000}`|<!--|-->)")
_OPENS, _CLOSES = "<!--", "-->"


def readable(text: str) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(_shown(lines)).strip("\n")


def _shown(lines: list[str]) -> Iterator[str]:
    fences, is_hidden = list[Fence](), False
    last = max((at for at, line in enumerate(lines) if _CLOSES in line), default=-1)
    for at, line in enumerate(lines):
        was_within = bool(fences)
        if not is_hidden:
            follow(line, fences)
        if was_within or fences:
            yield line
            continue
        bare, is_hidden = _without_comments(line, is_hidden, at < last)
        if bare.strip() or bare == line:
            yield bare


def _without_comments(line: str, is_hidden: bool, is_closed: bool) -> tuple[str, bool]:
    """Return the line without comments, and whether a comment that `is_closed` below continues."""
    if not is_hidden and _OPENS not in line:
        return line, False
    parts, kept = _PARTS.pattern.split(line), list[str]()
    last = max((at for at, part in enumerate(parts) if _CLOSES in part), default=-1)
    for at, part in enumerate(parts):
        if is_hidden:
            _, closed, behind = part.partition(_CLOSES)
            is_hidden = not closed
            kept.append(behind)
        elif part == _OPENS and (is_closed or at < last):
            is_hidden = True
        else:
            kept.append(part)
    return "".join(kept), is_hidden
