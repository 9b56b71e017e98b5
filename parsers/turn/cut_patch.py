"""A patch that ends in the middle of what it began: nothing of the kind may be applied.

It ends in a header, or is a V4A patch or a search/replace block without its end.
"""

import re

_HEADERS = ("diff --git ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null", "@@ ")
_BEGINS = ("diff --git ", "--- ", "Index: ", "*** Begin Patch")
_SEARCH = re.compile(r"<{5,9} ?SEARCH\b|-{5,9} ?SEARCH\b")
_REPLACE = re.compile(r">{5,9} ?REPLACE\b|\+{5,9} ?REPLACE\b")


def cut_patch(text: str, lines: list[str]) -> str | None:
    """What a patch lacks at its end; none for a whole one, and for what is no patch."""
    if not text.startswith(_BEGINS) and "SEARCH" not in text:
        return None
    first, last = lines[0], lines[-1]
    if first.startswith("*** Begin Patch"):
        return None if _has(lines, "*** End Patch") else "`*** End Patch`"
    if "SEARCH" in text and _count(lines, _SEARCH) > _count(lines, _REPLACE):
        return "the end of its last block"
    if last.startswith(_HEADERS) and len(lines) > 1 and _is_diff(lines):
        return f"what follows its last line, `{last[:60]}`"
    return None


def _count(lines: list[str], mark: re.Pattern[str]) -> int:
    return sum(line[:1] in "<->+" and bool(mark.match(line)) for line in lines)


def _has(lines: list[str], end: str) -> bool:
    return any(line.strip() == end for line in lines)


def _is_diff(lines: list[str]) -> bool:
    """By its first lines: `--- a` above `+++ b`, or a line of git's."""
    first, second = lines[0], lines[1]
    return first.startswith(("diff --git ", "Index: ")) or (
        first.startswith("--- ") and second.startswith("+++ ")
    )
