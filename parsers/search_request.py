r"""What to search for, and where.

request = pattern NEWLINE ("path:" glob NEWLINE)*
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable

_PATH_LINE = re.compile(r"(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)


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


def within(folders: Sequence[str], globs: Sequence[str]) -> tuple[str, ...]:
    """A glob holds in the folders, where there are both."""
    named = [folder for folder in folders if folder not in (".", "./")]
    if globs and named:
        return tuple(f"{folder.rstrip('/')}/**/{glob}" for folder in named for glob in globs)
    return tuple(globs or named)
