"""Which file a written path means.

One ladder, the strictest step first; the one step that finds something decides:
as it is written -> without `a/` or `b/` -> the end of an absolute path -> in another case
-> one is the end of the other -> the only file of its name.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from react_agent.parsers.patch.reading.path_rules import is_absolute, problem, tidy
from react_agent.parsers.text.late_pattern import LatePattern

_MOST = 5  # paths that are listed
_BESIDE = 3  # of those that only are in the same folder
_PREFIXED = LatePattern(r"([a-z0-9])/([^\n]+)")
_EVERYWHERE = LatePattern(r"__init__|__main__|conftest|setup|index|main|tests?|utils?|readme|\..*")


class Meant(NamedTuple):
    path: str = ""
    problem: str = ""  # why no file is meant
    repair: str = ""
    is_missing: bool = False


class Paths:
    """The files there are, and those that the patch makes; what is slow is made when needed."""

    def __init__(self, paths: Collection[str]) -> None:
        self.there = paths
        self.made = set[str]()
        self.has_prefixes = False  # whether the patch writes a/ and b/ before its names

    def __contains__(self, path: str) -> bool:
        return path in self.there or path in self.made

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """By the last part, in lower case."""
        found = dict[str, list[str]]()
        for path in self.there:
            found.setdefault(_last(path).casefold(), []).append(path)
        return found

    @cached_property
    def in_folder(self) -> dict[str, list[str]]:
        found = dict[str, list[str]]()
        for path in self.there:
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    @cached_property
    def folders(self) -> set[str]:
        found = set[str]()
        for folder in self.in_folder:
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return found

    def named_like(self, name: str) -> list[str]:
        made = [path for path in self.made if path not in self.there]
        return [*self.by_name.get(_last(name).casefold(), ()), *made]


_Step = Callable[[str, Paths], Iterable[str]]


def _as_written(name: str, paths: Paths) -> Iterable[str]:
    return [name] if name in paths else []


def _without_prefix(name: str, paths: Paths) -> Iterable[str]:
    rest = _without(name)
    return [rest] if rest != name and rest in paths else []


def _below_a_root(name: str, paths: Paths) -> Iterable[str]:
    """An absolute path is that of a file in some checkout."""
    parts = name.strip("/").split("/") if is_absolute(name) else []
    return (tail for at in range(len(parts)) if (tail := "/".join(parts[at:])) in paths)


def _other_case(name: str, paths: Paths) -> Iterable[str]:
    wanted = {name.casefold(), _without(name).casefold()}
    return (path for path in paths.named_like(name) if path.casefold() in wanted)


def _other_root(name: str, paths: Paths) -> Iterable[str]:
    """One is the end of the other; no other file shares as many last parts."""
    same = [path for path in paths.named_like(name) if _last(path) == _last(name)]
    shared = {path: _shared(path, name) for path in same}
    most = max(shared.values(), default=0)
    best = [path for path in same if shared[path] == most]
    if most == 1 and len(best) == 1 and _is_everywhere(name) and "/" not in name:
        return []
    return best if all(_is_end(path, name) for path in best) else []


def _other_folder(name: str, paths: Paths) -> Iterable[str]:
    """The only file of its name; what the change quotes has to be in it."""
    same = [path for path in paths.named_like(name) if _last(path) == _last(name)]
    return same if len(same) == 1 and not _is_everywhere(name) else []


_SURE: tuple[_Step, ...] = (_as_written, _without_prefix, _below_a_root, _other_case)
_LIKELY: tuple[_Step, ...] = (_other_root, _other_folder)


def _lookup(name: str, paths: Paths, careful: bool) -> list[str]:
    """The files that may be meant; `careful`: nothing that is quoted of it will prove it."""
    for step in _SURE if careful else (*_SURE, *_LIKELY):
        if hits := sorted(set(step(name, paths))):
            return hits
    return []


def existing(old: str, new: str, paths: Paths, careful: bool = False) -> Meant:
    """A file that there is, by its two names. An empty one: it was not written."""
    meant = _existing(tidy(old), tidy(new), paths, careful)
    return _with_slashes(meant, old, new)


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
        rest = name.removeprefix("" if old and new else "a/" if old else "b/")
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
    found = [exact] if exact else _lookup(name, paths, careful)
    if len(found) == 1:
        same = found[0] in silent or found[0] == name
        return Meant(found[0], repair="" if same else f"path {name} read as {found[0]}")
    if found:
        several = " or ".join(found[:_MOST])
        return Meant(name, f"{name} may be {several}: write the whole path of the file")
    if is_absolute(name):
        return Meant(name, _outside(name), is_missing=True)
    return Meant(name, f"{name} does not exist", is_missing=True)


def _outside(name: str) -> str:
    return f"{name} is outside the repository: write its path from the root of the repository"


def _two(old: str, new: str, paths: Paths, careful: bool) -> Meant:
    """Two names that differ, though no renaming is written."""
    left, right = _bare(old, "a/", paths), _bare(new, "b/", paths)
    if left == right:
        return _single(right, (right,), (right,), paths, careful)
    for name in (left, right):
        if why := problem(name):
            return Meant(name, problem=why)
    first, second = _lookup(left, paths, True), _lookup(right, paths, True)
    is_alike = _last(left) == _last(right)
    found = {each[0] for each in (first, second) if len(each) == 1}
    if len(found) == 1 and (is_alike or (len(first) == 1 and len(second) == 1)):
        [path] = found
        wrong = right if second != [right] else left
        return Meant(path, repair=f"path {wrong} read as {path}")
    if found or is_alike:
        return Meant(
            left,
            f"the --- and +++ lines name two files, {left} and {right}: to rename a file, write "
            f"rename from {left} and rename to {right} below a diff --git line; else name the "
            "same file twice",
        )
    return Meant(left, f"{left} does not exist", is_missing=True)


def _bare(name: str, prefix: str, paths: Paths) -> str:
    return name if name in paths else tidy(name.removeprefix(prefix))


def missing(meant: Meant, paths: Paths) -> str:
    """What is wrong with it; where it does not exist, also what is near it."""
    if not meant.is_missing or is_absolute(meant.path):
        return meant.problem
    if meant.path in paths.folders:
        return f"{meant.path} is a folder: write the path of a file"
    beside = _near(meant.path, paths)
    return meant.problem + (f"; near it: {', '.join(beside)}" if beside else "")


def _near(name: str, paths: Paths) -> list[str]:
    """The same name elsewhere; else what is in the folder named."""
    folded, folder = _last(name).casefold(), name.rpartition("/")[0]
    same = [path for path in paths.named_like(name) if _last(path).casefold() == folded]
    if same:
        return sorted(same, key=lambda path: (-_shared(path, name), path))[:_MOST]
    return sorted(paths.in_folder.get(folder, ()) if folder else ())[:_BESIDE]


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
    """Without its prefix; empty where it is not clear whether that is one."""
    prefix, _, rest = name.partition("/")
    if prefix not in ("a", "b") or not rest:
        return name
    if paths.has_prefixes or prefix not in paths.folders:
        return rest
    if not _has_folder(rest, paths):
        return name
    return "" if _has_folder(name, paths) else rest


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


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _without(name: str) -> str:
    """Without `a/` or `b/`."""
    return name[2:] if name.startswith(("a/", "b/")) else name


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count


def _is_end(one: str, other: str) -> bool:
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")


def _is_everywhere(name: str) -> bool:
    """Every other folder has a file of this name."""
    stem = _last(name).casefold()
    return bool(_EVERYWHERE.fullmatch(stem.rpartition(".")[0] or stem))
