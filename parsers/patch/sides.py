"""The two names of a change, as they are written: which file is meant by both."""

import re
from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.path_rules import is_absolute, problem, tidy
from react_agent.parsers.patch.path_search import Found, Paths, lookup, near

_PREFIXED = LatePattern(r"([a-z0-9])/(.+)", re.DOTALL)
_KEPT = LatePattern(r"(.+?)(?:\.orig|\.old|\.bak|~)")
_MNEMONIC = "ciow12"  # git's other prefixes


class Meant(NamedTuple):
    path: str = ""
    problem: str = ""  # why no file is meant
    repair: str = ""
    is_missing: bool = False


def existing(old: str, new: str, paths: Paths, careful: bool = False) -> Meant:
    """A file that there is. An empty name: it was not said."""
    return _with_slashes(_existing(tidy(old), tidy(new), paths, careful), old, new)


def _with_slashes(meant: Meant, *written: str) -> Meant:
    """Git does not take the slashes of another system."""
    other = next((name for name in written if "\\" in name and "\\" not in tidy(name)), "")
    if not other or meant.problem or meant.repair:
        return meant
    return meant._replace(repair=f"path {other} read as {meant.path}")


def _existing(old: str, new: str, paths: Paths, careful: bool) -> Meant:
    if pair := pair_of(old, new):
        return _single(pair, (pair, old, new), (pair,), paths, careful)
    if not old or not new or old == new:
        name = old or new
        prefix = "" if old and new else "a/" if old else "b/"
        rest = name.removeprefix(prefix)
        return _single(rest, (name, rest), (name, rest), paths, careful)
    return _two(old, new, paths, careful)


def pair_of(old: str, new: str) -> str:
    """What git writes: two prefixes, and one name below them; else nothing."""
    left, right = _PREFIXED.fullmatch(tidy(old)), _PREFIXED.fullmatch(tidy(new))
    if left and right and left[1] != right[1] and left[2] == right[2]:
        return left[2]
    return ""


def _single(
    name: str, spelled: tuple[str, ...], silent: tuple[str, ...], paths: Paths, careful: bool
) -> Meant:
    name = tidy(name)
    if why := problem(name):
        return Meant(name, problem=why)
    exact = next((each for each in spelled if each in paths), "")
    found = Found(exact) if exact else lookup(name, paths, careful)
    if found.path:
        same = found.path in silent or found.path == name
        return Meant(found.path, repair="" if same else f"path {name} read as {found.path}")
    if found.several:
        several = " or ".join(found.several)
        return Meant(name, f"{name} may be {several}: write the whole path of the file")
    if is_absolute(name):
        return Meant(name, _outside(name), is_missing=True)
    return Meant(name, f"{name} does not exist", is_missing=True)


def _outside(name: str) -> str:
    return f"{name} is outside the repository: write its path from the root of the repository"


def missing(meant: Meant, paths: Paths) -> str:
    """What is wrong with it; where it does not exist, also what is near it."""
    if not meant.is_missing or is_absolute(meant.path):
        return meant.problem
    if meant.path in paths.folders:
        return f"{meant.path} is a folder: write the path of a file"
    beside = near(meant.path, paths)
    return meant.problem + (f"; near it: {', '.join(beside)}" if beside else "")


def _two(old: str, new: str, paths: Paths, careful: bool) -> Meant:
    """Two names that differ, though no renaming is said."""
    left, right = _bare(old, "a/", paths), _bare(new, "b/", paths)
    kept = _KEPT.fullmatch(left)
    if left == right or (kept and kept[1] == right and left not in paths):
        return _single(right, (right,), (right,), paths, careful)
    for name in (left, right):
        if why := problem(name):
            return Meant(name, problem=why)
    first, second = lookup(left, paths, True), lookup(right, paths, True)
    same_last = left.rpartition("/")[2] == right.rpartition("/")[2]
    found = {each.path for each in (first, second) if each.path}
    if len(found) == 1 and (same_last or (first.path and second.path)):
        [path] = found
        wrong = right if second.path != right else left
        return Meant(path, repair=f"path {wrong} read as {path}")
    if found:
        return Meant(left, problem=_rename(left, right))
    if not same_last:
        return Meant(left, f"{left} does not exist", is_missing=True)
    return _single(_common_end(left, right), (), (), paths, careful)


def _rename(old: str, new: str) -> str:
    return (
        f"the --- and +++ lines name two files, {old} and {new}: to rename a file, write rename "
        f"from {old} and rename to {new} below a diff --git line; else name the same file twice"
    )


def _bare(name: str, prefix: str, paths: Paths) -> str:
    return name if name in paths else tidy(name.removeprefix(prefix))


def _common_end(one: str, other: str) -> str:
    parts = list[str]()
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        parts.append(left)
    return "/".join(reversed(parts))


def created(new: str, paths: Paths, known: str = "") -> Meant:
    """A file that there is not yet; `known`: its path, where the other name tells it."""
    return _with_slashes(_created(new, paths, known), new)


def _created(new: str, paths: Paths, known: str) -> Meant:
    name = tidy(new)
    path = known or (name if new.strip().startswith("./") else _new_path(name, paths))
    if why := problem(path or name):
        return Meant(name, problem=why)
    if not path:
        prefix, _, rest = name.partition("/")
        why = f"{name} may be {name} or {rest}, as there is a folder {prefix}"
        return Meant(name, problem=f"{why}: write ./{name} or ./{rest}")
    if is_absolute(path):
        return _in_checkout(path, paths)
    silent = path in (name, name.removeprefix("b/"), known)
    return Meant(path, repair="" if silent else f"path {name} read as {path}")


def _new_path(name: str, paths: Paths) -> str:
    """Without its prefix; empty where it can't be told whether that is one."""
    found = _PREFIXED.fullmatch(name)
    if not found:
        return name
    prefix, rest = found[1], found[2]
    if prefix in "ab" and (paths.has_prefixes or prefix not in paths.folders):
        return rest
    goes_on = _has_folder(rest, paths)
    if prefix in paths.folders:
        both = goes_on and _has_folder(name, paths)
        return "" if both else rest if goes_on else name
    is_in_folder = "/" in rest and rest.partition("/")[0] in paths.folders
    return rest if prefix in _MNEMONIC and is_in_folder else name


def _has_folder(name: str, paths: Paths) -> bool:
    folder = name.rpartition("/")[0]
    return not folder or folder in paths.folders


def _in_checkout(name: str, paths: Paths) -> Meant:
    """An absolute path, of which the end is in a folder that there is."""
    parts = name.strip("/").split("/")
    ends = ["/".join(parts[at:]) for at in range(1, len(parts))]
    fits = [end for end in ends if end.rpartition("/")[0] in paths.folders]
    if len(fits) != 1:
        return Meant(name, problem=_outside(name))
    return Meant(fits[0], repair=f"path {name} read as {fits[0]}")
