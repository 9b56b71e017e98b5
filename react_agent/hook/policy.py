"""What a person allows the hook: `[react_agent:hook]` of the settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from react_agent.errors import ConfigError
from react_agent.parsers.settings.errors import yes_or_no


@dataclass(frozen=True, slots=True)
class Policy:
    runs: float = 20  # that may begin in a day
    seconds: float = 7200  # of a day; once they are used, nothing is begun
    check_seconds: float = 120  # that a push may be kept waiting
    block: bool = False  # a push whose checks fail


def policy_of(given: Mapping[str, str]) -> Policy:
    """Of `[react_agent:hook]`."""
    policy = Policy()
    for name, text in given.items():
        if name == "block":
            policy = replace(policy, block=_switch(text))
        elif name == "runs":
            policy = replace(policy, runs=_number(name, text))
        elif name == "seconds":
            policy = replace(policy, seconds=_number(name, text))
        elif name == "check_seconds":
            policy = replace(policy, check_seconds=_number(name, text, least=1))
        else:
            raise ConfigError(
                f"no setting {name!r} of the hook; there are runs, seconds, check_seconds, block"
            )
    return policy


def _switch(text: str) -> bool:
    try:
        return yes_or_no(text)
    except ValueError:
        raise ConfigError(f"block must be yes or no, not {text!r}") from None


def _number(name: str, text: str, least: int = 0) -> float:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        more = f" from {least}" if least else ""
        raise ConfigError(f"{name} must be a whole number{more}, not {text!r}")
    return float(text)
