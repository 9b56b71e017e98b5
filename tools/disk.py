"""Read, write, sync, lock and remove our own files and folders, and those that the user names.

Symbolic links are followed, so don't use this module for the files of a workspace, where commands
can create links: `paths` opens those, and `edit` writes them. Even one-line operations are
functions, because a test checks who touches files, and an alias would be counted as its caller.
"""

import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from react_agent.tools.errors import MachineError, WorkspaceError
from react_agent.tools.shell import process

MOST = 1 << 30  # bytes: a larger file is none of ours, and may have no end
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
PATIENCE_S = 300.0
_RULES = ("(", "-name", ".gitignore", "-o", "-name", ".gitattributes", ")")
_GITS = ("(", "-name", ".git*", "-o", "-path", "*/.git/*", ")")


def read_bytes(path: Path, most: int = MOST) -> bytes:
    data = start_of(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def read_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    r"""Return the text of a file, with every line end as `\n`."""
    text = read_bytes(path).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def start_of(path: Path, most: int) -> bytes:
    """Return at most the first `most` bytes of a file."""
    with path.open("rb") as file:
        return file.read(most)


def start_of_regular(path: Path, most: int) -> bytes:
    """Return the first bytes of a file. Raises OSError if it is a link, a pipe or a device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        with os.fdopen(descriptor, "rb", closefd=False) as file:  # not of a folder
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", str(path))
            return file.read(most)
    finally:
        os.close(descriptor)


def end_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
        return file.read(most)


def opened(path: Path) -> BinaryIO:
    """Open a file for reading."""
    return path.open("rb")


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


def write_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def write_new(path: Path, data: bytes) -> None:
    """Create a file that only we can read. Raises OSError if the path exists, even as a link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)


def append_text(path: Path, text: str, errors: str = "strict") -> None:
    with appended(path, errors) as file:
        file.write(text)


def appended(path: Path, errors: str) -> TextIO:
    return path.open("a", encoding="utf-8", errors=errors)


def chmod(path: Path, mode: int) -> None:
    path.chmod(mode)


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
    """Rename a file or folder. A file or an empty folder at the target is replaced."""
    source.replace(target)


def copy(source: Path, target: Path) -> None:
    """Copy a file with its timestamps, because git compares those with the ones in its index."""
    shutil.copy2(source, target)


def copy_contents(source: Path, target: Path) -> None:
    """Copy the contents to a new file that we can change, executable if the source is."""
    with source.open("rb") as given, target.open("xb") as made:
        found = os.fstat(given.fileno())
        try:  # shares the blocks where the file system can
            while os.copy_file_range(given.fileno(), made.fileno(), found.st_size or 1):
                pass
        except (AttributeError, OSError):
            shutil.copyfileobj(given, made)
    target.chmod(found.st_mode & 0o777 | stat.S_IRUSR | stat.S_IWUSR)


def copy_tree(source: Path, target: Path, without: Sequence[str] = ()) -> None:
    """Copy a folder to a new or empty folder. Links stay links; `without` lists names to skip."""
    passed_over = shutil.ignore_patterns(*without)
    try:
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=passed_over)
    except shutil.Error as error:  # it lists every file that failed
        raise OSError(error.args[0][0][-1]) from error


def write_over(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file. After a power failure, it has the old or the new content. Raises OSError."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # /dev/stdout
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    half = path.parent / f".{path.name}.{os.getpid()}.new"  # unique, and not a queue's job
    try:
        with half.open("wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
        sync(path.parent)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Flush the bytes of a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_names(path: Path, levels: int) -> None:
    """Sync the name of a file to the disk by syncing the `levels` folders above it."""
    sync(path.parent)
    for folder in path.parents[1:levels]:
        with suppress(OSError):  # we may have no right to read it
            sync(folder)


def sync_below(folder: Path) -> None:
    """Sync everything in a folder and then the folder itself, so that it can be renamed safely."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            sync_below(path)
        elif path.is_file():
            sync(path)
    sync(folder)


@contextmanager
def locked(lock: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold a lock file. Yield False if another process holds it and `wait` is false."""
    held, is_ours = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), True
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            is_ours = False
        yield is_ours
    finally:
        os.close(held)


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"react-agent-{purpose}-") as made:
        yield Path(made)


def temporary_file() -> BinaryIO:
    """Open a temporary file that has no name. It is removed when it is closed."""
    return tempfile.TemporaryFile()


def new_folder(prefix: str, within: Path | None = None) -> Path:
    """Create a folder that no other process uses. The caller has to remove it."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=within))


@contextmanager
def shared_file(prefix: str, within: str | None) -> Iterator[tuple[BinaryIO, Path]]:
    """Yield a file that a command writes and we read. Our handle survives a rename."""
    descriptor, name = tempfile.mkstemp(prefix=prefix, dir=within)
    try:
        with os.fdopen(descriptor, "rb", buffering=0) as held:
            yield held, Path(name)
    finally:
        with suppress(OSError):  # a command may have removed it
            Path(name).unlink()


def unlink(path: Path, *, missing_ok: bool = False) -> None:
    path.unlink(missing_ok)


def remove_all(folder: Path) -> None:
    """Remove a folder and everything in it, as far as possible."""
    shutil.rmtree(folder, ignore_errors=True)


def remove_tree(*places: Path) -> None:
    """Remove files and folders, even if commands left them deep, read-only or half removed.

    Links are not followed, and missing paths are ignored. Raises WorkspaceError.
    """
    for place in places:
        if place.is_symlink() or place.is_file():
            with suppress(OSError):
                place.unlink()
    left = [place for place in places if place.exists()]
    if not left or not _remove(left).code:
        return
    left = [place for place in left if place.exists()]
    for place in left:
        if not place.is_symlink():
            open_up(place)
    failed = _remove(left)
    if failed.code:
        complaint = failed.output.decode(errors="replace").partition("\n")[0]
        raise WorkspaceError(f"{', '.join(map(str, left))} can't be removed; {complaint}")


def _remove(places: Sequence[Path]) -> process.CommandResult:
    # rm, not shutil.rmtree: that gives up on a thousand nested folders
    return _run("rm", "-rf", *(str(place.absolute()) for place in places))


def open_up(folder: Path) -> None:
    """Make all files and folders below a folder readable and writable for us again."""
    _run("chmod", "-R", "u+rwX", str(folder.absolute()))


def remove_pipes(folder: Path) -> None:
    """Remove named pipes from a work tree, because git would block when it opens one as a file."""
    _run("find", str(folder.absolute()), "-type", "p", *_GITS, "-delete")


def remove_rules(folder: Path) -> None:
    """Remove ignore and attributes files, because git can take too long to match some patterns."""
    _run("find", str(folder.absolute()), "-type", "f", *_RULES, "-delete")


def _run(*argv: str) -> process.CommandResult:
    return process.run(argv, cwd=Path("/"), env=ENVIRONMENT, timeout_s=PATIENCE_S)
