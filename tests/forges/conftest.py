"""A forge of each kind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from places import PLACES, Place, served

from react_agent.tools.git.door import Git


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
    (top / "issues").mkdir(parents=True)
    (top / "issues" / "1.md").write_text("# Here")
    (top / "issues" / "12.md").write_text("# It fails\n\nAlways.\n")
    git = Git(top)
    git.run("init", "--quiet", "--initial-branch=main")
    git.run("add", ".")
    git.run("commit", "--quiet", "-m", "one")
    git.run("branch", "fix")
    (top / "issues" / "13.md").write_text("not committed")
    return top
