"""Whether a command does nothing but run tests, so that its exit code is theirs."""

import re

_RUNNER = re.compile(
    r"(?:\w+=\S* +)*"
    r"(?:\S*python[\d.]* +-m +(?:pytest|unittest)|(?:\S*/)?pytest|tox|nox"
    r"|make +(?:test|check)|(?:npm|yarn|cargo|go) +(?:run +)?test)"
    r"(?: [^|;&<>`$()\n]*)?"
)


def only_runs_tests(command: str) -> bool:
    """Not in a pipeline or a list: there the exit code is that of something else."""
    return _RUNNER.fullmatch(command.strip()) is not None
