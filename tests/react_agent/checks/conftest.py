from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from checking import Checking


@pytest.fixture
def checking(desk: Any) -> Iterator[Checking]:
    with ExitStack() as undo:
        yield Checking(desk, undo)
