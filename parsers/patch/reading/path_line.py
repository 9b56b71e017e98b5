"""Find where a text names a file: above a change, in its fence, or in the text around it.

line = ["file:" | "path:" | "##" | ...] path [":"]        in quotes, backticks or bold, too
info = [language [":" | " "]] path
"""

import re
from collections.abc import Collection, Iterator, Sequence

from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.text.fence import opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_LONGEST = 300  # characters of a line that may be a path
_MOST_SPACES = 12
_LONGEST_PROSE = 2_000  # characters of a line searched for known files
_LABEL = LatePattern(
    r"(?:file|path|file[ _-]?path|file[ _-]?name|target[ _-]?file|in|edit|update)\s*[:=]\s*"
    r"|#+\s+|//\s+",
    re.IGNORECASE,
)
_PATH = LatePattern(r"[^\s:*?<>|\"`{}]+")
_ENDING = LatePattern(r"(?:[^/]*\.[A-Za-z0-9_+-]{1,12}|[A-Z]\w*file|LICENSE|README|\.[\w.-]+)")
_LINE_NUMBER = LatePattern(r":\d{1,7}(?:[-:]\d{1,7})?$")
_AROUND = "`*'\"()[]<>,:;."


def labelled_path(line: str) -> str:
    """Return the line without its label, quotes, emphasis and final colon."""
    before, bare = None, line.strip()
    while bare != before:
        before = bare
        bare = bare.strip("`'\"*").removesuffix(":").strip()
        label = _LABEL.match(bare)
        bare = bare[label.end() :] if label else bare
    return bare


def looks_like_path(text: str) -> bool:
    if not _PATH.fullmatch(text) or not any(letter.isalnum() for letter in text):
        return False
    return "/" in text or _has_ending(text)


def _has_ending(path: str) -> bool:
    """Return whether the path has a file extension, since `Input/Output` may be a heading."""
    return _ENDING.fullmatch(path.rpartition("/")[2]) is not None


def path_of(line: str) -> str:
    """Return the path if it is the whole line, or "" if the line contains more."""
    if len(line) > _LONGEST or line.count(" ", len(line) - len(line.lstrip())) > _MOST_SPACES:
        return ""
    found = labelled_path(line)
    if looks_like_path(found):
        return found
    text = line.strip().strip("*").removesuffix(":").strip("*")
    text = text[1:-1] if text[:1] == text[-1:] == "`" else ""
    return text if _has_ending(text) and looks_like_path(text.replace(" ", "_")) else ""


def path_in_info(info: str) -> str:
    for word in info.split()[::-1] if len(info) <= _LONGEST else ():
        text = labelled_path(word).rpartition(":")[2]
        if looks_like_path(text):
            return text
    return ""


def named_above(lines: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return the path above a line or in a fence that opens there, and the line that names it."""
    for above in range(at - 1, -1, -1):
        fence, line = opening_fence(lines[above]), lines[above]
        if path := path_in_info(fence.info) if fence else path_of(line):
            return path, above
        if line.strip() and not fence:
            return None
    return None


def path_above(line: str, files: Collection[str]) -> str:
    """Return the path if it is the whole line, or else the only known file in the line."""
    if path := path_of(line):
        return path
    alone = line.strip()
    if alone and len(alone) <= _LONGEST and alone in files:
        return alone
    names = set(_known(line, files))
    return names.pop() if len(names) == 1 else ""


def with_names(reading: Reading, lines: Sequence[str], files: Collection[str]) -> Reading:
    """Assign the only known file that the text names to changes without a file name."""
    outside = (Role.PROSE, Role.HEADER, Role.FENCE)
    places = {
        name: at
        for at, (line, role) in enumerate(zip(lines, reading.roles, strict=True), 1)
        for name in (_known(line, files) if role in outside else ())
    }
    if len(places) != 1:
        return reading
    [(name, at)] = places.items()
    changes, repairs = list[FileChange](), list[str]()
    for change in reading.changes:
        if change.old == "" == change.new:
            repairs.append(f"line {change.at} names no file: read as {name}, which line {at} names")
            change = change._replace(old=name, new=name)
        changes.append(change)
    return reading._replace(changes=tuple(changes), repairs=(*reading.repairs, *repairs))


def _known(line: str, files: Collection[str]) -> Iterator[str]:
    """Yield the known files that a line names. In a sentence, a word like `fix` is not a file."""
    words = line[:_LONGEST_PROSE].split()
    for word in words:
        name = _LINE_NUMBER.sub("", word.strip(_AROUND)).removeprefix("./")
        is_word = len(words) > 1 and name.isalpha() and name.islower()
        if not is_word and name in files:
            yield name
