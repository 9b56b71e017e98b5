"""Killed, or without power, again and again, a run ends as if nothing had happened."""

import random
import signal
from collections.abc import Callable
from functools import partial

import pytest
from kills_lives import Lives, killed_on_the_way
from kills_power import lose_power
from kills_world import World

KILLS, SIGNALS, LOSSES = 300, 100, 100
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


@pytest.mark.fault(
    "killed at any moment, 15 times a run: edits, commands, a server, a sub-agent, compression, "
    "steps taken back",
    after="resume ends it the same; each answer of the model is counted once",
)
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_kills_at_any_moment_lose_nothing(
    battered: Callable[..., None], share: Callable[[int], int]
) -> None:
    battered(share(KILLS), killed_on_the_way)


@pytest.mark.fault(
    "interrupted, hung up, terminated or killed at any moment, 15 times a run",
    after="resume ends it the same; each answer of the model is counted once",
)
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_signals_at_any_moment_lose_nothing(
    battered: Callable[..., None], share: Callable[[int], int]
) -> None:
    battered(share(SIGNALS), partial(killed_on_the_way, numbers=NUMBERS))


@pytest.mark.fault(
    "the power fails at any moment, 15 times a run: what was not synced is gone, torn, or zeros",
    after="resume ends it the same; each answer of the model is counted once",
)
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_loss_of_power_loses_nothing(
    battered: Callable[..., None], share: Callable[[int], int]
) -> None:
    def way(live: Lives, world: World, chance: random.Random) -> int:
        return killed_on_the_way(live, world, chance, partial(lose_power, chance=chance))

    battered(share(LOSSES), way)
