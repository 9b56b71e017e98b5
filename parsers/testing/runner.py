"""Which runner a command line starts, by its words."""

import re

from react_agent.parsers.testing.log import Runner

_SIGNS = (
    (Runner.PYTEST, re.compile(r"(?:^|[\s/])(?:pytest|py\.test)(?:\s|$)")),
    (Runner.UNITTEST, re.compile(r"-m unittest(?:\s|$)|manage\.py test|runtests\.py")),
    (Runner.TOX, re.compile(r"(?:^|[\s/])tox(?:\s|$)")),
    (Runner.NOX, re.compile(r"(?:^|[\s/])nox(?:\s|$)")),
    (
        Runner.NPM,
        re.compile(r"(?:^|\s)(?:npm|yarn|pnpm|npx|node --test|jest|vitest|mocha)(?:\s|$)"),
    ),
    (Runner.CARGO, re.compile(r"(?:^|\s)cargo\s")),
    (Runner.GO, re.compile(r"(?:^|\s)go test(?:\s|$)")),
    (Runner.MAKE, re.compile(r"(?:^|\s)make(?:\s|$)")),
)


def runner_of(command: str) -> Runner:
    return next((runner for runner, sign in _SIGNS if sign.search(command)), Runner.OTHER)
