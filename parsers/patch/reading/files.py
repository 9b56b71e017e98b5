"""Find the files that a patch names. Each file may have one change.

A path from the patch is looked up in steps, the strictest first. The first step that finds a file
decides:
as it is written -> without `a/` or `b/` -> in another case -> one is the end of the other
-> the only file of its name.

Deletions, renames and creations are read first, since other changes may refer to these files.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Refused
from react_agent.parsers.repo.git_diff import is_gits
from react_agent.parsers.repo.globs import folders_of
from react_agent.parsers.text.late_pattern import LatePattern

_CONTROL = LatePattern(r"[\\\x00-\x1f\x7f\ud800-\udc7f\udd00-\udfff]")
_DRIVE = LatePattern(r"[A-Za-z]:[\\/]")
_PREFIXED = LatePattern(r"([a-z0-9])/([^\n]+)")
_FILE, _PROGRAM = "100644", "100755"
_LONGEST = 2_000  # characters of a path
_LONGEST_PART = 255
_SHOWN = 60  # characters of a name that can't be a path
_MOST = 5  # paths that are listed
_BESIDE = 3  # paths that are only in the same folder
_ROOT = "write its path from the root of the repository"
_ONE = "send one change per file, with all its hunks"
_MAKE = "; to create it, write --- /dev/null"


def named(changes: Sequence[FileChange], paths: Collection[str]) -> list[Named] | Refused:
    """Return one change per file, in the order of the patch, or all problems with the names."""
    files, reasons = _Files(paths), list[str]()
    in_rank = sorted(
        enumerate(changes),
        key=lambda one: (one[1].new is not None, not one[1].moved, one[1].old is not None, one[0]),
    )
    for at, change in in_rank:
        one = _named(change, files)
        if problem := one if isinstance(one, str) else files.add(at, one):
            reasons.append(problem)
    reasons += files.collisions()
    if reasons:
        return Refused(tuple(dict.fromkeys(reasons)))
    return [files.all[at] for at in sorted(files.all)]


class _Files:
    """The existing files and the files of the patch. Slow indexes are built when needed."""

    def __init__(self, there: Collection[str]) -> None:
        self.there = there
        self.all = dict[int, Named]()  # by the place of the change in the patch
        self.made = set[str]()  # names that are new
        self._named = set[str]()  # the names in `all`

    def __contains__(self, path: str) -> bool:
        return path in self.there or path in self.made

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Return the paths, grouped by their last part in lower case."""
        found = dict[str, list[str]]()
        for path in self.there:
            found.setdefault(_last(path).casefold(), []).append(path)
        return found

    @cached_property
    def folders(self) -> set[str]:
        return folders_of(self.there)

    def named_like(self, name: str) -> list[str]:
        """Return the paths with the same last part, ignoring case, and all new paths."""
        made = [path for path in self.made if path not in self.there]
        return [*self.by_name.get(_last(name).casefold(), ()), *made]

    def add(self, at: int, one: Named) -> str:
        """Add the change at this place of the patch. Return why it can't be added, or ""."""
        names = {name for name in (one.old, one.new) if name is not None}
        if not names.isdisjoint(self._named):
            return f"{one.old or one.new} has several changes: {_ONE}"
        self._named |= names
        self.all[at] = one
        if one.new is not None and one.new != one.old:
            self.made.add(one.new)
        return ""

    def collisions(self) -> Iterator[str]:
        """Yield a problem for each new path that is already taken."""
        gone = {one.old for one in self.all.values() if one.old != one.new}
        for one in self.all.values():
            is_made = one.new is not None and one.new != one.old
            if is_made and (why := self._collision(one.new or "", gone)):
                yield why

    def _collision(self, name: str, gone: Collection[str | None]) -> str:
        if name in self.there and name not in gone:
            return f"{name} exists already: quote its lines to change it, or write another name"
        if name in self.folders:
            return f"{name} is a folder: write the path of a file"
        parent = _folder(name)
        while parent:
            if (parent in self and parent not in gone) or parent in self.made:
                return f"{parent} is a file, so {name} can't be created: write another path"
            parent = _folder(parent)
        return ""


class _Meant(NamedTuple):
    path: str = ""
    problem: str = ""  # why the name means no file
    repair: str = ""
    is_missing: bool = False


def _tidy(name: str) -> str:
    """Return the name without redundant parts such as `./`."""
    name = name.strip()
    while name.startswith("./"):
        name = name[2:]
    return name.replace("/./", "/")


