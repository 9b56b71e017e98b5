"""The line above a hunk, as git writes it and as models do.

header = "@@ -" start ["," count] " +" start ["," count] [" @@" [section]]
       | "@@" [number | section | placeholder] ["@@" [section]]
"""

from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern

_COUNTED = LatePattern(
    r"@@+ *-? ?(\d{1,9})(?: ?, ?(\d{1,9}))? *[ +]\+? ?(\d{1,9})(?: ?, ?(\d{1,9}))?"
    r"(?: *@@+|(?= )|$)(.*)"
)
_NUMBERED = LatePattern(r"@@+ *(?:[Ll]ines? ?|L|[-+])?(\d{1,9})(?: ?[,-] ?\d{1,9})? *(?:@@+|$)(.*)")
_PLACEHOLDER = LatePattern(r"(?:[-+.,…?_*0-9 ]|\b[xXnN]{1,3}\b|\b[a-dN]\b)*")


class HunkHeader(NamedTuple):
    start: int | None = None
    counts: tuple[int, int] | None = None
    sections: tuple[str, ...] = ()


def hunk_header(line: str) -> HunkHeader:
    """Of a line that begins with @@."""
    if counted := _COUNTED.match(line):
        old, old_count, _, new_count, rest = counted.groups()
        return HunkHeader(int(old), (int(old_count or 1), int(new_count or 1)), _sections(rest))
    if numbered := _NUMBERED.match(line):
        return HunkHeader(int(numbered[1]), None, _sections(numbered[2]))
    within, _, behind = line.strip("@").partition("@@")
    return HunkHeader(None, None, (*_sections(within), *_sections(behind)))


def is_hunk_header(line: str) -> bool:
    """Whether it is one wherever it stands: with numbers, or with @@ at both ends, or bare."""
    bare = line.rstrip()
    return line.startswith("@@") and (
        _COUNTED.match(line) is not None or bare.strip("@") == "" or "@@" in bare.lstrip("@")
    )


def is_combined(line: str) -> bool:
    """The header of a hunk of a merge, which has a column of marks for each parent."""
    return line.startswith("@@@ -")


def _sections(text: str) -> tuple[str, ...]:
    name = text.strip().removesuffix("@@").strip()
    return () if _PLACEHOLDER.fullmatch(name) else (name,)
