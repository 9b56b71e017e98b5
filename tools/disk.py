"""Files and folders of ours, or named by a person: read, written, synced, locked, removed.

Links are followed, so this is not for files of a workspace, which commands write: those are opened
by `paths` and written by `edit`. A function even where it is one line: a test watches who touches
files while a run goes on, and an alias would count as its caller.
"""

import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
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
    """Its line ends are `\\n`."""
    text = read_bytes(path).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def start_of(path: Path, most: int) -> bytes:
    """At most so many bytes."""
    with path.open("rb") as file:
        return file.read(most)


def start_of_regular(path: Path, most: int) -> bytes:
    """Of a file that is no link, pipe or device, whatever it was when somebody looked at it."""
    return _regular(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), path, most)


def _regular(descriptor: int, path: Path, most: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(most)


def start_of_regular_below(folders: Sequence[Path | str], name: str, most: int) -> bytes:
    """The same of a file below folders, each in the one before it, of which none is a link."""
    with ExitStack() as opened:
        inside: int | None = None
        for folder in folders:
            how = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            inside = os.open(folder, how, dir_fd=inside)
            opened.callback(os.close, inside)
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=inside)
    return _regular(descriptor, Path(*folders, name), most)


def end_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
        return file.read(most)


def opened(path: Path) -> BinaryIO:
    """For reading it line by line."""
    return path.open("rb")


def entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return list(found)


def expanduser(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise MachineError(f"no home folder is known for {path}: set HOME") from None


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


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
    """What is there already, a file or an empty folder, goes."""
    source.replace(target)


def copy(source: Path, target: Path) -> None:
    """With its times: git believes an index that has those of the files."""
    shutil.copy2(source, target)


def copy_contents(source: Path, target: Path) -> None:
    """To a new file that may be read and written, and run if the other one may be."""
    with source.open("rb") as given, target.open("xb") as made:
        found = os.fstat(given.fileno())
        try:  # shares the blocks where the file system can
            while os.copy_file_range(given.fileno(), made.fileno(), found.st_size or 1):
                pass
        except (AttributeError, OSError):
            shutil.copyfileobj(given, made)
    target.chmod(found.st_mode & 0o777 | stat.S_IRUSR | stat.S_IWUSR)


def copy_tree(source: Path, target: Path, without: Sequence[str]) -> None:
    """Into a folder that is empty or is made, links as links, but for names like these."""
    passed_over = shutil.ignore_patterns(*without)
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=passed_over)


def write_synced(path: Path, data: bytes, mode: int | None = None) -> None:
    """Bytes that outlast a loss of power; the file's name does not yet."""
    with path.open("wb") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_over(path: Path, data: bytes, mode: int | None = None) -> None:
    """After a loss of power the file is as it was or as it is to be. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}.new")  # no job of a queue, nobody else's
    try:
        write_synced(half, data, mode)
        half.replace(path)
        sync(path.parent)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Write a file's bytes, or the names in a folder, to the disk now."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_names(path: Path, levels: int) -> None:
    """That this file is there, and so many of the folders that it is in."""
    sync(path.parent)
    for folder in path.parents[1:levels]:
        with suppress(OSError):  # we may have no right to read it
            sync(folder)


def sync_below(folder: Path) -> None:
    """A folder that is to be renamed: all that it holds, itself at last."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            sync_below(path)
        elif path.is_file():
            sync(path)
    sync(folder)


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    """Wait until no other process holds this lock; its file stays. Raises OSError."""
    with _lock(lock) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@contextmanager
def unless_taken(lock: Path) -> Iterator[bool]:
    """Whether we hold it; it doesn't wait. Raises OSError."""
    with _lock(lock) as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def _lock(lock: Path) -> Iterator[int]:
    held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield held
    finally:
        os.close(held)


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"react-agent-{purpose}-") as made:
        yield Path(made)


def temporary_file() -> BinaryIO:
    """Without a name; closing it removes it."""
    return tempfile.TemporaryFile()


def temporary_place() -> str:
    """Where temporary files are made."""
    return tempfile.gettempdir()


def new_folder(prefix: str, within: Path | None = None) -> Path:
    """Nobody else's, and there until somebody removes it."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=within))


@contextmanager
def shared_file(prefix: str, within: str | None) -> Iterator[tuple[BinaryIO, Path]]:
    """For a command to write and us to read: the open file is ours, whatever has its name."""
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
    """A folder and all in it, as far as it can be."""
    shutil.rmtree(folder, ignore_errors=True)


def remove_tree(*places: Path) -> None:
    """Files, and folders that commands have been at: deep, read-only, half gone. Raises
    WorkspaceError. No link is followed; what is gone already is fine.
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
    """Let us read and write everything below a folder again."""
    _run("chmod", "-R", "u+rwX", str(folder.absolute()))


def remove_pipes(folder: Path) -> None:
    """Those that git would wait at: it opens its own files in a work tree, whatever they are."""
    _run("find", str(folder.absolute()), "-type", "p", *_GITS, "-delete")


def remove_rules(folder: Path) -> None:
    """What git is to ignore, and attributes: a pattern can take it longer than anybody waits."""
    _run("find", str(folder.absolute()), "-type", "f", *_RULES, "-delete")


def _run(*argv: str) -> process.CommandResult:
    return process.run(argv, cwd=Path("/"), env=ENVIRONMENT, timeout_s=PATIENCE_S)
