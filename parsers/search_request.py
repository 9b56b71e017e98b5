r"""What to search for, and where.

request = pattern NEWLINE ("path:" glob NEWLINE)*
"""

import re
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable

_PATH_LINE = re.compile(r"(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()


def parse_search_request(text: str) -> SearchRequest | Unreadable:
    lines = text.strip("\n").split("\n")
    pattern = lines[0].rstrip("\r")
    if not pattern.strip():
        return Unreadable("there is no pattern: write an extended regular expression")
    globs = []
    for number, line in enumerate(lines[1:], 2):
        found = _PATH_LINE.fullmatch(line.strip())
        if found:
            globs.append(found["glob"].strip().strip("`'\""))
        elif line.strip():
            return Unreadable(
                f"line {number}: expected `path: GLOB`, found {line.strip()[:80]!r}; "
                "a pattern is one line"
            )
    return SearchRequest(pattern, tuple(globs))
