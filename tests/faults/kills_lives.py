"""Lives of a run, each in a process of its own that ends as it is told to."""

import random
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kills_world import World, paid
from machine_runs import Ask, warmed

HERE = Path(__file__).parent
OF_A_RUN = 15  # kills
INTERRUPTED = 130
NEAR, FAR = 60, 300  # places: to take a run up, and a dozen of its steps


@dataclass(frozen=True)
class Lives:
    """Goes on with a run in a process of its own."""

    ask: Ask

    def __call__(
        self, world: World, at: int = 0, seed: int = 0, number: int = signal.SIGKILL
    ) -> int:
        return self.ask({"folder": str(world.place), "at": at, "seed": seed, "number": number})


@contextmanager
def lives() -> Iterator[Lives]:
    with warmed(HERE / "kills_warm.py", {"PYTHONPATH": str(HERE)}) as ask:
        yield Lives(ask)


def copied(template: Path, place: Path) -> World:
    shutil.copytree(template, place)
    return World(place)


def failure(world: World) -> str:
    place = world.place / "failure"
    return place.read_text() if place.exists() else ""


Between = Callable[[World], None]


def killed_on_the_way(
    live: Lives,
    world: World,
    chance: random.Random,
    between: Between = lambda world: None,
    numbers: Sequence[int] = (signal.SIGKILL,),
) -> int:
    """How often it was."""
    for kills in range(OF_A_RUN):
        at = chance.randint(1, chance.choice((NEAR, FAR)))
        code = live(world, at, chance.randrange(1000), chance.choice(numbers))
        if code == 0:
            return kills
        assert code in (-signal.SIGKILL, INTERRUPTED), failure(world)
        between(world)
    assert live(world) == 0, failure(world)
    return OF_A_RUN


def nothing_is_paid_twice(world: World, died: int) -> None:
    """What was said to a process that died before it could write it down is asked for again."""
    tokens = paid(world)
    assert tokens.noted <= tokens.given
    assert (tokens.given - tokens.noted).total() <= tokens.unknown <= died
    assert tokens.total == tuple(map(sum, zip(*tokens.noted.elements(), strict=True)))
