"""Run commands in bubblewrap, which shows them a small read-only system and the workspace.

bubblewrap is started with the environment of the commands, because they can read its own. All
commands of a run share a network namespace, so that later commands can reach a server that an
earlier one started in the background. A bubblewrap process keeps the namespace alive.
"""

import os
import selectors
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox.etc import EtcCopy
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.shell import process

PROGRAM = "bwrap"
ENTER = "nsenter"
PROTECTED = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--new-session", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox"),
)
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
VAR = ("/var/lib/gems", "/var/lib/ghc", "/var/lib/texmf", "/var/cache/fontconfig")
SHARED_MEMORY = 256 * 1024 * 1024
TMP = (Path("/tmp"), Path("/var/tmp"))
# Files at the top of a read-only folder that may hold the password of a package index.
MASKED = ("pip.conf", ".condarc", ".npmrc", "etc/npmrc", ".netrc", ".pypirc")
_START_S = 10.0
INSTALLED = (Path("/usr"), Path("/usr/local"))


def confined(
    program: str,
    calls: Path | None,
    etc: EtcCopy,
    places: Places,
    argv: Sequence[str],
    cwd: Path,
) -> list[str]:
    """Return the command line that runs a command in bubblewrap, with a seccomp filter."""
    holder = places.holder()
    # of a holder that has ended, a command can't enter the network
    lives = holder > 0 and Path(f"/proc/{holder}/ns/net").exists()
    shared = process.find_program(ENTER) if lives and not places.network else None
    command = [
        *(program, *PROTECTED),
        # the filter, too, refuses new user namespaces, and takes 2 ms less
        *(("--disable-userns",) if calls is None else ("--seccomp", "9")),
        *(() if places.network or shared else ("--unshare-net",)),
        *_files(etc, places),
        *("--chdir", str(cwd), "--", *argv),
    ]
    if shared:
        command = [shared, *process.ENTERING, str(holder), "--", *command]
    return command if calls is None else [*process.OPENING, str(calls), *command]


def _files(etc: EtcCopy, places: Places) -> Iterator[str]:
    yield from _system()
    for folder in INSTALLED:
        yield from _masked(folder)
    for source, place in etc.mounts():
        yield from ("--ro-bind", str(source), str(place))
    yield from ("--proc", "/proc", "--remount-ro", "/proc")  # root could write to /proc/sys
    yield from ("--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm")
    yield from ("--remount-ro", "/dev", "--dir", "/run")
    # /tmp is a folder of the home's: files outlive the command. A command must not put a link where
    # the next one's bubblewrap makes or binds a folder: a mount point can't be moved.
    for place in TMP:
        yield from ("--bind", str(places.tmp), str(place))
    for above in right_below_tmp(places):
        yield from ("--size", "1048576", "--tmpfs", str(above))
    for folder in readonly(places):
        yield from _read_only(folder)
        yield from _masked(folder)
    if places.modules:  # no bind, which would follow what a command puts at its end
        yield from ("--symlink", str(places.modules.readlink()), str(places.modules))
    for place in filter(None, (places.root, places.home, places.tmp, places.also)):
        yield from ("--bind", str(place), str(place))
    for above in (*right_below_tmp(places), Path("/")):
        yield from ("--remount-ro", str(above))


@lru_cache(maxsize=8)
def readonly(places: Places) -> tuple[Path, ...]:
    """Return the folders to bind, in order. Folders that are visible anyway are left out."""
    writable = (places.root, places.home)
    shown = tuple(Path(folder) for folder in SYSTEM)
    found: list[Path] = []
    for folder in sorted({places.cut, *places.toolchains}):
        if any(folder.is_relative_to(other) for other in (*writable, *shown, *found)):
            continue
        # a folder above the workspace would show the other runs
        if not any(place.is_relative_to(folder) for place in writable):
            found.append(folder)
    return tuple(found)


@lru_cache(maxsize=1)
def _system() -> tuple[str, ...]:
    words: list[str] = []
    for folder in map(Path, SYSTEM):
        if folder.is_symlink():
            words += ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            words += _read_only(folder)
    return *words, *(word for name in VAR for word in ("--ro-bind-try", name, name))


@lru_cache(maxsize=8)
def right_below_tmp(places: Places) -> tuple[Path, ...]:
    """Return the top-level folders in /tmp that contain bound folders, as happens in tests."""
    bound = (places.root, places.home, *readonly(places))
    found = {
        tmp / place.relative_to(tmp).parts[0]
        for tmp in TMP
        for place in bound
        if place.is_relative_to(tmp) and place != tmp
    }
    return tuple(sorted(found))


def _masked(folder: Path) -> Iterator[str]:
    for path in (f"{folder}/{name}" for name in MASKED):
        if os.path.isfile(path):  # noqa: PTH113 - a path of pathlib takes five times as long
            yield from ("--ro-bind", "/dev/null", path)


def _read_only(folder: Path) -> tuple[str, str, str]:
    return ("--ro-bind-try", str(folder), str(folder))


class SharedNetwork:
    """A network shared by all commands, kept alive by a process. Its creator has to close it."""

    def __init__(self) -> None:
        self._kept: process.Supervised | None = None
        self._holder = 0

    def holder(self) -> int:
        return self._holder

    def begin(self) -> None:
        """Start the process that keeps the namespace. If it fails, commands share no network."""
        program = process.find_program(PROGRAM)
        if self._kept or program is None or process.find_program(ENTER) is None:
            return
        limits = process.ResourceLimits()
        try:
            self._kept = process.start(to_start(program), cwd=Path("/"), env={}, limits=limits)
        except ReactAgentError:
            return
        self._holder = _said(self._kept)

    def close(self) -> None:
        if self._kept:
            self._kept.discard()
        self._kept, self._holder = None, 0


def to_start(bubblewrap: str) -> list[str]:
    """Return the command that keeps the namespace and prints its id. Start it without variables."""
    return [
        *(bubblewrap, "--unshare-user", "--unshare-net", "--new-session", "--die-with-parent"),
        *("--cap-drop", "ALL", "--ro-bind", "/", "/"),
        *("--", "/bin/sh", "-c", "echo $$; exec sleep infinity"),
    ]


def _said(kept: process.Supervised) -> int:
    """Return the process id that the command prints, or 0 if it fails or takes too long."""
    with selectors.DefaultSelector() as pipes:
        pipes.register(kept.output, selectors.EVENT_READ)
        printed = kept.output.read(process.CHUNK) if pipes.select(_START_S) else b""
    return int(printed) if printed.strip().isdigit() else 0
