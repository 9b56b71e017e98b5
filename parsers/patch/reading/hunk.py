r"""Read the headers and hunks of a unified diff, and find where they end.

file      = ["diff --git " names] attribute* ["--- " name] ["+++ " name]
attribute = "index " ... | "new file mode " mode | "rename from " name | ...
name      = (path | quoted path) [TAB anything]
hunk   = [header] line+
header = "@@ -" start ["," count] " +" start ["," count] [" @@" [section]]
       | "@@" [section | placeholder] ["@@" [section]]
line   = (" " | "+" | "-") text | "" | text | "\ No newline at end of file" (or in another language)

The numbers in a header are only hints: in about half of all patches, they are off by a line or two.
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Line
from react_agent.parsers.patch.reading.path_line import looks_like_path
from react_agent.parsers.repo.git_diff import read_name
from react_agent.parsers.text.late_pattern import LatePattern

_COUNTED = LatePattern(
    r"@@+ *-? ?(\d{1,9})(?: ?, ?(\d{1,9}))? *[ +]\+? ?(\d{1,9})(?: ?, ?(\d{1,9}))?"
    r"(?: *@@+|(?= )|$)(.*)"
)
_PLACEHOLDER = LatePattern(r"(?:[-+.,…?_*0-9 ]|\b[xXnN]{1,3}\b|\b[a-dN]\b)*")

_ENDS = ("@@", "```", "diff --git ", "diff --cc ", "GIT binary patch", "*** End Patch")
_BULLET = LatePattern(r"[-+] \S")
_RULE = LatePattern(r"[-+=| ]{3,}$")
_VERSION = LatePattern(r"\d+\.\d+[\w.-]*(?: .*)?$")
_CLOSING = LatePattern(r"</\w+>\s*$|<\|[^|<>\s]{1,40}\|>\s*$|~~~$|\*\*\* End")
_LEAST_NOTE = 12  # characters: "\\ No newline" in any language, as in git

SLIP = 2  # lines by which a count is often off
_SHARE = 4  # of a new file, one line in four may be missing
_CONTEXT = 3  # unchanged lines after a change

Counts = tuple[int, int] | None


class HunkHeader(NamedTuple):
    start: int | None = None
    counts: Counts = None
    sections: tuple[str, ...] = ()


def hunk_header(line: str) -> HunkHeader:
    if counted := _COUNTED.match(line):
        old, old_count, _, new_count, rest = counted.groups()
        return HunkHeader(int(old), (int(old_count or 1), int(new_count or 1)), _sections(rest))
    within, _, after = line.strip("@").partition("@@")
    return HunkHeader(None, None, (*_sections(within), *_sections(after)))


def _sections(text: str) -> tuple[str, ...]:
    name = text.strip().removesuffix("@@").strip()
    return () if _PLACEHOLDER.fullmatch(name) else (name,)


def hunk_of(at: int, header: HunkHeader, lines: Sequence[str]) -> Hunk:
    read, old_lacks, new_lacks = list[Line](), False, False
    for line in lines:
        if _is_no_newline(line):
            mark = read[-1].mark if read else " "
            old_lacks, new_lacks = old_lacks or mark != "+", new_lacks or mark != "-"
        elif not line:
            read.append(Line(" ", ""))
        elif line[0] in " +-":
            read.append(Line(line[0], line[1:]))
        else:
            read.append(Line("", line))
    return Hunk(at, tuple(read), *header, no_newline=(old_lacks, new_lacks))


def _is_no_newline(line: str) -> bool:
    return line.startswith("\\ ") and len(line) >= _LEAST_NOTE


class Left:
    """The numbers of old and new lines still to come, according to the header's counts."""

    def __init__(self, counts: Counts, lines: Sequence[str] = ()) -> None:
        self.is_known = counts is not None
        self.old, self.new = counts or (0, 0)
        for line in lines:
            self.take(line)

    def take(self, line: str) -> None:
        if not _is_no_newline(line):
            self.old -= line[:1] != "+"
            self.new -= line[:1] != "-"

    @property
    def more(self) -> int:
        """Return the number of lines that are still missing on both sides."""
        return max(min(self.old, self.new), 0) if self.is_known else 0

    @property
    def is_done(self) -> bool:
        return self.is_known and self.old <= 0 and self.new <= 0


