"""Commands confined by Landlock and seccomp, where user namespaces are forbidden: weaker.

They read and write no file but those listed, have no sockets, and can't signal or trace what runs
outside. Not stopped: seeing that files and processes exist, changing modes and times of files;
before Linux 6.12, ending other processes of the same user.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from react_agent.tools.sandbox import bubblewrap, etc
from react_agent.tools.sandbox.sandbox import Places

LAUNCHER = Path(__file__).with_name("landlock_launcher.py")
# No terminals: those of a person are among them, with what is typed there.
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm")
SEEN = ("/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup")


def confined(calls: Path, places: Places, argv: Sequence[str], cwd: Path) -> list[str]:
    """This command, started by a launcher that confines itself first."""
    return [
        *(sys.executable, "-I", "-S", str(LAUNCHER)),
        *("--filter", str(calls)),
        *(("--network",) if places.network else ()),
        *_rules(places),
        *("--", *argv),
    ]


def _rules(places: Places) -> Iterator[str]:
    devices = (f"/dev/{name}" for name in DEVICES)
    also = (str(places.also),) if places.also else ()
    for path in (str(places.root), str(places.home), *also, *devices):
        yield from ("--write", path)
    shown = (*map(str, bubblewrap.readonly(places)), *bubblewrap.SYSTEM, *bubblewrap.VAR, *SEEN)
    for path in (*shown, *map(str, etc.shown(places.network))):
        yield from ("--read", path)
