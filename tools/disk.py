"""Files and folders that are ours, or that a person has named: read, written, made, removed.

It follows links, so it is not for files of a workspace, which commands write: those are opened by
`paths` and written by `writing`. What has to outlast a loss of power is written by `durable`.
"""

import errno
import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

from react_agent.tools.errors import MachineError

MOST = 1 << 30  # bytes: what is larger is no file of ours, and may have no end


def read_bytes(path: Path, most: int = MOST) -> bytes:
    data = start_of(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def read_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Its line ends are `\\n`."""
    text = read_bytes(path).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def start_of(path: Path, most: int) -> bytes:
    """And no more of it than that."""
    with path.open("rb") as file:
        return file.read(most)


def start_of_regular(path: Path, most: int) -> bytes:
    """Of a file that is no link, pipe or device, whatever lay there when it was looked at."""
    return _regular(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), path, most)


def _regular(descriptor: int, path: Path, most: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(most)


def start_of_regular_below(folders: Sequence[Path | str], name: str, most: int) -> bytes:
    """The same of a file below folders, each in the one before it, of which none is a link."""
    inside: int | None = None
    try:
        for folder in folders:
            outer, how = inside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            inside = os.open(folder, how, dir_fd=outer)
            if outer is not None:
                os.close(outer)
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=inside)
    finally:
        if inside is not None:
            os.close(inside)
    return _regular(descriptor, Path(*folders, name), most)


def end_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
        return file.read(most)


def opened(path: Path) -> BinaryIO:
    """For reading it line by line."""
    return path.open("rb")


def write_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def write_text(path: Path, text: str, encoding: str = "utf-8", errors: str = "strict") -> None:
    path.write_bytes(text.encode(encoding, errors))


def write_new(path: Path, data: bytes) -> None:
    """Where nothing is, not even a link; nobody else may read it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)


def append_text(path: Path, text: str, errors: str = "strict") -> None:
    with appended(path, errors) as file:
        file.write(text)


def appended(path: Path, errors: str = "strict") -> TextIO:
    return path.open("a", encoding="utf-8", errors=errors)


def touch(path: Path) -> None:
    path.touch()


def chmod(path: Path, mode: int) -> None:
    path.chmod(mode)


def copy(source: Path, target: Path) -> None:
    shutil.copy(source, target)


def copy_with_times(source: Path, target: Path) -> None:
    shutil.copy2(source, target)


def copy_contents(source: Path, target: Path) -> None:
    """To a new file that may be read and written, and run if the other one may be."""
    with source.open("rb") as given, target.open("xb") as made:
        found = os.fstat(given.fileno())
        try:  # shares what they hold where the disk can do that
            while os.copy_file_range(given.fileno(), made.fileno(), found.st_size or 1):
                pass
        except (AttributeError, OSError):
            shutil.copyfileobj(given, made)
    target.chmod(found.st_mode & 0o777 | stat.S_IRUSR | stat.S_IWUSR)


def copy_tree(source: Path, target: Path, without: Sequence[str]) -> None:
    """Into a folder that is empty or is made, links as links, but for names like these."""
    try:
        passed_over = shutil.ignore_patterns(*without)
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=passed_over)
    except shutil.Error as error:
        raise OSError(str(error)) from error


def set_times(path: Path, when: float) -> None:
    os.utime(path, (when, when))


def mkdir(
    folder: Path, mode: int = 0o777, *, parents: bool = False, exist_ok: bool = False
) -> None:
    folder.mkdir(mode, parents, exist_ok)


def symlink(place: Path, target: str | Path) -> None:
    place.symlink_to(target)


def hardlink(place: Path, target: Path) -> None:
    place.hardlink_to(target)


def rename(source: Path, target: Path) -> None:
    """What is there already, a file or an empty folder, goes."""
    source.replace(target)


def unlink(path: Path, *, missing_ok: bool = False) -> None:
    path.unlink(missing_ok)


def rmdir(folder: Path) -> None:
    folder.rmdir()


def remove_all(folder: Path) -> None:
    """A folder and all in it, as far as it can be."""
    shutil.rmtree(folder, ignore_errors=True)


def entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return list(found)


def expanduser(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise MachineError(f"no home folder is known for {path}: set HOME") from None


def home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
