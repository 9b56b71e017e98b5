"""A forge of each kind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, save
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


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository on this machine, whose issue 13 is not committed."""
    top = tmp_path / "tool"
    plain_git(tmp_path, "init", "--quiet", "--initial-branch=main", "tool")
    save(top, {"issues/1.md": "# Here", "issues/12.md": "# It fails\n\nAlways.\n"})
    plain_git(top, "branch", "fix")
    (top / "issues" / "13.md").write_text("not committed")
    return top
