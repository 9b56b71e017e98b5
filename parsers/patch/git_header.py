"""What stands above the hunks of one file.

header    = ["Index: " name "=====" ] ["diff --git " names] attribute* ["--- " name] ["+++ " name]
attribute = "index " ... | "new file mode " mode | "rename from " name | ...
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.git_name import read_name
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import FileChange
from react_agent.parsers.patch.header_name import header_name, is_path

_KEYS = (
    *("diff ", "Index: ", "index ", "old mode ", "new mode ", "new file mode "),
    *("deleted file mode ", "rename from ", "rename to ", "copy from ", "copy to "),
    *("similarity index ", "dissimilarity index ", "RCS file: ", "retrieving revision "),
)
_BEGINS = LatePattern(r"diff (?:--git|--cc|--combined|-[a-zA-Z]+|-r) \S")
_TWO_NAMES = LatePattern(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$')
_MERGED = ("diff --cc ", "diff --combined ")
MERGED = (
    "this is the diff of a merge, with a column of marks for each parent: write one diff of each "
    "file as it is now, with one column"
)
_NEW_NAME = "+++ "
_OLD_NAME = "--- "
_MOVED = {"rename from ", "rename to ", _OLD_NAME, _NEW_NAME}
_TWO_FILES = (
    "the rename lines and the --- and +++ lines name different files: write --- with the name "
    "after rename from, and +++ with the one after rename to"
)


class FileHeader(NamedTuple):
    change: FileChange
    end: int  # the line behind it
    problem: str = ""
    repairs: tuple[str, ...] = ()


def begins_file(lines: Sequence[str], at: int) -> bool:
    """Whether a header begins there, where no hunk is open."""
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("diff "):
        return _BEGINS.match(line) is not None
    if line.startswith("Index: "):
        return below.startswith(("====", _OLD_NAME, "diff ", "RCS file: "))
    if not line.startswith((_OLD_NAME, _NEW_NAME)) or line.rstrip().endswith((" ---", " +++")):
        return False
    if line.startswith(_OLD_NAME) and below.startswith(_NEW_NAME):
        return True
    name = header_name(line[4:])
    return name is None or (is_path(name) and not below.strip(" \n").startswith("---"))


def file_header(lines: Sequence[str], at: int) -> FileHeader:
    said = dict[str, str]()
    end = _attributes(lines, at, said)
    for mark in (_OLD_NAME, _NEW_NAME):
        if end < len(lines) and lines[end].startswith(mark):
            said[mark] = lines[end][4:]
            end += 1
    problem = MERGED if lines[at].startswith(_MERGED) else _odd_names(said)
    return FileHeader(_change(at + 1, said), end, problem, tuple(_repairs(at, said)))


def _attributes(lines: Sequence[str], at: int, said: dict[str, str]) -> int:
    while at < len(lines):
        key = next((key for key in _KEYS if lines[at].startswith(key)), "")
        if key and key not in said:
            said[key] = lines[at].removeprefix(key).strip()
        elif not (lines[at].startswith("=====") and "Index: " in said):
            break
        at += 1
    return at


def _change(at: int, said: dict[str, str]) -> FileChange:
    old, new = _names(said)
    moved = "rename" if "rename from " in said else "copy" if "copy from " in said else ""
    old_mode = said.get("old mode ") or said.get("deleted file mode ", "")
    new_mode = said.get("new mode ") or said.get("new file mode ", "")
    return FileChange(at, old, new, moved=moved, old_mode=old_mode, new_mode=new_mode)


def _names(said: dict[str, str]) -> tuple[str | None, str | None]:
    old: str | None
    new: str | None
    old, new = _names_above(said)
    if _is_of_renamed(said):
        return old, new
    if _OLD_NAME in said:
        old = header_name(said[_OLD_NAME])
    if _NEW_NAME in said:
        new = header_name(said[_NEW_NAME])
    elif _OLD_NAME in said and "diff " not in said and "Index: " not in said:
        new = ""
    if _OLD_NAME not in said and _NEW_NAME in said and "diff " not in said:
        old = ""
    if "new file mode " in said:
        old = None
    if "deleted file mode " in said:
        new = None
    return old, new


def _is_of_renamed(said: dict[str, str]) -> bool:
    """Whether --- and +++ have the same name, the one that the file had or is to get."""
    if not _MOVED.issubset(said):
        return False
    names = header_name(said[_OLD_NAME]), header_name(said[_NEW_NAME])
    return any(
        names[0] in (name, f"a/{name}") and names[1] in (name, f"b/{name}")
        for name in (read_name(said["rename from "]), read_name(said["rename to "]))
        if name
    )


def _odd_names(said: dict[str, str]) -> str:
    """What is renamed is not what is changed."""
    if not _MOVED.issubset(said) or _is_of_renamed(said):
        return ""
    moved = {_bare(read_name(said[key])) for key in ("rename from ", "rename to ")}
    names = {_bare(header_name(said[mark]) or "") for mark in (_OLD_NAME, _NEW_NAME)}
    return "" if names == moved else _TWO_FILES


def _bare(name: str) -> str:
    return name[2:] if name.startswith(("a/", "b/")) else name


def _repairs(at: int, said: dict[str, str]) -> list[str]:
    found = list[str]()
    if _is_of_renamed(said):
        old, new = said["rename from "], said["rename to "]
        if _bare(header_name(said[_OLD_NAME]) or "") == _bare(read_name(new)):
            wrong = f"the --- line below line {at + 1} names {new}: read as {old}, its old name"
        else:
            wrong = f"the +++ line below line {at + 1} names {old}: read as {new}, its new name"
        found.append(wrong)
    if any(said.get(mark, "").strip()[:1] == "`" for mark in (_OLD_NAME, _NEW_NAME)):
        found.append("the backticks around the names of files were left out")
    return found


def _names_above(said: dict[str, str]) -> tuple[str, str]:
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
    """Those of `diff --git`: alike but for their prefixes, or without blanks, or quoted."""
    middle = len(names) // 2
    old, new = names[:middle], names[middle + 1 :]
    if len(names) % 2 and names[middle] == " " and old.partition("/")[2] == new.partition("/")[2]:
        return read_name(old), read_name(new)
    two = _TWO_NAMES.match(names)
    return (read_name(two[1]), read_name(two[2])) if two else ("", "")
