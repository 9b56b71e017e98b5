r"""The marks of search/replace blocks, and the path on a line of its own above them.

search  = "<<<<<<<" ["SEARCH" | "ORIGINAL" ...] [path] | "------- SEARCH"
divider = "======="
replace = ">>>>>>>" ["REPLACE" | "UPDATED" ...] | "+++++++ REPLACE"     5 to 9 characters each
path    = [label] [quotes] PATH [quotes] [":"]
"""

import re
from collections.abc import Sequence

from react_agent.parsers.text.late_pattern import LatePattern

USAGE = (
    "write the PATH on the first line and below it <<<<<<< SEARCH, the lines to be replaced, "
    "=======, the new lines, >>>>>>> REPLACE"
)
SEARCH = LatePattern(
    r"(?:(?P<mark><{5,9})[ \t]*(?P<word>(?i:search|original|old|before|head)\b:?>?)?"
    r"[ \t]*(?P<path>.*)"
    r"|(?P<dashes>-{5,9})[ \t]*(?i:search)\b:?>?[ \t]*)"
)
REPLACE = LatePattern(
    r">{5,9}[ \t]*(?:(?i:replace|updated|new|after)\b.*)?|\+{5,9}[ \t]*REPLACE\b.*"
)
ALL = LatePattern(r"\W{0,3}replace[ _-]?all\W{0,3}\s*[:=]?\s*(?P<value>\w*)\W*", re.IGNORECASE)
YES = ("yes", "true", "1", "on", "")
_DIVIDER = LatePattern(r"={5,9}")
_LABEL = LatePattern(
    r"(?:file|path|file[ _-]?path|file[ _-]?name|target[ _-]?file|in|edit|update)\s*[:=]\s*"
    r"|#+\s+|//\s+",
    re.IGNORECASE,
)
_AROUND = "`'\"*"
_PATH = LatePattern(r"[^\s:*?<>|\"`{}]+")
_ENDING = LatePattern(r".*\.[A-Za-z0-9_+-]{1,12}")
_BARE_NAMES = ("Makefile", "Dockerfile", "README", "LICENSE", "Pipfile", "Rakefile", "Gemfile")


def dividers(body: Sequence[str], length: int) -> list[int]:
    """Which lines between the outer marks can be the divider; of several those as long as they."""
    found = [at for at, line in enumerate(body) if _DIVIDER.fullmatch(line.rstrip())]
    if len(found) < 2:
        return found
    return [at for at in found if len(body[at].rstrip()) == length]


def no_divider(found: Sequence[int], began: int) -> str:
    """Why there is not one; `began` is the line of the search mark, counted from 1."""
    if not found:
        return f"the block of line {began} has no ======= of its own: {USAGE}"
    numbers = ", ".join(str(began + at + 1) for at in found)
    return (
        f"in the block of line {began} any of lines {numbers} can be the divider: write its three "
        "marks with another number of characters, from 5 to 9, the same in all of them"
    )


def labelled_path(line: str) -> str:
    """Without label, quotes, emphasis and a colon at its end."""
    before, bare = None, line.strip()
    while bare != before:
        before = bare
        bare = bare.strip(_AROUND).removesuffix(":").strip()
        label = _LABEL.match(bare)
        bare = bare[label.end() :] if label else bare
    return bare


def looks_like_path(text: str) -> bool:
    if not _PATH.fullmatch(text) or not any(letter.isalnum() for letter in text):
        return False
    return "/" in text or bool(_ENDING.fullmatch(text)) or text in _BARE_NAMES
