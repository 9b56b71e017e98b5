"""Errors that a user can act on. The message of each is the one line that is printed."""

from typing import Any

from react_agent.tools.errors import MachineError as MachineError
from react_agent.tools.errors import ReactAgentError as ReactAgentError


class UsageError(ReactAgentError):
    """The request is invalid because of its issue, its run or its model's name."""


class ConfigError(ReactAgentError):
    """A settings file or a profile contains an invalid value."""


class TranscriptError(ReactAgentError):
    """The transcript can't be read, or another process is using it."""


class ModelError(ReactAgentError):
    """The model did not answer."""

    repeated: tuple[Any, ...] = ()  # the usage of each request that was counted


class TimeUp(ReactAgentError):
    """The time limit of the run passed before the model answered."""

    repeated: tuple[Any, ...] = ()
