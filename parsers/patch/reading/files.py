"""The files that a patch means by its names: all changes of one file as one.

What a patch deletes, renames and creates is read first: its other changes may be of such files.
"""

from collections.abc import Collection, Sequence

from react_agent.parsers.edits.marks import USAGE
from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Refusal
from react_agent.parsers.patch.reading.path_rules import file_mode, is_absolute, tidy
from react_agent.parsers.patch.reading.paths import (
    Meant,
    Paths,
    created,
    existing,
    missing,
    pair_of,
)

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
