"""Errors that a person can act on; the text of each is the one line that is shown."""

from react_agent.tools.errors import MachineError, ReactAgentError

__all__ = [
    "ConfigError",
    "MachineError",
    "ModelError",
    "ReactAgentError",
    "TimeUp",
    "TranscriptError",
    "UsageError",
]


class UsageError(ReactAgentError):
    """The request can't be done because of the issue, the run, or the model's name."""


class ConfigError(ReactAgentError):
    """A settings file or a profile holds an invalid value."""


class TranscriptError(ReactAgentError):
    """The transcript can't be read, or is in use."""


class ModelError(ReactAgentError):
    """The model did not answer."""


class TimeUp(ReactAgentError):
    """The run's time was over before the model answered."""
