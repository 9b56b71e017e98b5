"""The files that a diff is about: which they are, and whether it may touch them."""

import os
from dataclasses import replace

from react_agent.parsers.diff import Diff, FilePatch
from react_agent.tools.context import Context
from react_agent.tools.edit import state_of, target
from react_agent.tools.file_list import file_list
from react_agent.tools.near import near_paths
from react_agent.tools.paths import Cause, Place, Refused

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
    place = target(context.root, name)
    return place if isinstance(place, Refused) else place.name


def _existing(file: FilePatch, context: Context) -> FilePatch | Refused:
    name = file.old or ""
    state = state_of(Place(context.root, name))
    if isinstance(state, Refused):
        return state
    if state is not None:
        return file
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
