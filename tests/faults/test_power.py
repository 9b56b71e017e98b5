"""The machine loses its power: what was not synced is gone, or half of it, or blocks of zeros."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from kills_lives import Lives, killed_on_the_way
from kills_power import lose_power
from kills_world import World

LOSSES = 100


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
