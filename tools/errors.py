"""Errors at the boundaries of the program. Each message is one line that the user can act on."""

import errno
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import ClassVar


class ReactAgentError(Exception):
    """An error whose message is shown unchanged: one line with the problem and what to do."""

    exit_code: ClassVar[int] = 2  # what was asked for can't be done


class MachineError(ReactAgentError):
    """The machine lacks something that is needed: a program, disk space or a permission."""

    exit_code = 3


class WorkspaceError(ReactAgentError):
    """A repository or a workspace can't be used."""


class Damaged(ReactAgentError):
    """The workspace no longer has its original structure. It can be replaced by a new one."""


# Errors for a lack of resources: the call is repeated when the machine has them again.
OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
)


def reason(error: OSError) -> str:
    what = error.strerror or str(error)
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "the current folder no longer exists"  # of all calls, only getcwd names no file
    return f"{error.filename}: {what}" if error.filename else what


@contextmanager
def machine_error(what: str) -> Iterator[None]:
    """Convert an OSError to a MachineError whose message starts with these words."""
    try:
        yield
    except OSError as error:
        raise MachineError(f"{what}: {error.strerror or error}") from error


def writing(place: Path | str) -> AbstractContextManager[None]:
    return machine_error(f"{place} can't be written")


def told(error: ReactAgentError) -> str:
    """Return the error message for a model. Re-raises a MachineError, because it ends the run."""
    if isinstance(error, MachineError):
        raise error
    return str(error)
