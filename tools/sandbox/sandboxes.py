"""Choose the sandbox: the requested one, or the best one that works on this machine.

Landlock and seccomp confine commands where user namespaces are forbidden, but they protect less.
Commands can read and write only the listed files, can't use sockets, and can't signal or trace
processes outside the sandbox. They can still see that files and processes exist, and change the
modes and timestamps of files. Before Linux 6.12, they can end other processes of the same user.
"""

import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.errors import MachineError, ReactAgentError, writing
from react_agent.tools.sandbox import bubblewrap, containers, etc, landlock_launcher, seccomp
from react_agent.tools.sandbox.sandbox import (
    AUTO,
    BUBBLEWRAP,
    CALLS,
    ETC_COPY,
    LANDLOCK,
    NONE,
    WORDS,
    Places,
    Sandbox,
    is_kind,
    unconfined,
)
from react_agent.tools.shell import process

LAUNCHER = Path(landlock_launcher.__file__)
# No terminals: a command could read what a person types in theirs.
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm")
SEEN = ("/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup")
SIGNALS_ABI = 6
TRY_S = 60.0
UNCONFINED_NOTE = "commands run as you: they can read and change everything that you can"
LANDLOCK_NOTE = (
    "weaker than bubblewrap: commands can list files and processes and change the modes of your "
    "files; they have no terminal and no network, not even loopback"
)
SIGNALS_NOTE = "this kernel lets them end your other processes, too"
UNFILTERED_NOTE = "system calls can't be filtered on this processor"
NETWORK_NOTE = "the network is on: commands reach the servers of this machine, too"
_ADVICE = (
    "install bubblewrap 0.8 or later (Debian and Ubuntu: apt-get install bubblewrap)"
    if sys.platform == "linux"
    else "use a container (--sandbox docker:IMAGE)"
)


@dataclass(frozen=True, slots=True)
class Chosen:
    sandbox: Sandbox
    name: str
    notes: tuple[str, ...] = ()
    end: Callable[[], None] = lambda: None  # what no supervisor ends
    etc_copy: etc.EtcCopy | None = None  # bubblewrap's
    client: Mapping[str, str] = field(default_factory=dict)  # the environment of docker or podman


def choose(
    wanted: str, places: Places, environment: Mapping[str, str], client: Mapping[str, str]
) -> Chosen:
    """Return the requested sandbox, or the best one for auto. Raises MachineError if none works.

    `environment` is that of the commands. docker and podman get `client`, a part of our own.
    """
    if not is_kind(wanted):
        raise MachineError(f"there is no sandbox {wanted!r}; write {WORDS}")
    if wanted == NONE:
        return Chosen(unconfined, NONE, (UNCONFINED_NOTE,))
    _check(places)
    problems = []
    for spec in (BUBBLEWRAP, LANDLOCK) if wanted == AUTO else (wanted,):
        try:
            chosen = _named(spec, places, environment, client, _etc_copy(places))
            chosen.end()  # what was left when this run was killed
            argv = chosen.sandbox(["true"], places.root)
            done = process.run(argv, cwd=places.root, env=environment, timeout_s=TRY_S)
            if done.code == 0:
                return chosen
            said = done.output.decode(errors="replace").strip().split("\n")[0]
            problem = clip_line(said, 200) or f"it ended with code {done.code}"
        except ReactAgentError as error:
            problem = str(error)
        problems.append(f"{spec}: {problem}")
    raise MachineError(
        f"commands can't be confined here ({'; '.join(problems)}); {_ADVICE}, "
        "or run them as yourself: --sandbox none"
    )


def moved(chosen: Chosen, places: Places, environment: Mapping[str, str]) -> Sandbox:
    """Return the chosen sandbox for other folders. It is known to work and is not tested again."""
    if chosen.name == NONE:
        return unconfined
    _check(places)
    copy = chosen.etc_copy or _etc_copy(places)
    if copy.network != places.network:  # of one command among others
        copy = _etc_copy(places, "other")
    return _named(chosen.name, places, environment, chosen.client, copy).sandbox


