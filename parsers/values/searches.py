r"""What to search for, and where.

request = pattern NEWLINE ("path:" glob NEWLINE | "context:" number NEWLINE)*
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable

MOST_AROUND = 10  # lines
_PATH_LINE = re.compile(r"(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)
_CONTEXT_LINE = re.compile(
    r"(?:(?:lines of )?context(?: lines)?\s*[:=]\s*|--context[= ]|-C ?)(?P<number>\d{1,9})"
    r"(?: lines?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()
    ignore_case: bool = False
    whole_words: bool = False
    plain: bool = False  # no regular expression
    mended: bool = False  # it was not written like this: it has to be said how it was read
    left_out: tuple[str, ...] = ()  # options
    around: tuple[int, int] = (0, 0)  # lines shown before and after each that matches


def parse_search_request(text: str) -> SearchRequest | Unreadable:
    lines = text.strip("\n").split("\n")
    pattern = lines[0].rstrip("\r")
    if not pattern.strip():
        return Unreadable("there is no pattern: write an extended regular expression")
    globs, around = [], (0, 0)
    for number, line in enumerate(lines[1:], 2):
        if found := _PATH_LINE.fullmatch(line.strip()):
            globs.append(found["glob"].strip().strip("`'\""))
        elif found := _CONTEXT_LINE.fullmatch(line.strip()):
            around = (at_most(found["number"]),) * 2
        elif line.strip():
            return Unreadable(
                f"line {number}: expected `path: GLOB`, found {line.strip()[:80]!r}; "
                "a pattern is one line"
            )
    return SearchRequest(pattern, tuple(globs), around=around)


def is_setting(line: str) -> bool:
    """Whether a line below the pattern says where to search, or how much to show."""
    bare = line.strip()
    return bool(_PATH_LINE.fullmatch(bare) or _CONTEXT_LINE.fullmatch(bare))


def at_most(number: str) -> int:
    return min(int(number), MOST_AROUND)


def within(folders: Sequence[str], globs: Sequence[str]) -> tuple[str, ...]:
    """A glob holds in the folders, where there are both."""
    named = [folder for folder in folders if folder not in (".", "./")]
    if globs and named:
        return tuple(f"{folder.rstrip('/')}/**/{glob}" for folder in named for glob in globs)
    return tuple(globs or named)
