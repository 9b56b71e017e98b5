"""The file that hunks without a header are meant for, where the text says it right above them.

name = path | label path | "```diff " path | a line that ends in a path and a colon
"""

from collections.abc import Sequence

from react_agent.parsers.fence import opening_fence
from react_agent.parsers.late_pattern import LatePattern

_LONGEST = 200  # characters of a line that names a file
_PATH = r"[\w.@+-]*(?:/[\w.@+-]+)*[\w@+-]\.\w{1,8}|[\w.@+-]+(?:/[\w.@+-]+)+"
_ALONE = LatePattern(
    rf"[#>*\s\d.)-]*(?:(?:[Ff]ile(?:name)?|[Pp]ath|[Ii]n|[Uu]pdate|[Ee]dit|[Cc]hange|[Mm]odify)\b"
    rf":?\**\s*)?[*`\"']*(?P<path>{_PATH})[*`\"']*:?[*`]*:?\s*"
)
_QUOTED = LatePattern(rf"`({_PATH})`")
_INFO = LatePattern(rf"\w+[ :]+(?:(?:file(?:name)?|path|title)=)?[\"'`]?(?P<path>{_PATH})[\"'`]?")


def named_above(lines: Sequence[str], at: int) -> tuple[str, int] | None:
    """The name and the line that has it, of a hunk that begins at `at`."""
    above = _written_above(lines, at)
    if above is None:
        return None
    if fence := opening_fence(lines[above]):
        if info := _INFO.fullmatch(fence.info[:_LONGEST]):
            return info["path"], above
        above = _written_above(lines, above)
        if above is None:
            return None
    if len(lines[above]) > _LONGEST:
        return None
    if alone := _ALONE.fullmatch(lines[above]):
        return alone["path"], above
    if lines[above].rstrip().endswith(":"):
        names = set(_QUOTED.pattern.findall(lines[above]))
        return (names.pop(), above) if len(names) == 1 else None
    return None


def _written_above(lines: Sequence[str], at: int) -> int | None:
    while at > 0:
        at -= 1
        if lines[at].strip():
            return at
    return None
