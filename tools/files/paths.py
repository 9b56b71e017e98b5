"""Resolve a path that the model gave to a place in the work tree, or refuse it.

`inside` checks the text of the path, and `settled` checks where its symbolic links lead. Opening a
file follows no links at all, so that no link can be swapped in between the check and the opening.
"""

import errno
import os
import posixpath
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from react_agent.parsers.repo.git_diff import is_gits
from react_agent.tools.errors import OF_THE_MACHINE
from react_agent.tools.observation import REFUSED, Observation, failed

_QUOTES = "`'\""
_QUOTED = 60  # characters of what can't be a path
_LONGEST_NAME = 255  # bytes
_LONGEST_PATH = 2_000
_NO_FILE = "is not a regular file: it can't be read"
_LEADS_OUT = "only files in the repository can be accessed: write a path relative to its root"


class Cause(StrEnum):
    FORBIDDEN = "forbidden"
    MISSING = "missing"
    FOLDER = "folder"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Refused:
    cause: Cause
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    root: Path
    name: str  # relative to the root, normal form; "." is the root itself

    @property
    def full(self) -> Path:
        return self.root / self.name


def inside(root: Path, text: str) -> Place | Refused:
    """Return the place that a model's path refers to. Links are not followed yet."""
    bare = unwrapped(text)
    path = os.fsencode(bare) if can_be_passed(bare) else b"\n"
    is_long = len(path) > _LONGEST_PATH or max(map(len, path.split(b"/"))) > _LONGEST_NAME
    if b"\n" in path or is_long:
        return Refused(Cause.FORBIDDEN, f"{bare[:_QUOTED]!a} is not a path: write exactly one path")
    relative = _relative(root, bare)
    name = posixpath.normpath(relative) if relative is not None else ".."
    if name == ".." or name.startswith("../"):
        reason = f"{bare} is outside the repository; {_LEADS_OUT}"
        return Refused(Cause.FORBIDDEN, reason)
    if _is_gits(name):
        return Refused(Cause.FORBIDDEN, f"{bare} is inside .git, which can't be accessed")
    return Place(root, name)


def existing(root: Path, text: str) -> Place | None:
    """Return the place that a path refers to if something is there, such as a dangling link."""
    place = inside(root, text)
    return place if isinstance(place, Place) and os.path.lexists(place.full) else None


def unwrapped(text: str) -> str:
    """Return a path without surrounding spaces, quotes and backticks."""
    bare = text.strip()
    while len(bare) > 1 and bare[0] in _QUOTES and bare[-1] == bare[0]:
        bare = bare[1:-1].strip()
    return bare


def named_place(root: Path, text: str) -> Place | Refused:
    """Return the place that a path refers to: of `src/x.py:4`, the file if only that exists."""
    from react_agent.parsers.values.targets import readings  # it takes its time

    found = (existing(root, request.path) for request in readings(unwrapped(text)))
    return next(filter(None, found), None) or inside(root, text)


def settled(place: Place) -> Place | Refused:
    """Return the place with all links resolved. Refuse a place outside the work tree."""
    root = os.path.realpath(place.root)
    try:
        real = os.path.realpath(Path(root, place.name))
    except OSError:  # a link was replaced meanwhile
        return Refused(Cause.UNREADABLE, f"{place.name} is being replaced: try again")
    name = os.path.relpath(real, root)
    if name == ".." or name.startswith("../"):
        reason = f"{place.name} is a symbolic link that leads out of the repository"
        return Refused(Cause.FORBIDDEN, f"{reason}; {_LEADS_OUT}")
    if _is_gits(name):
        return Refused(Cause.FORBIDDEN, f"{place.name} leads into .git, which can't be accessed")
    return Place(Path(root), name)


def open_inside(place: Place) -> BinaryIO | Refused:
    """Open a regular file of the work tree for reading."""
    real = settled(place)
    return real if isinstance(real, Refused) else open_settled(real, place.name)


def start_of(place: Place, most: int, *, follow: bool = True) -> bytes:
    """Return the first bytes of a file, or nothing if it can't be read."""
    opened = open_inside(place) if follow else open_settled(place, place.name)
    if isinstance(opened, Refused):
        return b""
    with opened as file:
        return file.read(most)


