"""A set that comes with the package: small issues of three small repositories, and replays."""

from react_agent.eval.bundled.rows import instances, replays

__all__ = ["instances", "replays"]
