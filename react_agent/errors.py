"""What a person can act on, from this floor; the text is the one line that is shown."""

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
    """What was asked for can't be done: the issue, the run, the model's name."""


class ConfigError(ReactAgentError):
    """A settings file or a profile says something that can't be."""


class TranscriptError(ReactAgentError):
    """A transcript can't be read, or is in use."""


class ModelError(ReactAgentError):
    """The model did not answer."""


class TimeUp(ReactAgentError):
    """The model did not answer before the run's time was over."""
