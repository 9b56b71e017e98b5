"""An agent that turns an issue into a pull request, with any model that can write text.

The names listed here are the Python API; docs/python.md describes it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from react_agent.api import *  # noqa: F403

__all__ = [  # noqa: F405
    "Completion",
    "ConfigError",
    "Context",
    "Entry",
    "Event",
    "Guard",
    "Issue",
    "Kind",
    "MachineError",
    "Means",
    "Model",
    "ModelError",
    "Objective",
    "Observation",
    "Outcome",
    "ReactAgentError",
    "Said",
    "Scene",
    "ScriptedModel",
    "Seen",
    "Show",
    "Solver",
    "State",
    "Status",
    "Stop",
    "Story",
    "Tool",
    "TranscriptError",
    "Usage",
    "UsageError",
    "View",
    "Why",
    "all_runs",
    "failed",
    "find_run",
    "make_repository",
    "read_issue",
    "read_run",
    "stop_event",
]

if not TYPE_CHECKING:  # else a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Import a name on first use, so that the command line starts without it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from react_agent import api

        return getattr(api, name)

    def __dir__() -> list[str]:
        return list(__all__)