def _is_absolute(name: str) -> bool:
    return name.startswith(("/", "~/")) or bool(_DRIVE.match(name))


def _problem(name: str) -> str:
    """Return why the path can't be written, or "" if it can."""
    parts = name.removeprefix("/").split("/")
    is_odd = any(part in ("", ".") or len(part) > _LONGEST_PART for part in parts)
    if is_odd or _CONTROL.search(name) or len(name) > _LONGEST:
        return f"{name[:_SHOWN]!a} is not a valid path: {_ROOT}"
    if ".." in parts:
        return _outside(name)
    if any(map(is_gits, parts)):
        return f"{name} belongs to git: files in .git can't be patched"
    return ""


def _outside(name: str) -> str:
    return f"{name} is outside the repository: {_ROOT}"


def _ladder(name: str, files: _Files, careful: bool) -> Iterator[list[str]]:
    """Yield the paths that may be meant. `careful` means that no quoted line confirms the file."""
    bare = name[2:] if name.startswith(("a/", "b/")) else name
    yield [name]
    yield [bare]
    like = files.named_like(name)
    yield [path for path in like if path.casefold() in (name.casefold(), bare.casefold())]
    if careful:
        return
    same = [path for path in like if _last(path) == _last(name)]
    yield [one for one in same if f"/{one}".endswith(f"/{name}") or f"/{name}".endswith(f"/{one}")]
    yield same if len(same) == 1 else []


def _existing(old: str, new: str, files: _Files, careful: bool = False) -> _Meant:
    """Return the existing file that two names refer to. An empty name means that none is given."""
    old, new = _tidy(old), _tidy(new)
    if pair := _pair_of(old, new):
        return _single(pair, (pair, old, new), files, careful)
    if not old or not new or old == new:
        name = old or new
        rest = name.removeprefix("" if old and new else "a/" if old else "b/")
        return _single(rest, (name, rest), files, careful)
    return _two(old, new, files, careful)


def _pair_of(old: str, new: str) -> str:
    """Return the name that two paths share below different git prefixes, or ""."""
    left, right = _PREFIXED.fullmatch(_tidy(old)), _PREFIXED.fullmatch(_tidy(new))
    if left and right and left[1] != right[1] and left[2] == right[2]:
        return left[2]
    return ""


def _single(name: str, spelled: tuple[str, ...], files: _Files, careful: bool) -> _Meant:
    """Look up one name. `spelled` contains possible spellings of the path, the likeliest first."""
    name = _tidy(name)
    if why := _problem(name):
        return _Meant(name, why)
    steps = ([each] for each in spelled), _ladder(name, files, careful)
    there = (sorted({path for path in paths if path in files}) for paths in chain(*steps))
    found = next(filter(None, there), [])
    if len(found) == 1:
        same = found[0] in (name, spelled[0])
        return _Meant(found[0], repair="" if same else f"path {name} read as {found[0]}")
    if found:
        several = " or ".join(found[:_MOST])
        return _Meant(name, f"{name} could be {several}: write the full path of the file")
    why = _outside(name) if _is_absolute(name) else f"{name} does not exist"
    return _Meant(name, why, is_missing=True)


def _two(old: str, new: str, files: _Files, careful: bool) -> _Meant:
    """Look up two names that differ although the patch has no rename."""
    left, right = (
        name if name in files else _tidy(name.removeprefix(prefix))
        for name, prefix in ((old, "a/"), (new, "b/"))
    )
    if left == right:
        return _single(right, (right,), files, careful)
    return _Meant(
        left,
        _problem(left)
        or _problem(right)
        or f"the --- and +++ lines name two files, {left} and {right}: to rename a file, write "
        f"rename from {left} and rename to {right} below a diff --git line; "
        "otherwise name the same file in both",
    )


def _missing(meant: _Meant, files: _Files, may_be_made: bool = False) -> str:
    """Return a description of the path's problem. If it does not exist, also name similar paths."""
    if not meant.is_missing or _is_absolute(meant.path):
        return meant.problem
    if meant.path in files.folders:
        return f"{meant.path} is a folder: write the path of a file"
    name, folder = _last(meant.path).casefold(), _folder(meant.path)
    like = [path for path in files.named_like(meant.path) if _last(path).casefold() == name]
    near = sorted(like)[:_MOST]
    if folder and not near:
        near = sorted(path for path in files.there if _folder(path) == folder)[:_BESIDE]
    if near:
        return f"{meant.problem}; near it: {', '.join(near)}"
    return meant.problem + (_MAKE if may_be_made else "")