def open_settled(real: Place, name: str) -> BinaryIO | Refused:
    """Open a file one path component at a time, refusing links. `name` is used in errors."""
    *folders, last = real.name.split("/")
    try:
        with ExitStack() as opened:
            at = enter(opened, real.root, folders)[-1]
            descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    except OSError as error:
        if error.errno in OF_THE_MACHINE:
            raise
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            return Refused(Cause.MISSING, f"{name} does not exist")
        if error.errno in (errno.ENXIO, errno.ELOOP):
            return Refused(Cause.FORBIDDEN, f"{name} {_NO_FILE}")
        return Refused(Cause.UNREADABLE, f"{name} can't be read: {error.strerror}")
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        return Refused(Cause.FOLDER, f"{name} is a folder")
    return Refused(Cause.FORBIDDEN, f"{name} {_NO_FILE}")


def enter(
    opened: ExitStack,
    root: Path,
    folders: Sequence[str],
    *,
    make: bool = False,
    clear: bool = False,
) -> list[int]:
    """Open the root and each nested folder relative to its parent. None of them may be a link.

    `clear` removes anything that is not a folder, and `make` creates missing folders.
    """
    entered = [os.open(root, os.O_RDONLY | os.O_DIRECTORY)]
    opened.callback(os.close, entered[-1])
    for folder in folders:
        if clear and not is_folder(folder, entered[-1]):
            with suppress(FileNotFoundError):
                os.unlink(folder, dir_fd=entered[-1])
        if make:
            with suppress(FileExistsError):
                os.mkdir(folder, dir_fd=entered[-1])
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        entered.append(os.open(folder, flags, dir_fd=entered[-1]))
        opened.callback(os.close, entered[-1])
    return entered


def is_folder(name: str, within: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def write(
    folder: int, name: str, data: Iterable[bytes], *, made: int = 0o666, mode: int | None = None
) -> None:
    """Write a regular file in an open folder. `made` is the mode of a new file before the umask."""
    with _beside(folder, name) as new:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(new, flags, made, dir_fd=folder), "wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.writelines(data)


def write_link(folder: int, name: str, leads_to: bytes) -> None:
    with _beside(folder, name) as new:
        os.symlink(leads_to, new, dir_fd=folder)


@contextmanager
def _beside(folder: int, name: str) -> Iterator[str]:
    """Yield a temporary name and rename it to `name` at the end: no reader sees a partial file."""
    new = f".react-agent-{secrets.token_hex(8)}"
    try:
        yield new
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # an interrupt too: it must not stay
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise


def move_out(folder: int, name: str, place: Path) -> None:
    os.rename(name, place, src_dir_fd=folder)


def move_in(place: Path, folder: int, name: str) -> None:
    os.rename(place, name, dst_dir_fd=folder)


def remove(root: Path, name: str) -> None:
    """Remove a file, and then any folders that are empty without it."""
    *folders, last = name.split("/")
    with ExitStack() as opened:
        entered = enter(opened, root, folders)
        os.unlink(last, dir_fd=entered[-1])
        with suppress(OSError):  # until one is not empty
            for folder, parent in zip(folders[::-1], entered[-2::-1], strict=True):
                os.rmdir(folder, dir_fd=parent)


def _relative(root: Path, bare: str) -> str | None:
    if not bare.startswith("/"):
        return bare
    for start in (str(root), os.path.realpath(root)):
        if bare == start or bare.startswith(start + "/"):
            return bare[len(start) :].strip("/") or "."
    return None


def _is_gits(name: str) -> bool:
    return any(map(is_gits, name.replace("\\", "/").split("/")))  # as some systems part it


def can_be_passed(text: str) -> bool:
    """Return whether a path can have this text: no NUL, and every character can be encoded."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def refused(why: Refused, more: str = "", *paths: str) -> Observation:
    """Return the failure. It is marked as refused if the path is forbidden, but not if missing."""
    seen = failed(f"{why.reason}{more}", *paths)
    return replace(seen, noted={REFUSED: "path"}) if why.cause is Cause.FORBIDDEN else seen
