"""Names that no file of a repository has, and how a name is tidied before it is looked for."""

from collections.abc import Sequence

from react_agent.parsers.repo.git_names import is_gits
from react_agent.parsers.text.late_pattern import LatePattern

_CONTROL = LatePattern(r"[\x00-\x1f\x7f\ud800-\udc7f\udd00-\udfff]")
_DRIVE = LatePattern(r"[A-Za-z]:[\\/]")
_MODE = LatePattern(r"0?(?:100)?([0-7])[0-7][0-7]")
_NOT_FILES = ("120000", "160000")
_LONGEST = 2_000
_LONGEST_PART = 255
_SHOWN = 60
_WRITE = "write its path from the root of the repository"


def tidy(name: str) -> str:
    """Without what says nothing: `./`, and the slashes of another system."""
    name = name.strip()
    if "\\" in name and (_DRIVE.match(name) or "/" not in name):
        name = name.replace("\\", "/")
    while name.startswith("./"):
        name = name[2:]
    return name.replace("/./", "/")


def is_absolute(name: str) -> bool:
    return name.startswith(("/", "~/")) or bool(_DRIVE.match(name))


def problem(name: str) -> str:
    """Why nothing may be written there; empty if something may."""
    parts = name.removeprefix("/").split("/")
    if _CONTROL.search(name) or len(name) > _LONGEST or _is_odd(parts):
        return f"{name[:_SHOWN]!a} can't be the path of a file: {_WRITE}"
    everywhere = name.replace("\\", "/").split("/")  # as some systems part it
    if ".." in everywhere:
        return f"{name} is outside the repository: {_WRITE}"
    if any(map(is_gits, everywhere)):
        return f"{name} belongs to git: nothing in .git can be patched"
    return ""


def _is_odd(parts: Sequence[str]) -> bool:
    return any(part in ("", ".") or len(part) > _LONGEST_PART for part in parts)


def file_mode(written: str) -> str:
    """`100644` or `100755`; empty where it is no mode of a file."""
    found = _MODE.fullmatch(written)
    if not found or written in _NOT_FILES:
        return ""
    return "100755" if int(found[1]) & 1 else "100644"
