"""What takes all of a machine is ended before it has it, in every sandbox and without one."""

import sys
from pathlib import Path

import pytest
from robbed import PATH, SANDBOXES, laid_out, ran

from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process
from react_agent.tools.shell.process import ResourceLimits

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")]
SMALL_DISK = Path(__file__).with_name("small_disk.py")
ENVIRONMENT = {"PATH": PATH}
MOST = ResourceLimits(
    processes=60, memory=120 << 20, cpu_seconds=1, file_bytes=8 << 20, temporary=8 << 20
)
# Each is bounded by itself as well: 200 processes, 200 MB.
FORKS = "n=0; while [ $n -lt 200 ]; do n=$((n+1)); {start} sleep 60 & done; wait; sleep 60"
HOLD = "python3 -c 'import time; a = b\"x\" * ({each} << 20); time.sleep(60)'"
BOMBS = {
    "processes": (FORKS.format(start=""), "processes"),
    "processes in sessions of their own": (FORKS.format(start="setsid"), "processes"),
    "memory of one process": (HOLD.format(each=160), "memory"),
    "memory of many processes": (f"for n in 1 2 3 4; do {HOLD.format(each=50)} & done; wait",
                                 "memory"),
    "processor time": ("while :; do :; done", "cpu"),
    "one large file": ("exec head -c 1G /dev/zero > large", "file"),
    "temporary files": (
        "for n in $(seq 40); do head -c 1M /dev/zero > $TMPDIR/f$n; sleep 0.1; done", "temporary"),
}  # fmt: skip


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return laid_out(tmp_path)


def _done(places: Places, sandbox: str, command: str) -> process.CommandResult:
    return ran(choose(sandbox, places, ENVIRONMENT, {}), places, command, limits=MOST)


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.attack(*(f"take all: {name}" for name in BOMBS), by="command", wall="limits")
def test_a_bomb_is_ended(places: Places, sandbox: str) -> None:
    ends = {name: _done(places, sandbox, bomb).hit for name, (bomb, _) in BOMBS.items()}
    wanted = {name: hit for name, (_, hit) in BOMBS.items()}
    assert ends == wanted
    assert _done(places, sandbox, "echo x > small; sleep 0.1 & wait").hit == ""


UNMAPPED = (
    "import os, time; held = [os.memfd_create('x') for _ in range(40)]; "
    "[os.write(one, bytes(5 << 20)) for one in held]; time.sleep(1)"
)


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.attack(
    "take all: memory that no process maps",
    by="command",
    wall="limits",
    bubblewrap="gets through",
    landlock="gets through",
    unconfined="gets through",
)
def test_memory_that_no_process_maps_is_not_counted(places: Places, sandbox: str) -> None:
    done = _done(places, sandbox, f'python3 -c "{UNMAPPED}"')
    assert (done.code, done.hit) == (0, "")


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.attack("output without end", by="command", wall="limits")
def test_output_without_end(places: Places, sandbox: str) -> None:
    done = ran(choose(sandbox, places, ENVIRONMENT, {}), places, "yes", seconds=0.5)
    assert (len(done.output), done.timed_out, done.printed.left_out > 0) == (200_000, True, True)


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.attack("no end of temporary files: a link to all files", by="command", wall="limits")
def test_counting_temporary_files_keeps_nobody_from_the_other_limits(
    places: Places, sandbox: str
) -> None:
    script = "rm -rf $TMPDIR; ln -s / $TMPDIR; sleep 60"
    done = ran(choose(sandbox, places, ENVIRONMENT, {}), places, script, seconds=1)
    assert done.hit in ("", "temporary")  # and not that its keeper did not answer


# With a pause, so that a busy machine looks in time: real disks are larger.
FILL = {
    "the disk": "i=0; while head -c 2M /dev/zero > f$i; do i=$((i+1)); sleep 0.1; done",
    "the files a disk can have":
        "for i in $(seq 2000); do : > f$i || exit 1; [ $((i % 20)) -gt 0 ] || sleep 0.05; done",
}  # fmt: skip


@pytest.mark.needs("unshare", "util-linux")
@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("what", FILL)
@pytest.mark.attack(*(f"fill {what}" for what in FILL), by="command", wall="limits")
def test_a_disk_is_not_filled(tmp_path: Path, sandbox: str, what: str) -> None:
    said = [_on_a_small_disk(tmp_path, sandbox, script) for script in (FILL[what], "echo x > f")]
    assert said == ["disk\n", "0\n"]


def _on_a_small_disk(place: Path, sandbox: str, command: str) -> str:
    own = ("unshare", "--user", "--map-root-user", "--mount", sys.executable, "-P")
    argv = (*own, str(SMALL_DISK), str(place), sandbox, command)
    return process.run(argv, cwd=place, env=ENVIRONMENT, timeout_s=60).output.decode()
