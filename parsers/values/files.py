r"""Which lines of which file: a line as models write it, strictly first.

request = path | path separator ["lines" [":"]] start [to end]
separator = ":" | "#" | "," | " " | "(" | "["        start = ["L"] digits
to = "-" | ".." | "," | " " | "to"                   end = ["L"] digits | "end" | "$"
"""

import re
from dataclasses import dataclass

_RANGE = re.compile(
    r"(?P<path>.+?)(?:\s*+[:#(\[]\s*+|,?\s++|,)(?:lines?:?\s++)?L?(?P<start>\d{1,9})"
    r"(?:(?:\s*+(?:-|–|—|\.\.|,|\bto\b)|\s)\s*+(?:L?(?P<end>\d{1,9})|end|\$)?|:\d{1,9}:?|:)?[)\]]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FileRequest:
    path: str
    start: int = 1
    end: int | None = None  # none: as many lines as are shown at once


def readings(line: str) -> tuple[FileRequest, ...]:
    """What the line can mean; a file whose name ends like a range is among it, and first."""
    bare = line.strip()
    whole = FileRequest(bare)
    found = _RANGE.fullmatch(bare)
    if not found:
        return (whole,)
    start = int(found["start"])
    end = int(found["end"]) if found["end"] else None
    if end is not None and end < start:
        start, end = end, start
    return (whole, FileRequest(found["path"], max(start, 1), end))
