"""The files that a patch means by its names: all changes of one file as one.

One ladder for a written path, the strictest step first; the one step that finds something decides:
as it is written -> without `a/` or `b/` -> the end of an absolute path -> in another case
-> one is the end of the other -> the only file of its name.

What a patch deletes, renames and creates is read first: its other changes may be of such files.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from react_agent.parsers.edits.block_marks import USAGE
from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Refusal
from react_agent.parsers.repo.git_own import is_gits
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


_FILE, _PROGRAM = "100644", "100755"
_ONE = "send one change of each file, with all its hunks"


def named(changes: Sequence[FileChange], paths: Collection[str]) -> list[Named] | Refusal:
    """One for each file, in the order of the patch; or all that is wrong with the names."""
    known, joined, reasons = Paths(paths), _Joined(paths), list[str]()
    firsts = dict[int, int]()
    known.has_prefixes = any(pair_of(each.old or "", each.new or "") for each in changes)
    for at in sorted(range(len(changes)), key=lambda at: (_rank(changes[at]), at)):
        one = _named(changes[at], known)
        place = joined.add(one) if isinstance(one, Named) else one
        if isinstance(place, Refusal):
            reasons.append(place.reason)
        else:
            known.made = joined.made
            firsts[place] = min(at, firsts.get(place, at))
    reasons += _collisions(joined.all, known)
    if reasons:
        return Refusal("\n".join(dict.fromkeys(reasons)))
    return [joined.all[place] for place in sorted(firsts, key=firsts.__getitem__)]


def _rank(change: FileChange) -> int:
    if change.new is None:
        return 0
    if change.moved:
        return 1
    return 2 if change.old is None else 3


def _named(change: FileChange, paths: Paths) -> Named | Refusal:
    if not change.old and not change.new:
        return Refusal(_nameless(change))
    with_modes = _modes(change)
    if isinstance(with_modes, Refusal):
        return with_modes
    change, said = with_modes.change, with_modes.repairs
    one: Named | Refusal
    if change.new is None:
        meant = existing(change.old or "", "", paths, careful=True)
        one = (
            Refusal(missing(meant, paths))
            if meant.problem
            else _of(change, meant.path, None, meant)
        )
    elif change.old is None:
        one = _new(change, created(change.new, paths), paths)
    elif change.moved:
        one = _moved(change, paths)
    else:
        one = _changed(change, paths)
    return one._replace(repairs=(*one.repairs, *said)) if isinstance(one, Named) else one


def _nameless(change: FileChange) -> str:
    if any(hunk.is_block for hunk in change.hunks):
        return f"there is no path above the block of line {change.at}: {USAGE}"
    where = f"the change in line {change.at} of the patch"
    return f"{where} names no file: write --- a/PATH and +++ b/PATH above its hunks"


def _of(change: FileChange, old: str | None, new: str | None, *meant: Meant) -> Named:
    return Named(change, old, new, tuple(one.repair for one in meant if one.repair))


def _moved(change: FileChange, paths: Paths) -> Named | Refusal:
    old = existing(change.old or "", "", paths, careful=not change.hunks)
    new = created(change.new or "", paths, _as_old(change, old, paths))
    if old.problem or new.problem:
        return Refusal(missing(old, paths) or new.problem)
    if old.path == new.path:
        return _edit(change._replace(moved=""), old)
    return _of(change, old.path, new.path, old, new)


def _as_old(change: FileChange, old: Meant, paths: Paths) -> str:
    """The new name with a prefix or without, as the old one is written; empty if unknown."""
    written, new = tidy(change.old or ""), tidy(change.new or "")
    if written in paths:
        return new
    return new[2:] if written == f"a/{old.path}" and new.startswith("b/") else ""


def _changed(change: FileChange, paths: Paths) -> Named | Refusal:
    is_whole = change.whole is not None
    may_be_new = is_whole or _looks_new(change)
    old, new = change.old or "", change.new or ""
    meant = existing(old, new, paths, careful=may_be_new or not _quotes(change))
    if not meant.problem:
        return _edit(change, meant)
    is_one = not old or not new or bool(pair_of(old, new)) or tidy(old) == tidy(new)
    elsewhere = is_whole and any(
        path.endswith(f"/{meant.path}") for path in paths.named_like(meant.path)
    )
    if not (may_be_new and meant.is_missing and is_one) or elsewhere:
        return _missing(meant, change, paths)
    if not is_whole and not existing(old, new, paths).problem:
        return Refusal(f"{missing(meant, paths)}; to create it, write --- /dev/null")
    one = _new(change, created(new or old, paths, pair_of(old, new)), paths)
    if isinstance(one, Refusal) or is_whole:
        return one
    return one._replace(repairs=(*one.repairs, f"{one.new} does not exist: read as a new file"))


def _missing(meant: Meant, change: FileChange, paths: Paths) -> Refusal:
    reason = missing(meant, paths)
    may_be_made = meant.is_missing and reason == meant.problem and not is_absolute(meant.path)
    create = "; to create it, write --- /dev/null" if may_be_made and change.hunks else ""
    return Refusal(f"{reason}{create}")


def _quotes(change: FileChange) -> bool:
    """Whether something of the old file will have to be found in it."""
    return any(line.mark != "+" and line.text.strip() for h in change.hunks for line in h.lines)


def _looks_new(change: FileChange) -> bool:
    """Nothing is quoted, and its lines are to be at the beginning."""
    if len(change.hunks) != 1 or not _added(change.hunks):
        return False
    return change.hunks[0].start in (None, 0, 1)


def _edit(change: FileChange, meant: Meant) -> Named:
    """Of a mode, only the new one is often written: there are but two."""
    if change.new_mode and not change.old_mode:
        other = _FILE if change.new_mode == _PROGRAM else _PROGRAM
        change = change._replace(old_mode=other)
    return _of(change, meant.path, meant.path, meant)


def _new(change: FileChange, meant: Meant, paths: Paths) -> Named | Refusal:
    if meant.problem:
        return Refusal(meant.problem)
    if meant.path in paths.there and change.hunks and _added(change.hunks) is None:
        one = _of(change, meant.path, meant.path, meant)
        said = f"{meant.path} exists: read as a change of it, not as a new file"
        return one._replace(repairs=(*one.repairs, said))
    change = change._replace(new_mode=change.new_mode or _FILE)
    return _of(change, None, meant.path, meant)


def _modes(change: FileChange) -> Named | Refusal:
    """The same change with the modes that git has for files; its names are not looked at."""
    name, repairs = _plain(change), list[str]()
    modes = [change.old_mode, change.new_mode]
    for at, written in enumerate(modes):
        modes[at] = file_mode(written) if written else ""
        if written and not modes[at]:
            return Refusal(
                f"{name} would have mode {written}: only files can be patched, of mode "
                f"{_FILE} or {_PROGRAM}, no links, no submodules"
            )
        if modes[at] != written:
            repairs.append(f"mode {written} of {name} read as {modes[at]}")
    old, new = modes
    return Named(change._replace(old_mode=old, new_mode=new), None, None, tuple(repairs))


def _plain(change: FileChange) -> str:
    """Its name without what git writes before it, to be shown."""
    name = pair_of(change.old or "", change.new or "") or change.new or change.old
    return name.removeprefix("b/" if change.new else "a/") if name else "a file"


def _collisions(files: Sequence[Named], paths: Paths) -> list[str]:
    """What is where something new is to be."""
    gone = {one.old for one in files if one.old != one.new and one.change.moved != "copy"}
    every = [one.new for one in files if one.new is not None and one.new != one.old]
    reasons = [f"{name} is made twice: leave one out" for name in every if every.count(name) > 1]
    for one in files:
        if one.new is not None and one.new != one.old:
            reasons += _collision(one.new, gone, paths, _instead(one.new, one))
    return reasons


def _instead(name: str, one: Named) -> str:
    """What to write where that file is there already, in the way the change is written."""
    if one.old is not None:
        return "write another name"
    if any(hunk.is_block for hunk in one.change.hunks):
        return "to change it, quote its lines as the old text"
    return f"to change it, write --- a/{name} and quote its lines"


def _collision(name: str, gone: Collection[str | None], paths: Paths, instead: str) -> list[str]:
    if name in paths.there:
        return [] if name in gone else [f"{name} exists already: {instead}"]
    if name in paths.folders:
        return [f"{name} is a folder: write the path of a file"]
    parent = name.rpartition("/")[0]
    while parent:
        if (parent in paths and parent not in gone) or parent in paths.made:
            return [f"{parent} is a file, so {name} can't be made: write another path"]
        parent = parent.rpartition("/")[0]
    for path in paths.by_name.get(name.rpartition("/")[2].casefold(), ()):
        if path.casefold() == name.casefold() and path not in gone:
            return [f"{name} exists already as {path}: write it like that"]
    return []


class _Joined:
    """The files of a patch, by the names that they had and by those that they get."""

    def __init__(self, there: Collection[str]) -> None:
        self.there = there
        self.all = list[Named]()
        self.by_old = dict[str, int]()
        self.by_new = dict[str, int]()
        self.made = set[str]()  # names that are new

    def add(self, named: Named) -> int | Refusal:
        """Its place; another change of a file that is here already is joined to it."""
        if named.change.moved == "copy" and named.old not in self.there:
            return Refusal(f"{named.old} is not there before this patch: copy another file")
        at = self._place(named)
        if at is None:
            at = len(self.all)
            self.all.append(named)
        else:
            both = _both(self.all[at], named)
            if isinstance(both, Refusal):
                return both
            self.all[at] = both
        self._know(self.all[at], at)
        return at

    def _place(self, named: Named) -> int | None:
        """A rename is one of the file that was there; other changes are of what it became."""
        old, new = named.old, named.new
        if named.change.moved == "copy":
            return None
        if old is None:
            deleted = self.by_old.get(new or "")
            if deleted is not None and self.all[deleted].new is None:
                return deleted
            return self.by_new.get(new or "")
        if old in self.there and (new is None or named.change.moved):
            return self.by_old.get(old)
        return self.by_new.get(old, self.by_old.get(old))

    def _know(self, named: Named, at: int) -> None:
        if named.new is not None:
            self.by_new[named.new] = at
            if named.new != named.old:
                self.made.add(named.new)
        if named.old is not None and named.change.moved != "copy":
            self.by_old[named.old] = at


def _both(before: Named, after: Named) -> Named | Refusal:
    one, other = before.change, after.change
    name = after.old or after.new or ""
    if before.new is None:
        return _made_again(before, after, name)
    is_made_or_deleted = after.new is None or after.old is None
    is_moved_twice = bool(one.moved and other.moved) and before.old == after.old
    is_whole_too = other.whole is not None and bool(one.whole is not None or one.hunks)
    if is_made_or_deleted or is_moved_twice or is_whole_too:
        return Refusal(_two_fates(before, after, name))
    if before.old is None and one.whole is None and one.hunks:
        one = one._replace(whole=_added(one.hunks), hunks=())
    change = one._replace(
        hunks=(*one.hunks, *other.hunks),
        whole=one.whole if other.whole is None else other.whole,
        moved=one.moved or other.moved,
        old_mode=one.old_mode or other.old_mode,
        new_mode=other.new_mode or one.new_mode,
    )
    new = after.new if other.moved else before.new
    return Named(change, before.old, new, (*before.repairs, *after.repairs))


def _two_fates(before: Named, after: Named, name: str) -> str:
    first, second = _fate(before), _fate(after)
    both = f"{first} twice" if first == second else f"{first} and {second} in the same patch"
    return f"{name} is {both}: {_ONE}"


def _fate(one: Named) -> str:
    if one.new is None or one.old is None:
        return "deleted" if one.new is None else "created"
    return "renamed" if one.change.moved else "changed"


def _made_again(before: Named, after: Named, name: str) -> Named | Refusal:
    """A file that is deleted and created is written anew."""
    whole = after.change.whole if after.change.whole is not None else _added(after.change.hunks)
    if after.old is not None or after.new is None or whole is None:
        return Refusal(_two_fates(before, after, name))
    said = f"{name} is deleted and created again: read as its whole new text"
    change = FileChange(after.change.at, None, after.new, whole=whole)
    return Named(change, before.old, after.new, (*before.repairs, *after.repairs, said))


def _added(hunks: tuple[Hunk, ...]) -> tuple[str, ...] | None:
    """The lines of a new file, if nothing is quoted of an old one."""
    lines = [line for hunk in hunks for line in hunk.lines]
    if any(line.mark == "-" or (line.mark == " " and line.text.strip()) for line in lines):
        return None
    return tuple(line.text for line in lines)
