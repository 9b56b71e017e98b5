"""Which walls hold on this machine: each is tried, by an attack that does no harm.

An attack that fails proves nothing by itself: the same one is made outside of the sandbox, where it
has to work; one that meets a limit is made once more below it.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from shlex import quote

from react_agent.doctor.doctor import Mark, Row
from react_agent.doctor.doctor_trial import SECONDS, outside, tried
from react_agent.runs.commands import Outer, standing
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.sandbox.sandbox import LANDLOCK, NONE
from react_agent.tools.shell import process
from react_agent.tools.shell.process import ResourceLimits

NETWORK, TEMPORARY = "network", "temporary"
OF_CONTAINERS = ("processes", "memory")
_SHORT = 1.0  # seconds
_MB = 1024**2
# Something of the person's that runs: it has a key, a port, and can be ended.
_NEIGHBOUR = """\
import os, socket, sys, time
listening = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as told:
    print(os.getpid(), listening.getsockname()[1], file=told)
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(120)
"""
_BETTER = "install bubblewrap, and let sandbox be auto"
_MEND = "don't let it work on repositories of strangers here; please report this"


@dataclass(frozen=True, slots=True)
class Attack:
    what: str
    line: str  # of a shell; ends with 0 where it got through
    stopped: str


@dataclass(frozen=True, slots=True)
class Excess:
    """More than a command may take of something, and a little of it."""

    what: str
    much: str
    little: str
    limits: Mapping[str, int]
    stopped: str
    seconds: float = SECONDS


EXCESSES = (
    Excess(
        "processes",
        "for i in $(seq 60); do sleep 5 & done; wait",
        "for i in 1 2 3; do sleep 0.1 & done; wait",
        {"processes": 30},
        "a command that starts too many is ended",
    ),
    Excess(
        "memory",
        "x=$(head -c 150000000 /dev/zero | tr '\\0' x); sleep 5",
        "x=$(head -c 1000000 /dev/zero | tr '\\0' x)",
        {"memory": 100 * _MB},
        "a command that takes too much is ended",
    ),
    Excess(
        "file size",
        "head -c 4000000 /dev/zero >too-large",
        "head -c 100000 /dev/zero >small",
        {"file_bytes": _MB},
        "no file grows larger than it may",
    ),
    Excess(
        TEMPORARY,
        "for n in 1 2 3 4 5; do head -c 1000000 /dev/zero >$TMPDIR/x$n; sleep 0.3; done",
        "head -c 100000 /dev/zero >$TMPDIR/x",
        {"temporary": 2 * _MB},
        "a command that fills the folder of temporary files is ended",
    ),
    Excess("time", "sleep 20", "true", {}, "what takes too long is ended", _SHORT),
)


def of_walls(cache: Path, outer: Outer) -> Iterator[Row]:
    """Raises what keeps a sandbox from being chosen."""
    with standing(outer) as (context, chosen, _), _ground(context, cache) as ground:
        is_weak = chosen.name in (NONE, LANDLOCK)
        for attack in _attacks(ground):
            yield _attacked(attack, context, _advice(attack, outer, is_weak=is_weak))
        for excess in EXCESSES:
            yield met(excess, context, chosen.name)
        yield _left_behind(context)


@dataclass(frozen=True, slots=True)
class _Ground:
    folder: Path  # outside of what commands may reach
    key: str
    neighbour: str  # the number of its process
    port: str


@contextmanager
def _ground(context: Context, cache: Path) -> Iterator[_Ground]:
    folder, key = cache / f"doctor-{token_hex(4)}", token_hex(16)
    own = outside(context)
    disk.mkdir(folder, parents=True)
    disk.write_text(folder / "mine", f"{key}\n")
    told = folder / "neighbour"
    argv = (sys.executable, "-I", "-S", "-c", _NEIGHBOUR, str(told))
    neighbour = process.start(
        argv, cwd=context.root, env={"DOCTOR_KEY": key}, limits=ResourceLimits()
    )
    try:
        name = quote(str(told))
        waiting = f"for i in $(seq 100); do test -s {name} && break; sleep 0.1; done; cat {name}"
        number, _, port = tried(waiting, own).output.decode().strip().partition(" ")
        yield _Ground(folder, key, number, port)
    finally:
        neighbour.discard()
        disk.remove_all(folder)


def _attacks(ground: _Ground) -> tuple[Attack, ...]:
    place = quote(str(ground.folder))
    return (
        Attack(
            "writes",
            f"echo x >{place}/theirs && test -e {place}/theirs",
            "no file outside of the workspace is written",
        ),
        Attack("reads", f"grep -q {ground.key} {place}/mine", "your other files are not seen"),
        Attack(
            "keys",
            f"grep -aq {ground.key} /proc/{ground.neighbour}/environ",
            "no environment of another process is read",
        ),
        Attack("signals", f"kill -0 {ground.neighbour}", "no process of yours can be ended"),
        Attack(
            NETWORK,
            f"exec 3<>/dev/tcp/127.0.0.1/{ground.port}",
            "no server is reached, not even of this machine",
        ),
    )


def _advice(attack: Attack, outer: Outer, *, is_weak: bool) -> str:
    """For where it gets through; empty where it should not have."""
    if attack.what == NETWORK and outer.settings.network:
        return "your settings have it so; say network = off to have it shut"
    return _BETTER if is_weak else ""


def _attacked(attack: Attack, context: Context, advice: str) -> Row:
    if tried(attack.line, context).code == 0:
        mark = Mark.SO_SO if advice else Mark.BAD
        return Row(mark, attack.what, f"not so here: {attack.stopped}", advice or _MEND)
    if tried(attack.line, outside(context)).code:
        return Row(Mark.SO_SO, attack.what, "could not be tried: it works nowhere on this machine")
    return Row(Mark.GOOD, attack.what, attack.stopped)


def met(excess: Excess, context: Context, sandbox: str = "") -> Row:
    if excess.what in OF_CONTAINERS and ":" in sandbox:
        return Row(Mark.SO_SO, excess.what, "left to the container, which is started with a limit")
    limited = replace(context, resource_limits=replace(context.resource_limits, **excess.limits))
    little = tried(excess.little, limited)
    if little.code:
        return Row(Mark.SO_SO, excess.what, "could not be tried here: a little is too much already")
    much = tried(excess.much, limited, excess.seconds)
    if sandbox == NONE and excess.what == TEMPORARY and much.hit:
        return Row(
            Mark.SO_SO, excess.what, "$TMPDIR is limited, the machine's /tmp is not", _BETTER
        )
    if much.hit or much.timed_out or much.code:
        return Row(Mark.GOOD, excess.what, excess.stopped)
    return Row(Mark.BAD, excess.what, f"not so here: {excess.stopped}", _MEND)


def _left_behind(context: Context) -> Row:
    """What has left its group and its parent, and writes a line again and again."""
    stopped = "what a command leaves running is ended with it"
    ticking = "(setsid sh -c 'while :; do echo x >>ticks; sleep 0.05; done' &); sleep 0.5"
    tried(ticking, context)
    counting = "a=$(wc -c <ticks); sleep 0.5; b=$(wc -c <ticks); test $a -gt 0 && test $a -eq $b"
    done = tried(counting, outside(context))
    if done.code == 0:
        return Row(Mark.GOOD, "daemons", stopped)
    return Row(Mark.BAD, "daemons", f"not so here: {stopped}", _MEND)
