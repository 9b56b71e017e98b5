r"""What to search for, and where.

request = pattern NEWLINE ("path:" glob NEWLINE)*
"""

import re
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable

_PATH_LINE = re.compile(r"(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)
_JSON = re.compile(r"\s*\{\s*\"(?:pattern|query|regex|search|keyword|text)\"\s*:")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()
    ignore_case: bool = False
    whole_words: bool = False
    plain: bool = False  # no regular expression
    mended: bool = False  # it was not written like this: it has to be said how it was read
    left_out: tuple[str, ...] = ()  # options


def parse_search_request(text: str) -> SearchRequest | Unreadable:
    lines = text.strip("\n").split("\n")
    pattern = lines[0].rstrip("\r")
    if not pattern.strip():
        return Unreadable("there is no pattern: write an extended regular expression")
    if _JSON.match(text):
        return Unreadable(
            "JSON is not read: write only the pattern; to search only a part, write path: FOLDER "
            "on a second line"
        )
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
