"""Whatever a command does, it is over in time, and no process of it is left.

What daemons, bombs and commands without end do, tests/attacks/commands tries in every sandbox.
"""

import os
import random
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from check_rows import each_of
from waiting import see

from react_agent.tools.context import Context
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.process import CommandResult, ResourceLimits

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc"),
    pytest.mark.slow,  # all of them together
]

MARK = "MARK_OF_A_TEST"
SHORT_S, LONG_S = 0.5, 20.0  # for what runs out of time, for what doesn't
MOST = ResourceLimits(processes=100, memory=400 << 20, cpu_seconds=20, file_bytes=64 << 20)
PYTHON = sys.executable
DAEMON = "import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); "


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    output: bytes
    timed_out: bool = False
    hit: str = ""


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment by which every process of a test is known."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", MARK: f"{tmp_path}-{os.getpid()}"}
    yield environment
    assert _left(environment) == []


def _left(environment: dict[str, str]) -> list[str]:
    mark = f"{MARK}={environment[MARK]}".encode()
    return [path.name for path in Path("/proc").glob("[0-9]*") if _has(path, mark)]


def _has(place: Path, mark: bytes) -> bool:
    try:
        return mark in (place / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _run(
    command: str, environment: dict[str, str], cwd: Path, limit_s: float, keep: int = 200_000
) -> CommandResult:
    argv = ["/usr/bin/bash", "-c", command]
    done = process.run(
        argv, cwd=cwd, env=environment, timeout_s=limit_s, keep_bytes=keep, limits=MOST
    )
    assert done.seconds < limit_s + 1, command
    assert _left(environment) == []
    return done


ROWS = {
    "stops itself": ("kill -STOP $$; echo on", Ended(-15, b"", timed_out=True)),
    "too long, and ignores SIGTERM": (
        "trap '' TERM HUP INT; echo on; sleep 60; sleep 60", Ended(-9, b"on\n", timed_out=True)),
    "too long, in another session": (
        "setsid bash -c \"trap '' TERM; sleep 60; sleep 60\" & wait",
        Ended(-15, b"", timed_out=True)),
    "closes its output, lives": ("exec >&- 2>&-; sleep 60", Ended(-15, b"", timed_out=True)),
    "two forks, all closed": (
        f'{PYTHON} -c "{DAEMON} os.close(1); os.close(2); os.environ.clear(); time.sleep(60)"',
        Ended(0, b"")),
    "kills who watches": ("kill -9 $PPID; sleep 60", Ended(-9, b"", hit="supervisor")),
    "stops who watches": ("kill -STOP $PPID; sleep 60", Ended(-15, b"", timed_out=True)),
    "kills the server": (
        "server=$(cut -d' ' -f4 /proc/$PPID/stat); setsid sleep 60 & kill -9 $server; sleep 60",
        Ended(-9, b"", hit="supervisor")),
}  # fmt: skip


@each_of(("command", "expected"), ROWS)
def test_nothing_stays(
    tmp_path: Path, marked: dict[str, str], command: str, expected: Ended
) -> None:
    done = _run(command, marked, tmp_path, SHORT_S if expected.timed_out else LONG_S)
    assert Ended(done.code, done.output, done.timed_out, done.hit) == expected


@pytest.mark.parametrize(
    ("command", "at_least", "timed_out"),
    [
        pytest.param("yes", 1_000_000, True, id="endless"),
        pytest.param("head -c 200000000 /dev/zero", 199_990_000, False, id="200 MB"),
        pytest.param("head -c 50000000 /dev/urandom", 49_990_000, False, id="noise"),
    ],
)
def test_much_output_takes_little_memory(
    tmp_path: Path, marked: dict[str, str], command: str, at_least: int, timed_out: bool
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limit_s = SHORT_S if timed_out else LONG_S
    done = _run(command, marked, tmp_path, limit_s, keep=10_000)
    assert (len(done.output), done.printed.left_out >= at_least) == (10_000, True)
    assert done.timed_out is timed_out
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


@pytest.mark.fault("killed while a command runs", after="the command ends, and all it started")
def test_nothing_outlives_us(tmp_path: Path, marked: dict[str, str]) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from react_agent.tools.shell.process import run\n"
        "from react_agent.tools.shell.process import ResourceLimits\n"
        "run(['/bin/sh', '-c', 'touch on; setsid sleep 60 & sleep 60'], cwd=Path(sys.argv[1]),\n"
        "    env=eval(sys.argv[2]), timeout_s=60, limits=ResourceLimits())\n"
    )
    argv = [PYTHON, "-P", "-c", script, str(tmp_path), repr(marked)]
    pid = os.posix_spawn(PYTHON, argv, os.environ)
    see((tmp_path / "on").exists)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    see(lambda: _left(marked) == [], within_s=10)


def test_limits_hold_in_what_is_started(tmp_path: Path, marked: dict[str, str]) -> None:
    done = _run("ulimit -c; ulimit -f; ulimit -t; ulimit -d; ulimit -Hn", marked, tmp_path, LONG_S)
    assert done.output == b"0\n65536\n20\n819200\n%d\n" % min(
        65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    )


SERVER_OF = "cut -d' ' -f4 /proc/$PPID/stat"


def test_the_server_has_nothing_of_ours(tmp_path: Path, marked: dict[str, str]) -> None:
    with socket.socket() as ours:
        os.set_inheritable(ours.fileno(), True)
        server = Path("/proc", _run(SERVER_OF, marked, tmp_path, LONG_S).output.decode().strip())
        if os.getuid():  # its memory is hidden: not even we may look
            with pytest.raises(PermissionError):
                (server / "environ").read_bytes()
            return
        held = {str(place.readlink()) for place in (server / "fd").iterdir()}
        assert str(Path(f"/proc/self/fd/{ours.fileno()}").readlink()) not in held
    assert (server / "environ").read_bytes() == b""
    assert (server / "cwd").readlink() == Path("/")
    assert {name.partition("[")[0] for name in held} == {"/dev/null", "socket:"}


def test_one_server_forks_all_and_one_that_is_gone_is_replaced(
    tmp_path: Path, marked: dict[str, str]
) -> None:
    first, again = (_run(SERVER_OF, marked, tmp_path, LONG_S).output for _ in range(2))
    assert first == again
    _run(f"kill -9 $({SERVER_OF}); sleep 60", marked, tmp_path, LONG_S)
    assert _run(SERVER_OF, marked, tmp_path, LONG_S).output not in (b"", first)


def test_a_supervisor_takes_commands_until_the_limits_change_or_it_is_gone(
    tmp_path: Path, marked: dict[str, str]
) -> None:
    def supervisor(command: str = "", limits: ResourceLimits = MOST) -> bytes:
        argv = ["/usr/bin/bash", "-c", f"echo $PPID; {command}"]
        done = process.run(argv, cwd=tmp_path, env=marked, timeout_s=LONG_S, limits=limits)
        return done.output

    first = supervisor("setsid sleep 60 &")
    assert supervisor() == first
    assert supervisor(limits=replace(MOST, processes=99)) != first
    second = supervisor("kill -9 $PPID; sleep 60")
    assert supervisor() not in (b"", first, second)


def test_commands_of_several_threads(tmp_path: Path, marked: dict[str, str]) -> None:
    def said(number: int) -> bytes:
        argv = ["sh", "-c", f"(sleep 0.{number % 3}; echo {number}) & wait; exit {number}"]
        done = process.run(argv, cwd=tmp_path, env=marked, timeout_s=LONG_S, limits=MOST)
        return b"%d %s" % (done.code, done.output)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(said, range(24)))
    assert answers == [b"%d %d\n" % (number, number) for number in range(24)]
    assert _left(marked) == []


