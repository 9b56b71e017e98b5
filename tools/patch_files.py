"""The files that a diff is about: whether it may touch them, and what is in them."""

import os
from dataclasses import replace

from react_agent.parsers.diff import Diff, FilePatch
from react_agent.tools.context import Context
from react_agent.tools.file_list import file_list
from react_agent.tools.near import near_paths
from react_agent.tools.paths import Cause, Place, Refused, inside, open_inside, settled

_LARGEST = 20_000_000  # bytes of a file that is patched
_NOT_FILES = ("120000", "160000")  # modes of a symbolic link and of a submodule


def placed(diff: Diff, context: Context) -> Diff | Refused:
    """The same diff, its names those of files that it may touch."""
    files = []
    for file in diff.files:
        allowed = _placed(file, context)
        if isinstance(allowed, Refused):
            return allowed
        files.append(allowed)
    return Diff(tuple(files))


def contents(diff: Diff, context: Context) -> dict[str, str]:
    """Of those that exist; as text in which every byte can be found again."""
    found = {}
    for name in sorted({name for file in diff.files for name in file.names}):
        opened = open_inside(Place(context.root, name))
        if not isinstance(opened, Refused):
            with opened as file:
                found[name] = file.read(_LARGEST).decode(errors="surrogateescape")
    return found


def _placed(file: FilePatch, context: Context) -> FilePatch | Refused:
    if any(line.endswith(_NOT_FILES) for line in file.attributes if " mode " in line):
        what = f"{file.name} would be a symbolic link or a submodule"
        return Refused(Cause.FORBIDDEN, f"{what}: only regular files can be patched")
    old, new = _name(file.old, context), _name(file.new, context)
    if isinstance(old, Refused):
        return old
    if isinstance(new, Refused):
        return new
    named = replace(file, old=old, new=new)
    return _existing(named, context) if old else _created(named, context)


def _name(name: str | None, context: Context) -> str | Refused | None:
    if name is None:
        return None
    place = inside(context.root, name)
    if isinstance(place, Refused):
        return place
    real = settled(place)
    if isinstance(real, Place) and real.name != place.name:
        return Refused(Cause.FORBIDDEN, f"{name} is a link to {real.name}: patch that file")
    return real if isinstance(real, Refused) else real.name


def _existing(file: FilePatch, context: Context) -> FilePatch | Refused:
    name = file.old or ""
    opened = open_inside(Place(context.root, name))
    if not isinstance(opened, Refused):
        with opened:
            size = opened.seek(0, os.SEEK_END)
        too_large = Refused(Cause.FORBIDDEN, f"{name} is too large to be patched ({size:,} bytes)")
        return file if size <= _LARGEST else too_large
    if opened.cause is not Cause.MISSING:
        return opened
    if file.new and not any(hunk.old for hunk in file.hunks) and not file.attributes:
        return replace(file, old=None)  # it says a/NAME where /dev/null should stand
    near = near_paths(name, file_list(context.root))
    create = "; to create it, write --- /dev/null" if file.new else ""
    hint = f"; near it: {', '.join(near)}" if near else create
    return Refused(Cause.MISSING, f"{name} does not exist{hint}")


def _created(file: FilePatch, context: Context) -> FilePatch | Refused:
    if not os.path.lexists(context.root / file.name):
        return file
    reason = (
        f"{file.name} exists already: to change it, write --- a/{file.name} and quote its lines"
    )
    return Refused(Cause.FORBIDDEN, reason)
