"""Killed at random moments, an experiment comes to what it would have come to.

What is killed: the coordinator, a worker, or everything at once with the power, which drops what
was not synced. Each attempt is then done to its end once, and nothing is begun again but what was
in flight.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import coordinator
import pytest
from fakes import TRANSCRIPT, notes, outline
from waiting import WITHIN_S, is_gone, see

from react_agent.eval.store import store as stores

WORKERS = 3
EXPECTED = ("resolved", "resolved", "unresolved", "no_patch", "resolved", "resolved")
NEEDED = 24 + 20 + 4  # solved, judged, and solved again after an endpoint's failure


def _begun(folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-P", coordinator.__file__, str(folder), str(WORKERS)]
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})


def _workers(pid: int) -> list[int]:
    """Processes that a process has started; each is in a group of its own."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    pairs = (map(int, line.split()) for line in listed.stdout.splitlines())
    return [child for child, parent in pairs if parent == pid and os.getpgid(child) == child]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:  # it was faster
        return


def _drop_what_is_not_synced(folder: Path, chance: random.Random) -> None:
    """Of the log behind the last word of it as much as chance will; of files that no row names."""
    log, synced = coordinator.log_of(folder / "exp"), int((folder / "synced").read_text())
    if log.exists() and (size := log.stat().st_size) > synced:
        os.truncate(log, chance.randint(synced, size))
    store = stores.open(folder / "exp")
    named = {path for (path,) in store.database.rows(_NAMED)}
    store.close()
    for path in (folder / "exp/attempts").glob("*/*/*"):
        if str(path.parent.relative_to(folder / "exp")) not in named:
            os.truncate(path, 0)


_NAMED = "SELECT folder FROM attempts JOIN solves ON solves.attempt = attempts.id"


def _killed(folder: Path, what: str, chance: random.Random) -> int:
    """At a moment by chance; what may have been in flight."""
    at, later = len(notes(folder)) + chance.randint(0, 20), chance.uniform(0, 0.05)
    with _begun(folder) as running:
        see(lambda: running.poll() is not None or len(notes(folder)) >= at)
        time.sleep(later)  # a moment, and no wait for anything
        workers = _workers(running.pid) if running.poll() is None else []
        if what == "worker":
            for pid in chance.sample(workers, min(1, len(workers))):
                _kill(pid)
            assert running.wait(WITHIN_S) == 0
            return 1
        _kill(running.pid)
        if what == "power":
            for pid in workers:
                _kill(pid)
    see(lambda: all(map(is_gone, workers)))
    if what == "power" and (folder / "synced").exists():
        _drop_what_is_not_synced(folder, chance)
    return WORKERS


def _check(folder: Path, in_flight: int) -> None:
    store = stores.open(folder / "exp")
    assert outline(store.records()) == [
        f"o__r-{n} plain 1: {EXPECTED[(n - 1) % len(EXPECTED)]}" for n in range(1, 25)
    ]
    assert NEEDED <= len(notes(folder)) <= NEEDED + in_flight
    for record in store.records():
        assert record.folder is not None
        assert (record.folder / "transcript.txt").read_bytes() == TRANSCRIPT
        assert (record.folder / "patch.diff").read_text() == record.patch
    store.close()


def _played(folder: Path, seed: int) -> None:
    chance, in_flight = random.Random(seed), 0
    for what in chance.choices(("coordinator", "worker", "power"), k=chance.randint(1, 2)):
        in_flight += _killed(folder, what, chance)
    with _begun(folder) as running:
        assert running.wait(WITHIN_S) == 0
    _check(folder, in_flight)


@pytest.mark.slow
def test_ctrl_c_ends_what_is_in_flight_and_keeps_the_rest(tmp_path: Path) -> None:
    with _begun(tmp_path) as running:
        see(lambda: len(notes(tmp_path)) >= 10)
        workers = _workers(running.pid)
        running.send_signal(signal.SIGINT)
        assert running.wait(WITHIN_S) != 0
    see(lambda: all(map(is_gone, workers)))
    with _begun(tmp_path) as running:
        assert running.wait(WITHIN_S) == 0
    _check(tmp_path, WORKERS)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_comes_to_the_same_whatever_is_killed(
    tmp_path: Path, share: Callable[[int], int], long_seed: int
) -> None:
    for number in range(share(50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            _played(folder, long_seed + number)
        except BaseException as error:
            error.add_note(f"with the seed {long_seed + number}")
            raise
