"""What the tests of killed runs share: a process that is ready, a world, and its end."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kills_lives import Lives, copied, failure, lives, nothing_is_paid_twice
from kills_world import Ended, World, ended
from machine_runs import make_model, make_repository

PLACES = 900  # of an undisturbed run, about
Way = Callable[[Lives, World, random.Random], int]  # to the end of a run; how often it died


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model to replay, and the repository that it works on."""
    place = tmp_path_factory.mktemp("machine")
    make_model(place / "model.txt")
    make_repository(place / "template")
    return place


@pytest.fixture(scope="session")
def live() -> Iterator[Lives]:
    with lives() as found:
        yield found


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return World(tmp_path_factory.mktemp("kills")).make().place


@pytest.fixture(scope="session")
def undisturbed(live: Lives, template: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    world = copied(template, tmp_path_factory.mktemp("whole") / "world")
    assert live(world) == 0, failure(world)
    text = world.folder.transcript.read_text()
    for name in ("retracted", "condensed", "asked"):
        assert f"\n%% {name}: " in text
    assert "sub=sub/" in text
    assert int((world.place / "places").read_text()) > PLACES / 2
    return ended(world)


@pytest.fixture
def battered(
    live: Lives, template: Path, undisturbed: Ended, tmp_path: Path, long_seed: int
) -> Callable[[int, Way], None]:
    """So many deaths, in as many runs as it takes; each ends as if nothing had happened."""

    def go_on(wanted: int, way: Way) -> None:
        chance, deaths, run = random.Random(long_seed), 0, 0
        while deaths < wanted:
            world, run = copied(template, tmp_path / f"{run}"), run + 1
            died = way(live, world, chance)
            deaths += died
            assert ended(world) == undisturbed, (long_seed, run)
            nothing_is_paid_twice(world, died)

    return go_on
