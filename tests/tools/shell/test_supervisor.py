"""What a supervisor reads of /proc, of disks and of its messages.

The supervisors themselves run in an isolated Python, where no test can look inside. What they do to
commands is in test_process.py.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.shell import supervisor
from react_agent.tools.shell.supervisor import Running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
MANY = 1 << 40


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as started:
        yield started
        started.kill()


def test_descendants_are_counted_and_killed(child: "subprocess.Popen[bytes]") -> None:
    rows = [row for row in supervisor.descendants(os.getpid()) if row[0] == child.pid]
    assert [row[:2] for row in rows] == [(child.pid, child.pid)]
    assert supervisor._memory(rows[0]) > 0
    way = supervisor._socket.socket()
    known = {child.pid: Running(child.pid, b"", way)}
    assert child.pid not in [row[0] for row in supervisor.descendants(os.getpid(), known)]
    way.close()
    limits = ({"processes": 0, "memory": MANY}, {"processes": MANY, "memory": 1})
    hits = [next(supervisor._crowd(most)) for most in (*limits, dict.fromkeys(limits[0], MANY))]
    assert hits == ["processes", "memory", ""]
    supervisor._kill(rows)
    assert child.wait() == -signal.SIGKILL
    gone = (child.pid, child.pid, b"S", 3)
    assert supervisor._memory(gone) == 3 * supervisor.PAGE
    assert not supervisor._send(child.pid, 0)


def test_temporary_files_are_too_many_only_while_they_grow(tmp_path: Path) -> None:
    (tmp_path / "made/below").mkdir(parents=True)
    (tmp_path / "other").write_bytes(os.urandom(500_000))
    (tmp_path / "made/link").symlink_to(tmp_path / "other")
    hits = supervisor._temporary(os.fsencode(tmp_path / "made"), {"temporary": 200_000})
    found = [next(hits)]
    for size in (40_000, 400_000, 400_000, 900_000):
        (tmp_path / "made/below/file").write_bytes(os.urandom(size))
        found.append(next(hits))
    assert found == ["", "", "temporary", "", "temporary"]
    assert next(supervisor._temporary(b"", {"temporary": 0})) == ""
    assert supervisor._size(os.fsencode(tmp_path / "gone")) == 0


@table_of(
    ("most", "room", "files", "hit"),
    [
        ({"room": 0, "inodes": 0}, MANY, MANY, ""),
        ({"room": 1 << 61, "inodes": 0}, 1 << 62, MANY, "disk"),
        ({"room": 1 << 61, "inodes": 0}, 2, MANY, ""),  # little was free
        ({"room": 0, "inodes": 1 << 61}, MANY, 1 << 62, "disk"),
    ],
)
def test_the_disk_is_nearly_full(most: dict[str, int], room: int, files: int, hit: str) -> None:
    assert next(supervisor._disk(most, room, files)) == hit


def test_a_command_is_handed_on_and_ended(child: "subprocess.Popen[bytes]") -> None:
    ours, theirs = supervisor._socket.socketpair()
    asking, control = supervisor._socket.socketpair()
    running = Running(child.pid, b"kind", ours)
    assert running.is_idle()
    assert running.take([control.detach()])
    said, handed = supervisor._handed(theirs, 1)
    assert (said, len(handed), running.is_idle()) == (b".", 1, False)
    assert not os.get_inheritable(handed[0])
    theirs.send(b".")
    assert running.is_done()
    asking.send(b"t")
    running.obey()
    assert child.wait() == -signal.SIGTERM
    assert running.deadline < supervisor.NEVER
    running.rest(b"ended -15 -\n")
    os.close(handed[0])
    assert (asking.recv(99), asking.recv(99)) == (b"ended -15 -\n", b"")
    assert running.is_idle()
    asking.close()
    theirs.close()
    assert not running.is_done()
    assert not running.take([])
    ours.close()
