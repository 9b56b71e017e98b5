"""What a person allows the hook: `[react_agent:hook]` of the settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from react_agent.profiles.section import read_section, setting


@dataclass(frozen=True, slots=True)
class Policy:
    runs: int = setting(20, least=0)  # that may begin in a day
    seconds: int = setting(7200, least=0)  # of a day; once they are used, nothing is begun
    check_seconds: int = 120  # that a push may be kept waiting
    block: bool = False  # a push whose checks fail


def policy_of(given: Mapping[str, str]) -> Policy:
    """Raises ConfigError."""
    return read_section(Policy(), given, "react_agent:hook")
