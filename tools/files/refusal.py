"""A path that was refused, as an Observation; that a wall stood there is a fact of the step."""

from dataclasses import replace

from react_agent.tools.files.paths import Cause, Refused
from react_agent.tools.observation import REFUSED, Observation, failed


def refused(why: Refused, more: str = "", *paths: str) -> Observation:
    """What is only not there is a failure like any other."""
    seen = failed(f"{why.reason}{more}", *paths)
    return replace(seen, noted={REFUSED: "path"}) if why.cause is Cause.FORBIDDEN else seen
