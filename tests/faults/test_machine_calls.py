"""Calls to the file system that fail, at any moment of a run; and a clock that jumps."""

import errno
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machine_runs import Answer, Ended, World, build_shim, ends_the_same, warm

pytestmark = [
    pytest.mark.needs("gcc", "gcc"),
    pytest.mark.skipif(sys.platform != "linux", reason="the shim is for glibc"),
    pytest.mark.timeout(1800),
]

LOOK, OPEN, CREATE, ENTRY, REMOVE, WRITE, SYNC, READ = (1 << bit for bit in range(8))
ALL = 0xFF
# What fails, whether from then on, and in which calls.
FAULTS = {
    "the disk is full from then on": (errno.ENOSPC, 1, CREATE | ENTRY | WRITE),
    "the quota is used up": (errno.EDQUOT, 0, CREATE | ENTRY | WRITE | SYNC),
    "the file system is read-only from then on": (errno.EROFS, 1, OPEN | CREATE | ENTRY | REMOVE),
    "the disk fails once": (errno.EIO, 0, ALL),
    "the disk fails from then on": (errno.EIO, 1, ALL),
    "too many files are open": (errno.EMFILE, 0, LOOK | OPEN | CREATE),
}
YEAR = 365 * 86_400


@pytest.fixture(scope="module")
def world(place: Path) -> Iterator[World]:
    shim = build_shim(place / "shim.so")
    with warm(place / "warm", {"LD_PRELOAD": str(shim)}) as react_agent:
        (place / "world").mkdir()
        yield World(place / "world", react_agent)


@pytest.fixture(scope="module")
def expected(world: World, place: Path) -> Ended:
    world.begin(place / "template")
    assert world.solve(place / "model.txt").code == 0
    return world.ended()


@pytest.mark.fault(
    "{id}, at any call to the file system", after="one line, and resume ends it the same"
)
@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_any_call_may_fail(
    world: World,
    place: Path,
    expected: Ended,
    share: Callable[[int], int],
    long_seed: int,
    name: str,
) -> None:
    number, lasts, calls = FAULTS[name]
    world.begin(place / "template")
    counted = failing(world, place, [0, 0, number, calls])
    assert (counted.code, world.ended()) == (0, expected)
    assert counted.seen > 50
    for point in random.Random(long_seed).sample(range(1, counted.seen + 1), share(20)):
        world.begin(place / "template")
        answer = failing(world, place, [point, lasts, number, calls])
        assert says_one_line(answer), (point, answer)
        ends_the_same(world, place, answer, expected, point)


def failing(world: World, place: Path, fault: list[int]) -> Answer:
    return world.solve(place / "model.txt", fault=fault, below=str(world.folder))


def says_one_line(answer: Answer) -> bool:
    """Of ours, and the documented exit code; or nothing, where it made do."""
    lines = answer.err.splitlines()
    if answer.code == 0:
        return all(line.startswith("react-agent: ") for line in lines)
    return answer.code in (2, 3) and len(lines) == 1 and lines[0].startswith("react-agent: ")


@pytest.mark.fault("the clock jumps {id} at every other look", after="nothing: it ends the same")
@pytest.mark.slow
@pytest.mark.parametrize(
    "jump", [pytest.param(-YEAR, id="a year back"), pytest.param(YEAR, id="a year ahead")]
)
def test_a_clock_that_jumps(world: World, place: Path, expected: Ended, jump: int) -> None:
    world.begin(place / "template")
    answer = world.solve(place / "model.txt", jump=jump)
    assert (answer.code, answer.err, world.ended()) == (0, "", expected)
    assert f"{world.run.path.name:.2}" == "20"


@pytest.mark.fault(
    "the clock jumps a year while a run is left alone", after="resume ends it the same"
)
@pytest.mark.slow
def test_a_clock_that_has_jumped(world: World, place: Path, expected: Ended) -> None:
    world.begin(place / "template")
    full = errno.ENOSPC, 1, CREATE | ENTRY | WRITE
    assert failing(world, place, [170, *full]).code == 3
    again = world.resume(jump=-YEAR)
    assert (again.code, again.err, world.ended()) == (0, "", expected)
