"""What can go wrong at the edges, each with one line a person can act on."""

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
