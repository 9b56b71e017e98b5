"""Where a hunk ends: at the next header, at a fence, or where prose begins.

What its header announces is a hint only: it is off by a line or two in every other patch.
"""

from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.git_header import begins_file
from react_agent.parsers.patch.header_name import header_name, is_path
from react_agent.parsers.patch.hunk_lines import Left, is_marked

_ENDS = ("@@", "```", "diff --git ", "diff --cc ", "GIT binary patch", "*** End Patch")
_BULLET = LatePattern(r"[-+] \S")
_RULE = LatePattern(r"[-+=| ]{3,}$")
_VERSION = LatePattern(r"\d+\.\d+[\w.-]*(?: .*)?$")
_CLOSING = LatePattern(r"</\w+>\s*$|<\|[^|<>\s]{1,40}\|>\s*$|~~~$|\*\*\* End")
_SENTENCE = LatePattern(r"[A-Z0-9`*#>(]")
_FEWEST = 4  # words of a sentence
_SLIP = 2  # lines that a count is off by often


def hunk_end(lines: Sequence[str], at: int, counts: tuple[int, int] | None, fenced: bool) -> int:
    """The line behind the last one of the hunk whose first line stands at `at`."""
    limit = _limit(lines, at, counts)
    last = max((n for n in range(at, limit) if is_change(lines[n])), default=at - 1)
    left = Left(counts)
    end = at
    while end < limit and _belongs(lines, end, last, left, fenced=fenced):
        left.take(lines[end])
        end += 1
    return _without_blanks(lines, at, end, counts)


def is_change(line: str) -> bool:
    """A line that comes or goes, and that cannot be an item of a list or a rule."""
    if line[:1] not in ("+", "-"):
        return False
    may_be_none = line[1:2] in " -+=|"
    return not (may_be_none and (_BULLET.match(line) or _RULE.match(line)))


def is_signature(lines: Sequence[str], at: int) -> bool:
    """The end of a mail by `git format-patch`: two dashes above a version."""
    if lines[at].rstrip() != "--":
        return False
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return _VERSION.match(below) is not None


def _limit(lines: Sequence[str], at: int, counts: tuple[int, int] | None) -> int:
    left = Left(counts)
    for number in range(at, len(lines)):
        line = lines[number]
        if line[:1] in ("-", "+"):
            if _is_below(lines, number, left) or _is_header(lines, number, left):
                return number
        elif line.startswith(_ENDS) or (line[:1] in ("I", "d") and begins_file(lines, number)):
            return number
        left.take(line)
    return len(lines)


def _is_below(lines: Sequence[str], at: int, left: Left) -> bool:
    """Whether a mail's signature begins there: a version, or behind all that was announced."""
    if lines[at].rstrip() != "--":
        return False
    is_end = at + 1 < len(lines) and lines[at + 1][:1] not in ("+", "-", " ", "@", "\\")
    return is_signature(lines, at) or (left.is_done and is_end)


def _is_header(lines: Sequence[str], at: int, left: Left) -> bool:
    """A removed line `-- x` looks like the name of a file, an added one `++ x` does so too."""
    if not lines[at].startswith(("--- ", "+++ ")):
        return False
    line, below, second = (lines[n] if n < len(lines) else "" for n in range(at, at + 3))
    name = header_name(line[4:])
    if line.startswith("--- ") and below.startswith("+++ "):
        follows = not second.strip() or second.startswith(("@@", "```"))
        if is_path(name) and is_path(header_name(below[4:])):
            return follows or not left.more
        return follows and not left.more
    lacks = left.old if line.startswith("--- ") else left.new
    is_sure = name is None or name.startswith(("a/", "b/"))
    return below.startswith("@@") and is_path(name) and (is_sure or lacks <= 0)


def _belongs(lines: Sequence[str], at: int, last: int, left: Left, *, fenced: bool) -> bool:
    line = lines[at]
    if not line:
        return at == 0 or not lines[at - 1] or not _ends_at_blank(lines, at, last, left, fenced)
    return is_marked(line) or _goes_on(lines, at, last, left)


def _ends_at_blank(lines: Sequence[str], at: int, last: int, left: Left, fenced: bool) -> bool:
    """Behind all that was announced, a list or a rule below a blank line is one of prose."""
    if fenced or not left.is_done or last > at:
        return False
    written = next((n for n in range(at + 1, len(lines)) if lines[n]), at)
    return bool(_BULLET.match(lines[written]) or _RULE.match(lines[written]))


def _goes_on(lines: Sequence[str], at: int, last: int, left: Left) -> bool:
    """Whether a line without a mark is one of the hunk."""
    line = lines[at]
    if _CLOSING.match(line):
        return False
    if lines[at - 1]:
        below = lines[at + 1] if at + 1 < len(lines) else ""
        is_within = below[:1] in ("+", "-") and not _BULLET.match(below)
        return last > at or left.more > 0 or (not left.is_known and is_within)
    if last > at:
        return left.more > 0 or not _is_sentence(line)
    return left.more > _SLIP and not _is_sentence(line)


def _is_sentence(line: str) -> bool:
    """By its first letter and its words; code ends in a bracket or a comma."""
    is_open = line.rstrip().endswith(("(", "{", "[", ",", ";", "=", "\\"))
    return bool(_SENTENCE.match(line)) and len(line.split()) >= _FEWEST and not is_open


def _without_blanks(lines: Sequence[str], at: int, end: int, counts: tuple[int, int] | None) -> int:
    """Blank lines behind the last one belong to the hunk as far as they were announced."""
    bare = end
    while bare > at and not lines[bare - 1]:
        bare -= 1
    left = Left(counts)
    for line in lines[at:bare]:
        left.take(line)
    is_before_prose = end < len(lines) and not lines[end].startswith(("@@", "```", "---", "diff "))
    kept = 0 if is_before_prose else left.more
    return min(end - (end == len(lines)), bare + kept) if end > bare else end
