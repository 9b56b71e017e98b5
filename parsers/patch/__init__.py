"""A patch as a model wrote it -> one that applies, and in words what was mended."""

from react_agent.parsers.patch.repairing import Refused, Repaired, repair

__all__ = ["Refused", "Repaired", "repair"]
