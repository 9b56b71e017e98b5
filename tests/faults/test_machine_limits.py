"""A machine that lacks something: room on its disk, descriptors, memory, folders, a terminal."""

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machine_runs import Answer, Ended, World, ends_the_same, make_model, warm
from on_pty import OnPty

pytestmark = [pytest.mark.timeout(1800)]

SCRIPT = str(Path(sys.executable).with_name("react-agent"))
PEAK = 200_000, 100  # bytes and files that a run has at most


@pytest.fixture
def world(place: Path, tmp_path: Path) -> Iterator[World]:
    with begun(tmp_path, place) as world:
        yield world


@pytest.fixture(scope="module")
def expected(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    with begun(tmp_path_factory.mktemp("undisturbed"), place) as world:
        assert world.solve(place / "model.txt").code == 0
        return world.ended()


@contextlib.contextmanager
def begun(folder: Path, place: Path) -> Iterator[World]:
    with warm(folder / "warm") as react_agent:
        (folder / "world").mkdir()
        world = World(folder / "world", react_agent)
        world.begin(place / "template")
        yield world


def cold(world: World, *command: str, shell: str = 'exec "$@"', **variables: str) -> Answer:
    """In a process of its own, as a shell starts it."""
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *command],
        env={**os.environ, **world.environment, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=100,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def solve(world: World, place: Path) -> tuple[str, ...]:
    model = ("--repo", str(world.repository), "--model", f"replay/{place / 'model.txt'}")
    return SCRIPT, "solve", "The greeting lacks a comma", *model


def is_one_line(answer: Answer) -> bool:
    return answer.err.startswith("react-agent: ") and answer.err.count("\n") == 1


@contextlib.contextmanager
def mounted(disk: Path, options: str) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", options, "none", str(disk)]
    if os.geteuid() or subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("mounting needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.fault(
    "{id}, from any moment on: run, workspace, cache, repository",
    after="one line; with room again, resume ends it the same",
)
@pytest.mark.long
@pytest.mark.may_skip("mounting needs root")
@pytest.mark.parametrize(
    "options",
    [
        pytest.param("size=4m", id="the disk is full"),
        pytest.param("size=64m,nr_inodes=1000", id="there is no room for another file"),
    ],
)
def test_no_room(
    world: World,
    place: Path,
    expected: Ended,
    options: str,
    share: Callable[[int], int],
    long_seed: int,
) -> None:
    chance, failed = random.Random(long_seed), 0
    with mounted(world.folder, options):
        for _ in range(share(30)):
            world.begin(place / "template")
            ballast = filled(world.folder, chance.random())
            answer = world.solve(place / "model.txt")
            assert answer.code == 0 or is_one_line(answer), answer
            for file in ballast:
                file.unlink()
            failed += answer.code != 0
            ends_the_same(world, place, answer, expected, options)
    assert failed > share(30) / 2


def filled(disk: Path, chance: float) -> list[Path]:
    """But for a little, which is soon used up."""
    room = os.statvfs(disk)
    if room.f_files < 2000:
        left = int(chance * PEAK[1])
        files = [disk / f"ballast{number}" for number in range(room.f_ffree - left)]
        for file in files:
            file.touch()
        return files
    file, left = disk / "ballast", int(chance * PEAK[0])
    file.write_bytes(bytes(max(room.f_bavail * room.f_frsize - left, 0)))
    return [file]


@pytest.mark.fault("so few files may be open: {id}", after="one line, and resume ends it the same")
@pytest.mark.slow
@pytest.mark.parametrize("most", [8, 12, 16])
def test_few_descriptors(world: World, place: Path, expected: Ended, most: int) -> None:
    answer = cold(world, *solve(world, place), shell=f'ulimit -n {most}; exec "$@"')
    assert answer.code == 0 or is_one_line(answer), answer
    ends_the_same(world, place, answer, expected)


@pytest.mark.fault("our own memory is used up", after="one line, and it can be begun again")
@pytest.mark.slow
@pytest.mark.parametrize("more", [2_000, 12_000, 28_000, 44_000])
def test_little_memory_of_our_own(world: World, place: Path, expected: Ended, more: int) -> None:
    """Kilobytes over what the interpreter takes before anything of ours runs."""
    size = "[line for line in open('/proc/self/status') if line.startswith('VmPeak')][0].split()[1]"
    begun = cold(world, sys.executable, "-c", f"import react_agent.cli.main; print({size})")
    most = int(begun.out) + more
    answer = cold(world, *solve(world, place), shell=f'ulimit -v {most}; exec "$@"')
    assert answer.code == 0 or is_one_line(answer), answer
    ends_the_same(world, place, answer, expected)


@pytest.mark.fault("a command uses up its memory", after="the model is told, and the run goes on")
@pytest.mark.slow
def test_little_memory_of_a_command(world: World, place: Path) -> None:
    hungry = "ulimit -v 200000; python3 -c 'print(len(bytearray(10 ** 9)))'"
    model = place / "hungry.txt"
    make_model(model, (("run", hungry), ("run", "echo still here")))
    answer = world.solve(model)
    assert (answer.code, answer.err) == (1, "")
    text = world.run.transcript.read_text()
    assert "\nMemoryError\n" in text
    assert "\nObservation: exit code 0\nstill here\n" in text


LACKING = {
    "there is no home folder": ({"HOME": "/nonexistent"}, ""),
    "HOME is not set": ({}, "unset HOME; "),
    "the locale is C": ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ""),
    "the locale is none": ({"LC_ALL": "xx_XX.UTF-8"}, ""),
    "the folder for temporary files is gone": ({"TMPDIR": "/nonexistent"}, ""),
    "the terminal is a dumb one": ({"TERM": "dumb"}, ""),
    "TERM is not set": ({}, "unset TERM; "),
    "standard input is closed": ({}, "exec <&-; "),
    "standard error is closed": ({}, "exec 2>&-; "),
    "standard error is full": ({}, "exec 2>/dev/full; "),
    "standard output is closed": ({}, "exec >&-; "),
}