def test_a_long_line_and_any_bytes_reach_the_command(
    tmp_path: Path, marked: dict[str, str]
) -> None:
    odd = os.fsdecode(b"\xff") + "\n=" + "x" * 100_000
    argv = ["sh", "-c", 'printf %s "$1$ODD"', "sh", odd]
    done = process.run(
        argv,
        cwd=tmp_path,
        env={**marked, "ODD": odd},
        timeout_s=LONG_S,
        keep_bytes=1_000_000,
        limits=MOST,
    )
    assert done.output == os.fsencode(odd + odd)


COMMON = ("true", "echo hello; ls -l", "exit 3", "seq 100000 | tail -1", "no-such-program")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_nothing_stays_of_a_thousand(
    tmp_path: Path, marked: dict[str, str], share: Callable[[int], int], long_seed: int
) -> None:
    chosen = random.Random(long_seed)
    rare = [command for command, _ in ROWS.values()] + ["yes", "head -c 100000000 /dev/urandom"]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(share(1000)):
        _run(chosen.choice(rare if chosen.random() < 0.6 else COMMON), marked, tmp_path, SHORT_S)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


def test_nothing_stays_of_a_repositorys_own_command(tmp_path: Path, marked: dict[str, str]) -> None:
    """Its tests, its lint, what makes its environment: they are watched as the model's are."""
    done = shell.run_sandboxed(
        ["bash", "-c", "setsid sleep 60 & exit 3"],
        Context(tmp_path, environment=marked, resource_limits=MOST),
        timeout_s=LONG_S,
    )
    assert done.code == 3
    assert _left(marked) == []
