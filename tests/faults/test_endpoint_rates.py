"""At whatever rate its endpoint fails, a run comes to the same."""

import random
from pathlib import Path

import pytest
from endpoint_runs import PASSING, WIRES, Desk, speaking
from fake_endpoint import Reply
from machine_runs import Ended, make_repository

pytestmark = pytest.mark.slow

RUNS = 4  # at each rate


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    return solved(tmp_path_factory.mktemp("undisturbed"), 0.0, 0)[0]


def solved(folder: Path, rate: float, number: int) -> tuple[Ended, int]:
    """How the run ended, and how many answers failed on the way."""
    make_repository(folder / "repository")
    desk, chance = Desk(folder, folder / "repository"), random.Random(f"{rate} {number}")
    faults = list[Reply]()

    def fault(place: str, times: int) -> Reply | None:
        if chance.random() >= rate:
            return None
        faults.append(chance.choice(list(PASSING.values())))
        return faults[-1]

    with speaking(fault) as (endpoint, _):
        outcome = desk.solve(WIRES[number % len(WIRES)], endpoint.url)
    return desk.ended(outcome), len(faults)


@pytest.mark.fault(
    "three in ten calls of a model fail", after="as many issues are solved as without"
)
@pytest.mark.checkout
@pytest.mark.parametrize("rate", (0.0, 0.1, 0.2, 0.3), ids=str)
def test_as_many_are_solved(tmp_path: Path, undisturbed: Ended, rate: float) -> None:
    runs = [solved(tmp_path / str(number), rate, number) for number in range(RUNS)]
    assert (undisturbed.stop, len(undisturbed.trees)) == ("concluded", 1)
    same = sum(ended.trees == undisturbed.trees for ended, _ in runs)
    failed = sum(faults for _, faults in runs)
    assert same == RUNS
    assert (failed > 0) == (rate > 0)