@pytest.mark.fault(*LACKING, after="nothing: it ends the same")
@pytest.mark.slow
@pytest.mark.parametrize("which", range(3))
def test_what_a_run_can_do_without(world: World, place: Path, expected: Ended, which: int) -> None:
    """Every third of them at once."""
    lacks = list(LACKING.values())[which::3]
    variables = {name: value for given, _ in lacks for name, value in given.items()}
    before = "".join(line for _, line in lacks)
    answer = cold(world, *solve(world, place), shell=f'{before}exec "$@"', **variables)
    assert (answer.code, answer.err) == (0, "")
    assert world.ended() == expected


@pytest.mark.fault("standard output is full", after="one line, and resume ends it the same")
@pytest.mark.slow
def test_nowhere_to_write_to(world: World, place: Path, expected: Ended) -> None:
    answer = cold(world, *solve(world, place), shell='exec "$@" >/dev/full')
    assert (answer.code, is_one_line(answer)) == (3, True)
    ends_the_same(world, place, answer, expected)


@pytest.mark.fault("{id} may not be written", after="one line, and it can be begun again")
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [pytest.param("STATE", id="the folder of runs"), pytest.param("CACHE", id="the cache")],
)
def test_a_folder_that_is_a_file(world: World, place: Path, expected: Ended, kind: str) -> None:
    """Root may write anywhere, but not below a file."""
    blocked = Path(world.environment[f"XDG_{kind}_HOME"])
    blocked.write_text("")
    answer = world.solve(place / "model.txt")
    assert (answer.code, is_one_line(answer)) == (3, True)
    blocked.unlink()
    ends_the_same(world, place, answer, expected)


@pytest.mark.fault("the terminal changes its size all the time", after="nothing: it ends the same")
@pytest.mark.slow
def test_a_terminal_that_changes_its_size(world: World, place: Path, expected: Ended) -> None:
    columns, variables = 0, {**world.environment, "TERM": "xterm"}
    with OnPty(solve(world, place), world.folder, variables) as program:
        while program.read():
            columns = (columns + 37) % 200
            program.resize(columns)
            program.process.send_signal(signal.SIGWINCH)
        code = program.end()
    assert (code, b"Traceback" in program.sent, world.ended()) == (0, False, expected)
