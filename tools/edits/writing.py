"""The one way to write files of the model's: in the work tree, through no link, all or none.

A file is written beside its place and moved there, so that nobody sees half of one.
"""

import errno
import os
import secrets
import stat
from contextlib import ExitStack, suppress
from pathlib import Path

from react_agent.tools.edits.edit import Files, FileState
from react_agent.tools.errors import OF_THE_MACHINE, MachineError
from react_agent.tools.files.paths import Cause, Refused, enter

_NEW = 0o666  # before the umask
_NOT_A_FOLDER = (errno.ENOTDIR, errno.ELOOP)


def exchange(root: Path, before: Files, after: Files) -> Refused | None:
    """Make the files what they are to be; why not, if they were left as they were."""
    changed = [name for name, state in after.items() if before[name] != state]
    # first what goes: a new folder may have the name of an old file
    order = sorted(changed, key=lambda name: after[name] is not None)
    for count, name in enumerate(order):
        try:
            _put(root, name, after[name])
        except OSError as error:
            _put_back(root, before, order[:count][::-1])
            if error.errno in OF_THE_MACHINE:
                raise
            return Refused(Cause.FORBIDDEN, _explained(name, error))
    return None


def _put_back(root: Path, before: Files, names: list[str]) -> None:
    for name in names:
        try:
            _put(root, name, before[name])
        except OSError as error:
            raise MachineError(f"{name} can't be put back: {error.strerror}") from None


def _put(root: Path, name: str, state: FileState | None) -> None:
    *folders, last = name.split("/")
    with ExitStack() as opened:
        entered = enter(opened, root, folders, make=state is not None)
        if state is None:
            os.unlink(last, dir_fd=entered[-1])
            _remove_empty(folders, entered)
        else:
            _refuse_what_is_no_file(last, entered[-1])
            _write(last, entered[-1], state)


def _write(last: str, folder: int, state: FileState) -> None:
    beside = f".react-agent-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    descriptor = os.open(beside, flags, _NEW, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if state.mode is not None:
                os.fchmod(file.fileno(), state.mode)
            file.write(state.data)
        os.replace(beside, last, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # an interrupt too: it must not stay
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


def _refuse_what_is_no_file(last: str, folder: int) -> None:
    with suppress(FileNotFoundError):
        kind = os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(kind):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _remove_empty(folders: list[str], entered: list[int]) -> None:
    with suppress(OSError):  # until one is not empty
        for folder, parent in zip(folders[::-1], entered[-2::-1], strict=True):
            os.rmdir(folder, dir_fd=parent)


def _explained(name: str, error: OSError) -> str:
    if error.errno == errno.EISDIR:
        return f"{name} is a folder: write a file's path"
    if error.errno in _NOT_A_FOLDER:
        return f"{name} can't be written: a part of its path is no folder, or it is no regular file"
    return f"{name} can't be written: {error.strerror}"