def _created(new: str, files: _Files, known: str = "") -> _Meant:
    """Return the path of a new file. `known` is the path if the other name already gives it."""
    name = _tidy(new)
    prefix = "a/" if "a" not in files.folders and name.startswith("a/") else "b/"
    path = known or (name if new.strip().startswith("./") else name.removeprefix(prefix))
    if why := _problem(path):
        return _Meant(name, why)
    if _is_absolute(path):
        return _Meant(path, _outside(path))
    is_plain = path in (name, name.removeprefix("b/"), known)
    return _Meant(path, repair="" if is_plain else f"path {name} read as {path}")


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _named(change: FileChange, files: _Files) -> Named | str:
    old, new = change.old or "", change.new or ""
    if not old and not new:
        if any(hunk.is_block for hunk in change.hunks):
            where = f"no path above the block at line {change.at}"
            return f"{where}: write the path of its file there, on a line of its own"
        where = f"the change at line {change.at} of the patch"
        return f"{where} names no file: write --- a/PATH and +++ b/PATH above its hunks"
    for mode in (change.old_mode, change.new_mode):
        if mode not in ("", _FILE, _PROGRAM):
            name = _pair_of(old, new) or new.removeprefix("b/") or old.removeprefix("a/")
            return (
                f"{name} would have mode {mode}: only regular files (mode {_FILE} or "
                f"{_PROGRAM}) can be patched, no links or submodules"
            )
    if change.moved == "copy":
        return f"a patch can't copy {_tidy(old)}: write the new file with all its lines"
    if change.new is None:
        meant = _existing(old, "", files, careful=True)
        if meant.problem:
            return _missing(meant, files)
        return _of(change, meant.path, None, meant)
    if change.old is None:
        return _new(change, _created(new, files))
    return (_moved if change.moved else _changed)(change, old, new, files)


def _of(change: FileChange, old: str | None, new: str | None, *meant: _Meant) -> Named:
    repairs = tuple(one.repair for one in meant if one.repair)
    return Named(change, old, new, repairs)


def _moved(change: FileChange, old: str, new: str, files: _Files) -> Named | str:
    meant = _existing(old, "", files, careful=not change.hunks)
    known = _tidy(new) if _tidy(old) in files else ""  # with a prefix if the old name has one
    made = _created(new, files, known)
    if meant.problem or made.problem:
        return _missing(meant, files) or made.problem
    return _of(change, meant.path, made.path, meant, made)


def _changed(change: FileChange, old: str, new: str, files: _Files) -> Named | str:
    """Return a change of an existing file, or of a new one if it is complete or quotes no line."""
    is_whole, hunks = change.whole is not None, change.hunks
    is_first = len(hunks) == 1 and hunks[0].start in (None, 0, 1) and bool(hunks[0].lines)
    may_be_new = is_whole or (is_first and _only_adds(hunks))
    quotes = any(any(map(str.strip, hunk.old)) for hunk in hunks)
    meant = _existing(old, new, files, careful=may_be_new or not quotes)
    if not meant.problem:
        if change.new_mode and not change.old_mode:  # there are only two modes
            other = _FILE if change.new_mode == _PROGRAM else _PROGRAM
            change = change._replace(old_mode=other)
        return _of(change, meant.path, meant.path, meant)
    is_one = not old or not new or bool(_pair_of(old, new)) or _tidy(old) == _tidy(new)
    elsewhere = is_whole and any(
        path.endswith(f"/{meant.path}") for path in files.named_like(meant.path)
    )
    if not (may_be_new and meant.is_missing and is_one) or elsewhere:
        return _missing(meant, files, bool(hunks))
    if not is_whole and not _existing(old, new, files).problem:
        return f"{_missing(meant, files)}{_MAKE}"
    one = _new(change, _created(new or old, files, _pair_of(old, new)))
    if isinstance(one, str) or is_whole:
        return one
    return one._replace(repairs=(*one.repairs, f"{one.new} does not exist: read as a new file"))


def _new(change: FileChange, meant: _Meant) -> Named | str:
    if meant.problem:
        return meant.problem
    change = change._replace(new_mode=change.new_mode or _FILE)
    return _of(change, None, meant.path, meant)


def _only_adds(hunks: Sequence[Hunk]) -> bool:
    """Return whether the hunks quote no line of an old file."""
    lines = (line for hunk in hunks for line in hunk.lines)
    return not any(line.mark == "-" or (line.mark == " " and line.text.strip()) for line in lines)
