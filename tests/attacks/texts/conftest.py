"""What the tests of texts share: a world that may lie."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from lying_world import SETTINGS, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as left_open:
        world = World(tmp_path, left_open)
        world.repository.mkdir()
        world.commit({"README.md": "# It\n", ".react-agent.cfg": SETTINGS})
        yield world
