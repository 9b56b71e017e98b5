"""An edit as a value (files before and after), and the function that writes it to the work tree.

Either all files are written or none. Links are not followed. Each file is written under a temporary
name and then renamed, so that no reader sees a partial file.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from react_agent.tools.errors import OF_THE_MACHINE, MachineError
from react_agent.tools.files import paths
from react_agent.tools.files.paths import Cause, Place, Refused, inside, open_settled, settled

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
LARGEST = 20_000_000  # bytes of a file that is edited


@dataclass(frozen=True)
class FileState:
    data: bytes
    mode: int | None = None  # its permissions; none: those that a new file gets

    @cached_property
    def text(self) -> str:
        """Return the content as text that can be encoded to the same bytes again."""
        return self.data.decode(errors="surrogateescape")

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines with any CR at their ends, because a changed CR is also a change."""
        return self.text.removesuffix("\n").split("\n") if self.data else []


Files: TypeAlias = Mapping[str, FileState | None]  # by name; none: there is no such file


@dataclass(frozen=True, slots=True)
class Change:
    old: str | None  # none: the file is created
    new: str | None  # none: the file is deleted

    @property
    def name(self) -> str:
        return self.new or self.old or ""


@dataclass(frozen=True, slots=True)
class Edit:
    changes: tuple[Change, ...]
    before: Files
    after: Files
    notes: tuple[str, ...] = ()  # what was repaired, for the model

    @property
    def sides(self) -> Iterator[tuple[Change, FileState | None, FileState | None]]:
        for change in self.changes:
            old = self.before[change.old] if change.old else None
            yield change, old, self.after[change.new] if change.new else None


def target(root: Path, text: str) -> Place | Refused:
    """Return the place that a path from the model refers to, or the reason for refusing it."""
    place = inside(root, text)
    if isinstance(place, Refused):
        return place
    real = settled(place)
    if isinstance(real, Refused):
        return real
    if real.name != place.name:
        return Refused(Cause.FORBIDDEN, f"{place.name} is a link to {real.name}: edit that file")
    if real.name == ".":
        return Refused(Cause.FOLDER, "this is the root of the repository: write the path of a file")
    if _CONTROL.search(real.name):
        reason = f"{real.name!a} contains a control character: write another name"
        return Refused(Cause.FORBIDDEN, reason)
    return real


def state_of(place: Place) -> FileState | Refused | None:
    """Return the state of a file, or None if it does not exist. No link in its path is followed."""
    opened = open_settled(place, place.name)
    if isinstance(opened, Refused):
        return None if opened.cause is Cause.MISSING else opened
    with opened as file:
        seen = os.fstat(file.fileno())
        if seen.st_size > LARGEST:
            size = f"{seen.st_size:,} bytes"
            return Refused(Cause.FORBIDDEN, f"{place.name} is too large to edit ({size})")
        return FileState(file.read(), seen.st_mode & 0o777)


def exchange(root: Path, before: Files, after: Files) -> str:
    """Write the new states of the files. On failure, change no file and return the reason."""
    changed = [name for name, state in after.items() if before[name] != state]
    # first remove files: a new folder may have the name of an old file
    order = sorted(changed, key=lambda name: after[name] is not None)
    for count, name in enumerate(order):
        try:
            _put(root, name, after[name])
        except OSError as error:
            _put_back(root, before, order[:count][::-1])
            if error.errno in OF_THE_MACHINE:
                raise
            why = error.strerror
            if error.errno == errno.EISDIR:
                return f"{name} is a folder: write a file's path"
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                why = "it is not a regular file, or a parent is not a folder"
            return f"{name} can't be written: {why}"
    return ""


def _put_back(root: Path, before: Files, names: list[str]) -> None:
    for name in names:
        try:
            _put(root, name, before[name])
        except OSError as error:
            raise MachineError(f"{name} can't be restored: {error.strerror}") from None


def _put(root: Path, name: str, state: FileState | None) -> None:
    if state is None:
        paths.remove(root, name)
        return
    *folders, last = name.split("/")
    with ExitStack() as opened:
        folder = paths.enter(opened, root, folders, make=True)[-1]
        with suppress(FileNotFoundError):
            kind = os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode
            if not stat.S_ISREG(kind):
                raise OSError(errno.EISDIR if stat.S_ISDIR(kind) else errno.ELOOP, "no file")
        paths.write(folder, last, [state.data], mode=state.mode)
