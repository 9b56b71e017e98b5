import gc
import sys
from collections.abc import Callable

import pytest

Calls = Callable[[Callable[[str], object], str], int]


@pytest.fixture
def calls() -> Calls:
    """How many calls a function makes for a text, in Python and of C: time, but for the noise."""
    return _calls


def _calls(function: Callable[[str], object], text: str) -> int:
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    gc.disable()  # what it calls would be counted, too
    sys.setprofile(counted)
    try:
        function(text)
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
