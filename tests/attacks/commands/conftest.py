"""What the tests of commands share: a machine with something to steal, once a sandbox."""

from collections.abc import Iterator

import pytest
from robbed import SANDBOXES, Planted, planted


@pytest.fixture(params=SANDBOXES)
def machine(request: pytest.FixtureRequest) -> Iterator[Planted]:
    with planted(request.param, "own user") as machine:
        yield machine