def shown(chosen: Chosen, places: Places) -> tuple[str, ...]:
    """Return lines for the user: the sandbox, its limitations, and its read-only folders."""
    bound = ", ".join(map(str, bubblewrap.readonly(places)))
    is_ours = chosen.name in ("bubblewrap", "landlock")
    return (chosen.name, *chosen.notes, *((f"read-only: {bound}",) if is_ours else ()))


def _named(
    spec: str,
    places: Places,
    environment: Mapping[str, str],
    client: Mapping[str, str],
    etc_copy: etc.EtcCopy,
) -> Chosen:
    """Return the sandbox of this name. Raises MachineError if something it needs is missing."""
    name, _, image = spec.partition(":")
    notes = (NETWORK_NOTE,) if places.network else ()
    machine = platform.machine()
    is_filtered = machine in seccomp.AUDIT
    match name:
        case "bubblewrap":
            if (program := process.find_program(bubblewrap.PROGRAM)) is None:
                raise MachineError("bwrap is not on PATH")
            calls = _filter(places) if is_filtered else None
            notes = notes if is_filtered else (UNFILTERED_NOTE, *notes)
            sandbox = partial(bubblewrap.confined, program, calls, etc_copy, places)
            return Chosen(sandbox, name, notes, etc_copy.remove, etc_copy)
        case "landlock":
            if not is_filtered:
                raise MachineError(UNFILTERED_NOTE)
            families = seccomp.FAMILIES if places.network else ()
            own_filter = seccomp.program(machine, families)
            signals = () if landlock_launcher.abi() >= SIGNALS_ABI else (SIGNALS_NOTE,)
            notes = (LANDLOCK_NOTE, *signals, *notes)
            return Chosen(partial(by_landlock, own_filter, places), name, notes)
        case _:
            if (program := process.find_program(name)) is None:
                raise MachineError(f"{name} is not on PATH")
            box = containers.Container(program, image, places, environment, client)
            end = partial(containers.end_left, box)
            return Chosen(partial(containers.confined, box), spec, notes, end, client=client)


def by_landlock(own_filter: bytes, places: Places, argv: Sequence[str], cwd: Path) -> list[str]:
    """Return the command line that starts a command through a launcher that confines itself."""
    also = (places.also,) if places.also else ()
    written = (places.root, places.home, *also, *(f"/dev/{name}" for name in DEVICES))
    system = (*bubblewrap.SYSTEM, *bubblewrap.VAR, *SEEN)
    read = (*bubblewrap.readonly(places), *etc.shown(places.network), *system)
    return [
        *(sys.executable, "-I", "-S", str(LAUNCHER)),
        *("--filter", own_filter.hex()),
        *("--network", "yes" if places.network else "no"),
        *(word for path in written for word in ("--write", str(path))),
        *(word for path in read for word in ("--read", str(path))),
        *("--", *argv),
    ]


def _etc_copy(places: Places, below_it: str = "") -> etc.EtcCopy:
    below = [folder for folder in bubblewrap.readonly(places) if folder.is_relative_to(etc.ETC)]
    folder = places.root.with_name(ETC_COPY) / below_it
    return etc.EtcCopy(folder, network=places.network, within=below)


def _filter(places: Places) -> Path:
    """Write the seccomp filter where commands can't access it."""
    place = places.root.with_name(CALLS)
    with writing(place):
        disk.unlink(place, missing_ok=True)
        disk.write_bytes(place, seccomp.program(platform.machine(), seccomp.FAMILIES))
    return place


def _check(places: Places) -> None:
    """Check that no folder to be bound is a link, because its target would be bound instead."""
    for folder in (places.root, places.home, places.tmp):
        if folder.is_symlink() or not folder.is_dir():
            raise MachineError(f"{folder} is not a folder any more; start a new run")
    for above in bubblewrap.right_below_tmp(places):
        if (places.tmp / above.name).is_symlink():
            raise MachineError(f"{places.tmp / above.name} is in the way; remove it")
    if any(places.root.parent.is_relative_to(one) for one in (places.home, places.also) if one):
        raise MachineError(f"{places.root.parent} is writable by commands, and must not be")