def last_hunk(hunk: Hunk, left: Left, is_open: bool) -> Hunk:
    """Return the last hunk of the text, and mark it if it seems to be cut off.

    Models miscount, so a hunk is considered cut off only if it ends in a change. If both sides lack
    the same number of lines, only context is missing at the end, and the hunk is complete. If its
    fence never closes (`is_open`), a hunk may lack a few lines only if it ends in context.
    """
    mark, most = hunk.lines[-1].mark, max(left.old, left.new)
    if not left.is_known:
        return hunk
    if is_open:
        return hunk._replace(cut_off=most > (0 if mark in ("+", "-") else SLIP))
    if mark not in ("+", "-"):
        return hunk
    if all(line.mark == "+" for line in hunk.lines):
        return hunk._replace(cut_off=left.new > max(1, (hunk.counts or (0, 0))[1] // _SHARE))
    if left.old == left.new:
        return hunk._replace(cut_off=most > _CONTEXT)
    return hunk._replace(cut_off=most >= (1 if mark == "-" else SLIP))


def hunk_end(lines: Sequence[str], at: int, counts: Counts) -> int:
    """Return the line after the hunk whose first line is `at`."""
    limit = _limit(lines, at, counts)
    last = max((n for n in range(at, limit) if is_change(lines[n])), default=at - 1)
    left = Left(counts)
    end = at
    while end < limit and _belongs(lines, end, last, left):
        left.take(lines[end])
        end += 1
    return _without_blanks(lines, at, end, counts)


def is_change(line: str) -> bool:
    """Return whether the line is added or removed and can't be a list item or a horizontal rule."""
    if line[:1] not in ("+", "-"):
        return False
    may_be_none = line[1:2] in " -+=|"
    return not (may_be_none and (_BULLET.match(line) or _RULE.match(line)))


def is_signature(lines: Sequence[str], at: int, *, is_done: bool = False) -> bool:
    """Return whether an email signature begins: `--` above a version or after all counted lines."""
    if lines[at].rstrip() != "--":
        return False
    below = lines[at + 1] if at + 1 < len(lines) else "+"
    is_end = is_done and below[:1] not in ("+", "-", " ", "@", "\\")
    return is_end or _VERSION.match(below) is not None


def _limit(lines: Sequence[str], at: int, counts: Counts) -> int:
    """Return the first line that can't belong to the hunk."""
    left = Left(counts)
    for number in range(at, len(lines)):
        line = lines[number]
        if line[:1] in ("-", "+"):
            is_end = is_signature(lines, number, is_done=left.is_done)
            if is_end or _is_header(lines, number, left):
                return number
        elif line.startswith(_ENDS) or (line[:1] == "d" and begins_file(lines, number)):
            return number
        left.take(line)
    return len(lines)


def _is_header(lines: Sequence[str], at: int, left: Left) -> bool:
    """Return whether this is a file header. A removed `-- x` or an added `++ x` looks the same."""
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


def _belongs(lines: Sequence[str], at: int, last: int, left: Left) -> bool:
    """Return whether the line is in the hunk. `last` is the hunk's last obviously changed line."""
    line = lines[at]
    if line[:1] in ("", " ", "\t", "+", "-") or _is_no_newline(line):
        return True
    slip = 0 if lines[at - 1] else SLIP
    return not _CLOSING.match(line) and (last > at or left.more > slip)


def _without_blanks(lines: Sequence[str], at: int, end: int, counts: Counts) -> int:
    """Return the hunk's end, excluding trailing empty lines that the header does not count."""
    bare = end
    while bare > at and not lines[bare - 1]:
        bare -= 1
    if end == bare:
        return end
    return min(end - (end == len(lines)), bare + Left(counts, lines[at:bare]).more)


_KEYS = (
    *("diff ", "index ", "old mode ", "new mode ", "new file mode "),
    *("deleted file mode ", "rename from ", "rename to ", "copy from ", "copy to "),
    *("similarity index ", "dissimilarity index "),
)
_BEGINS = LatePattern(r"diff (?:--git|--cc|--combined|-[a-zA-Z]+|-r) \S")
_QUOTED = LatePattern(r'"(?:[^"\\]|\\.)*"')
_NOWHERE = ("/dev/null", "dev/null", "a/dev/null", "b/dev/null")
_OLD_NAME, _NEW_NAME = "--- ", "+++ "
_Said = dict[str, str]


def begins_file(lines: Sequence[str], at: int) -> bool:
    """Return whether a file header begins at this line, given that no hunk is open."""
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("diff "):
        return _BEGINS.match(line) is not None
    if not line.startswith((_OLD_NAME, _NEW_NAME)) or line.rstrip().endswith((" ---", " +++")):
        return False
    if line.startswith(_OLD_NAME) and below.startswith(_NEW_NAME):
        return True
    name = header_name(line[4:])
    return name is None or (is_path(name) and not below.strip(" \n").startswith("---"))


def file_header(lines: Sequence[str], at: int) -> tuple[FileChange, int]:
    """Return the file header at this line, and the line after it."""
    said, end = _Said(), at
    while end < len(lines):
        key = next((key for key in _KEYS if lines[end].startswith(key)), "")
        if not key or key in said:
            break
        said[key] = lines[end].removeprefix(key).strip()
        end += 1
    for mark in (_OLD_NAME, _NEW_NAME):
        if end < len(lines) and lines[end].startswith(mark):
            said[mark] = lines[end].removeprefix(mark)
            end += 1
    old, new = _names(said)
    moved = "rename" if "rename from " in said else "copy" if "copy from " in said else ""
    old_mode = said.get("old mode ") or said.get("deleted file mode ", "")
    new_mode = said.get("new mode ") or said.get("new file mode ", "")
    change = FileChange(at + 1, old, new, moved=moved, old_mode=old_mode, new_mode=new_mode)
    return change, end


def _names(said: _Said) -> tuple[str | None, str | None]:
    """Return the names from a rename, from --- and +++, or from the lines above them.

    A name is "" if it is not given, and None if there is no file on this side.
    """
    for key in ("rename", "copy"):
        if f"{key} from " in said and f"{key} to " in said:
            return read_name(said[f"{key} from "]), read_name(said[f"{key} to "])
    old: str | None
    new: str | None
    old, new = _both_names(said.get("diff ", ""))
    if _OLD_NAME in said:
        old, new = header_name(said[_OLD_NAME]), new if "diff " in said else ""
    elif _NEW_NAME in said and "diff " not in said:
        old = ""
    if _NEW_NAME in said:
        new = header_name(said[_NEW_NAME])
    return None if "new file mode " in said else old, None if "deleted file mode " in said else new


def _both_names(line: str) -> tuple[str, str]:
    """Return the names in `diff --git` if they are equal but for their prefixes."""
    if not line.startswith("--git "):
        return "", ""
    names = line.removeprefix("--git ")
    middle = len(names) // 2
    old, new = names[:middle], names[middle + 1 :]
    if len(names) % 2 and names[middle] == " " and old.partition("/")[2] == new.partition("/")[2]:
        return read_name(old), read_name(new)
    return "", ""


def header_name(text: str) -> str | None:
    """Return the name in a --- or +++ line, or None if there is no file on this side."""
    bare = text.split("\t")[0].strip()
    if bare[:1] == '"' and (quoted := _QUOTED.match(bare)):
        return read_name(quoted[0])
    return None if bare in _NOWHERE else bare


def is_path(name: str | None) -> bool:
    """Return whether the name must be a path: SQL and Lua comments begin with `--`, too."""
    if name is None:
        return True
    if " " in name and not name.startswith(("a/", "b/")):
        return False
    return looks_like_path(name.replace(" ", "_"))
