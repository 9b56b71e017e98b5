"""A forge of each kind."""

from collections.abc import Iterator
from typing import Any

import pytest
from loopback import Loopback
from places import PLACES, Place, served


@pytest.fixture(params=PLACES.values(), ids=PLACES)
def place(request: pytest.FixtureRequest) -> Place:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def at_place(place: Place) -> Iterator[tuple[Any, Loopback]]:
    with served(place) as both:
        yield both


@pytest.fixture
def fake(at_place: tuple[Any, Loopback]) -> Any:
    return at_place[0]


@pytest.fixture
def server(at_place: tuple[Any, Loopback]) -> Loopback:
    return at_place[1]
