r"""What is above the hunks of one file in a unified diff.

header    = ["Index: " name "=====" ] ["diff --git " names] attribute* ["--- " name] ["+++ " name]
attribute = "index " ... | "new file mode " mode | "rename from " name | ...
name      = (path | quoted path) [TAB anything | date | " (revision 12)"]
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange
from react_agent.parsers.repo.git_names import read_name
from react_agent.parsers.text.late_pattern import LatePattern

_KEYS = (
    *("diff ", "Index: ", "index ", "old mode ", "new mode ", "new file mode "),
    *("deleted file mode ", "rename from ", "rename to ", "copy from ", "copy to "),
    *("similarity index ", "dissimilarity index "),
)
_BEGINS = LatePattern(r"diff (?:--git|--cc|--combined|-[a-zA-Z]+|-r) \S")
_TWO_NAMES = LatePattern(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$')
_AFTER = LatePattern(
    r"(?: {1,9}\d{4}-\d\d-\d\d[ T].*| {1,9}[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d .*"
    r"| {1,9}\((?:revision \d+|working copy|original|modified|old|new|before|after|updated)\))$"
)
_QUOTED = LatePattern(r'"(?:[^"\\]|\\.)*"')
_NOWHERE = ("/dev/null", "dev/null", "a/dev/null", "b/dev/null")
_NAMES_A_FILE = LatePattern(r"[^\s<>|*?]*[^\s<>|*?.]\.[A-Za-z0-9_]{1,12}")
_OLD_NAME, _NEW_NAME = "--- ", "+++ "
_MERGED = ("diff --cc ", "diff --combined ")
MERGED = (
    "this is the diff of a merge, with a column of marks for each parent: write one diff of each "
    "file as it is now, with one column"
)
_TWO_FILES = (
    "the rename lines and the --- and +++ lines name different files: write --- with the name "
    "after rename from, and +++ with the one after rename to"
)

_Said = dict[str, str]


class FileHeader(NamedTuple):
    change: FileChange
    end: int  # the line after it
    problem: str = ""
    repairs: tuple[str, ...] = ()


def begins_file(lines: Sequence[str], at: int) -> bool:
    """Whether a header begins there, where no hunk is open."""
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("diff "):
        return _BEGINS.match(line) is not None
    if line.startswith("Index: "):
        return below.startswith(("====", _OLD_NAME, "diff "))
    if not line.startswith((_OLD_NAME, _NEW_NAME)) or line.rstrip().endswith((" ---", " +++")):
        return False
    if line.startswith(_OLD_NAME) and below.startswith(_NEW_NAME):
        return True
    name = header_name(line[4:])
    return name is None or (is_path(name) and not below.strip(" \n").startswith("---"))


def file_header(lines: Sequence[str], at: int) -> FileHeader:
    said, end = _Said(), at
    while end < len(lines):
        key = next((key for key in _KEYS if lines[end].startswith(key)), "")
        if key and key not in said:
            said[key] = lines[end].removeprefix(key).strip()
        elif not (lines[end].startswith("=====") and "Index: " in said):
            break
        end += 1
    for mark in (_OLD_NAME, _NEW_NAME):
        if end < len(lines) and lines[end].startswith(mark):
            said[mark] = lines[end].removeprefix(mark)
            end += 1
    problem = MERGED if lines[at].startswith(_MERGED) else ""
    old, new = _names(said)
    repairs = list[str]()
    if any(said.get(mark, "").strip()[:1] == "`" for mark in (_OLD_NAME, _NEW_NAME)):
        repairs.append("the backticks around the names of files were left out")
    if {"rename from ", "rename to ", _OLD_NAME, _NEW_NAME}.issubset(said):
        moved = [read_name(said["rename from "]), read_name(said["rename to "])]
        names = [_bare(old or ""), _bare(new or "")]
        if not {*moved, *map(_bare, moved)}.issuperset(names):
            problem = problem or _TWO_FILES
        elif names not in (moved, list(map(_bare, moved))):
            old, new = moved
            repairs.append(f"the file of line {at + 1} was read as {old}, renamed to {new}")
    return FileHeader(_change(at + 1, old, new, said), end, problem, tuple(repairs))


def _change(at: int, old: str | None, new: str | None, said: _Said) -> FileChange:
    moved = "rename" if "rename from " in said else "copy" if "copy from " in said else ""
    old_mode = said.get("old mode ") or said.get("deleted file mode ", "")
    new_mode = said.get("new mode ") or said.get("new file mode ", "")
    return FileChange(at, old, new, moved=moved, old_mode=old_mode, new_mode=new_mode)


def _names(said: _Said) -> tuple[str | None, str | None]:
    """Empty: not said; none: there is no such file on this side."""
    old: str | None
    new: str | None
    old, new = _names_above(said)
    is_apart = "diff " not in said and "Index: " not in said
    if _OLD_NAME in said:
        old = header_name(said[_OLD_NAME])
    elif _NEW_NAME in said and "diff " not in said:
        old = ""
    if _NEW_NAME in said:
        new = header_name(said[_NEW_NAME])
    elif _OLD_NAME in said and is_apart:
        new = ""
    return None if "new file mode " in said else old, None if "deleted file mode " in said else new


def _names_above(said: _Said) -> tuple[str, str]:
    """Those of the lines above --- and +++."""
    for key in ("rename", "copy"):
        if f"{key} from " in said and f"{key} to " in said:
            return read_name(said[f"{key} from "]), read_name(said[f"{key} to "])
    both = said.get("diff ", "")
    if both.startswith("--git "):
        return _both_names(both.removeprefix("--git "))
    name = said.get("Index: ", "")
    return name, name


def _both_names(names: str) -> tuple[str, str]:
    """Those of `diff --git`: alike but for their prefixes, or without spaces, or quoted."""
    middle = len(names) // 2
    old, new = names[:middle], names[middle + 1 :]
    if len(names) % 2 and names[middle] == " " and old.partition("/")[2] == new.partition("/")[2]:
        return read_name(old), read_name(new)
    two = _TWO_NAMES.match(names)
    return (read_name(two[1]), read_name(two[2])) if two else ("", "")


def _bare(name: str) -> str:
    return name[2:] if name.startswith(("a/", "b/")) else name


def header_name(text: str) -> str | None:
    """Of a --- or +++ line; none: there is no such file on this side."""
    bare = text.split("\t")[0].strip()
    if bare[:1] == '"' and (quoted := _QUOTED.match(bare)):
        return read_name(quoted[0])
    name = (_AFTER.sub("", bare) if " " in bare else bare).strip("`")
    return None if name in _NOWHERE else name


def is_path(name: str | None) -> bool:
    """Whether it can hardly be anything else: SQL and Lua begin their comments with two dashes."""
    if name is None:
        return True
    if " " in name and not name.startswith(("a/", "b/")):
        return False
    return "/" in name.strip("/") or _NAMES_A_FILE.fullmatch(name) is not None
