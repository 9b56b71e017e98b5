"""Whatever is read: no exception but the typed one, and twice the text takes twice the time."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of
from fuzz_targets import TARGETS, read
from fuzz_words import PIECES, documents
from hypothesis import HealthCheck, given, seed, settings

LONG_S = 280.0  # of processor time, for all targets: the rest of ten minutes is the others'
ROUND = 200  # examples
SMALL, TIMES = 8_000, 4  # characters; how much longer the longer one is
MOST = 10.0  # times as long: in proportion it is 4, by the square 16
SLIGHT_S = 0.2  # what takes less is not looked at


@table_of("name", [*TARGETS])
def test_any_text_is_read_or_refused(name: str) -> None:
    @settings(max_examples=10, suppress_health_check=list(HealthCheck))
    @given(documents)
    def check(text: str) -> None:
        read(name, text)

    check()


KEPT = sorted(path for path in Path(__file__).with_name("corpus").glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_once_was_too_much_is_read(path: Path) -> None:
    read(path.parent.name, path.read_bytes().decode(errors="surrogateescape"))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TARGETS)
def test_any_text_is_read_or_refused_in_depth(
    name: str, share: Callable[[int], int], long_seed: int
) -> None:
    """Until its share of the processor's time is over."""
    end = time.process_time() + share(1000) / 1000 * LONG_S / len(TARGETS)
    rng = random.Random(f"{name} {long_seed}")
    while time.process_time() < end:

        @seed(rng.getrandbits(32))
        @settings(max_examples=ROUND, suppress_health_check=list(HealthCheck))
        @given(documents)
        def check(text: str) -> None:
            read(name, text)

        check()


def _took(name: str, text: str) -> float:
    before = time.process_time()
    read(name, text)
    return time.process_time() - before


def _grown(rng: random.Random, size: int) -> Callable[[int], str]:
    """A piece again and again, between two others."""
    before, piece, behind = (rng.choice(PIECES) for _ in range(3))
    unit = piece + rng.choice(("\n", "", " ")) or " "
    return lambda times: before + unit * (size * times // len(unit)) + behind


def _is_slow(name: str, grown: Callable[[int], str]) -> bool:
    """Measured again where it seems so: neighbours on the machine come and go."""
    for _ in range(3):
        longer = _took(name, grown(TIMES))
        if longer < SLIGHT_S or longer < MOST * _took(name, grown(1)):
            return False
    return True


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TARGETS)
def test_no_text_takes_longer_than_in_proportion(
    name: str, share: Callable[[int], int], long_seed: int
) -> None:
    rng = random.Random(f"{name} {long_seed}")
    for _ in range(share(100)):
        grown = _grown(rng, SMALL)
        assert not _is_slow(name, grown), grown(1)[:200]
