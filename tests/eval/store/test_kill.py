"""What was told to be stored is there after a kill, whole; what was not is due."""

import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Due
from react_agent.eval.task import Arm, Graded, Instance, Solved, Verdict

NUMBER = 40
LATEST = 0.02  # seconds after a line that the process is killed
WRITER = """
import sys
from pathlib import Path
from react_agent.eval.store import store as stores
from react_agent.eval.task import Graded, Solved
from react_agent.eval.task import Verdict

store = stores.open(Path(sys.argv[1]))
due = store.due()
for key in due.to_solve:
    files = {f"sub/{n}/{key.instance}": key.instance.encode() * 5000 for n in range(3)}
    store.solved(Solved(key, key.instance, files))
    print("solved", key.instance, flush=True)
for key in (*due.to_grade, *due.to_solve):
    store.graded(Graded(key, Verdict.RESOLVED, log=store.patch(key).encode() * 5000))
    print("graded", key.instance, flush=True)
"""
LIMITED = f"""
import resource
from react_agent.errors import MachineError
free = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, free[1]))
try:
    exec({WRITER!r})
except MachineError as error:
    print(error, file=sys.stderr)
finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, free)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    instances = [Instance(f"i{n}", "r", "b", "p") for n in range(NUMBER)]
    stores.create(tmp_path / "exp", {}, instances, [Arm("m")], 1).close()
    return tmp_path / "exp"


def _writer(place: Path, script: str = WRITER) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-P", "-c", script, str(place)]
    return subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


def _killed(place: Path, lines: int, delay: float) -> Iterator[tuple[str, str]]:
    """What it said that it has stored, before it was killed so long after so many lines."""
    with _writer(place) as process:
        assert process.stdout and process.stderr
        for _ in range(lines):
            if line := process.stdout.readline():
                yield _words(line)
        select.select([process.stderr], [], [], delay)
        process.send_signal(signal.SIGKILL)
        yield from map(_words, process.stdout.read().splitlines())


def _words(line: str) -> tuple[str, str]:
    what, instance = line.split()
    return what, instance


def _due(place: Path, told: set[tuple[str, str]]) -> Due:
    """After it was looked at that all is there that is stored."""
    store = stores.open(place)
    due, records = store.due(), store.records()
    assert {key.instance for key in due.to_solve}.isdisjoint(
        name for what, name in told if what == "solved"
    )
    graded = {record.key.instance for record in records}
    assert graded >= {name for what, name in told if what == "graded"}
    for key in store.due(grade_again=True).to_grade:
        folder, data = place / "attempts" / key.instance / "plain-1", key.instance.encode()
        assert (folder / "patch.diff").read_bytes() == data
        names = [f"sub/{n}/{key.instance}" for n in range(3)]
        for name in (*names, *(["test_output.txt"] if key.instance in graded else [])):
            assert (folder / name).read_bytes() == data * 5000
    store.close()
    return due


@pytest.mark.slow
def test_nothing_is_lost_by_a_kill(place: Path, long_seed: int) -> None:
    chance, told, kills = random.Random(long_seed), set[tuple[str, str]](), 0
    while _due(place, told) != Due():
        told.update(_killed(place, chance.randrange(1, 16), chance.uniform(0, LATEST)))
        kills += 1
    store = stores.open(place)
    assert [record.verdict for record in store.records()] == [Verdict.RESOLVED] * NUMBER
    store.close()
    assert kills >= 4


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_takes_nothing(place: Path) -> None:
    """A limit on how long a file may be stands in for it."""
    with _writer(place, LIMITED) as process:
        out, err = process.communicate(timeout=60)
    told = {_words(line) for line in out.splitlines()}
    assert err.startswith("can't write ")
    assert err.count("\n") == 1
    assert 0 < len(told) == NUMBER - len(_due(place, told).to_solve) < NUMBER


def test_files_are_on_the_disk_before_a_row_names_them(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened, fsync = list[str | int](), os.fsync

    def recorded(descriptor: int) -> None:
        fsync(descriptor)
        happened.append(os.fstat(descriptor).st_ino)

    def synced() -> set[str | int]:
        """Until the row was written."""
        until = happened.index("BEGIN IMMEDIATE")
        return {one for one in happened[:until] if isinstance(one, int)}

    store = stores.open(place)
    monkeypatch.setattr(os, "fsync", recorded)
    store.database.connection.set_trace_callback(happened.append)
    key, folder = store.due().to_solve[0], place / "attempts/i0/plain-1"
    happened.clear()
    store.solved(Solved(key, "p", {"transcript.txt": b"t", "sub/001/x": b"x"}))
    places = {folder, *folder.rglob("*"), folder.parent, folder.parent.parent, place}
    assert synced() == {path.stat().st_ino for path in places}
    happened.clear()
    store.graded(Graded(key, Verdict.RESOLVED, log=b"log"))
    assert synced() == {path.stat().st_ino for path in (folder / "test_output.txt", folder)}
    store.close()
