"""All changes of one file as one, whether it is renamed or created in the same patch or not."""

from collections.abc import Collection

from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Refusal

_ONE = "send one change of each file, with all its hunks"


class Joined:
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
    if after.new is None or after.old is None:
        what = "deleted" if after.new is None else "created"
        how = "created" if before.old is None else "renamed" if one.moved else "changed"
        both = f"{how} twice" if how == what else f"{how} and {what} in the same patch"
        return Refusal(f"{name} is {both}: {_ONE}")
    if one.moved and other.moved and before.old == after.old:
        return Refusal(f"{name} is renamed twice, to {before.new} and to {after.new}: {_ONE}")
    if other.whole is not None and (one.whole is not None or one.hunks):
        return Refusal(f"{name} comes whole, and in another change too: {_ONE}")
    if before.old is None and one.whole is None and one.hunks:
        one = one._replace(whole=added(one.hunks), hunks=())
    change = one._replace(
        hunks=(*one.hunks, *other.hunks),
        whole=one.whole if other.whole is None else other.whole,
        moved=one.moved or other.moved,
        old_mode=one.old_mode or other.old_mode,
        new_mode=other.new_mode or one.new_mode,
    )
    new = after.new if other.moved else before.new
    return Named(change, before.old, new, (*before.repairs, *after.repairs))


def _made_again(before: Named, after: Named, name: str) -> Named | Refusal:
    """A file that is deleted and created is written anew."""
    whole = after.change.whole if after.change.whole is not None else added(after.change.hunks)
    if after.old is not None or after.new is None or whole is None:
        both = "deleted twice" if after.new is None else "deleted and changed in the same patch"
        return Refusal(f"{name} is {both}: {_ONE}")
    said = f"{name} is deleted and created again: read as its whole new text"
    change = FileChange(after.change.at, None, after.new, whole=whole)
    return Named(change, before.old, after.new, (*before.repairs, *after.repairs, said))


def added(hunks: tuple[Hunk, ...]) -> tuple[str, ...] | None:
    """The lines of a new file, if nothing is quoted of an old one."""
    lines = [line for hunk in hunks for line in hunk.lines]
    if any(line.mark == "-" or (line.mark == " " and line.text.strip()) for line in lines):
        return None
    return tuple(line.text for line in lines)
