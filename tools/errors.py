"""What can go wrong at the edges, each with one line a person can act on."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar


class ReactAgentError(Exception):
    """Its text is shown as it is: one line that says what is wrong and what to do."""

    exit_code: ClassVar[int] = 2  # what was asked for can't be done


class MachineError(ReactAgentError):
    """The machine lacks something: a program, room on the disk, a right."""

    exit_code = 3


class WorkspaceError(ReactAgentError):
    """A repository or a workspace can't be used."""


class Damaged(ReactAgentError):
    """A workspace is no longer what we made; another can be made in its place."""


# What fails for want of these is done again when the machine has them: nobody is at fault.
OF_THE_MACHINE = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
    }
)


def reason(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


@contextmanager
def writing(place: Path | str) -> Iterator[None]:
    """What can't be written there is the machine's fault."""
    try:
        yield
    except OSError as error:
        raise MachineError(f"{place} can't be written: {error.strerror or error}") from None


def told(error: ReactAgentError) -> str:
    """To a model, which can do nothing about a machine that lacks something: that ends a run."""
    if isinstance(error, MachineError):
        raise error
    return str(error)
