"""An issue becomes a pull request, with any model that can write text.

What is listed here is the Python API: docs/python.md tells of it.
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

if not TYPE_CHECKING:  # or any name at all would do for a type checker

    def __getattr__(name: str) -> object:
        """When it is asked for: a start of the command line takes none of it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from react_agent import api

        return getattr(api, name)

    def __dir__() -> list[str]:
        return list(__all__)
