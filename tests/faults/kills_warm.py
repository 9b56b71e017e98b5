"""Runs of kills_world.py, each in a fork of one process that has imported all: that takes a second.

A line of standard input is a folder and where to die; the answer is how the fork ended, and at how
many places it could have died. A place is a call that changes something outside of the process, as
Python's audit events tell of them, or a part of a write to a transcript."""

import json
import os
import random
import stat
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kills_world import World

from react_agent.edge import end_like_ctrl_c
from react_agent.state import transcript

EVENTS = frozenset(
    (
        *("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate"),
        *("subprocess.Popen", "os.kill", "os.killpg", "fcntl.flock", "sqlite3.connect"),
    )
)
READ, INTERRUPTED = os.O_RDONLY, 130


class Places:
    """Counts them, and has this process signalled at one."""

    def __init__(self, at: int, seed: int, number: int) -> None:
        self.at, self.count, self.chance, self.number = at, 0, random.Random(seed), number

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in EVENTS and not (event == "open" and arguments[2] & os.O_ACCMODE == READ):
            self.here()

    def here(self, last: Callable[[], int] = lambda: 0) -> int:
        """What was done last, where the signal was held off."""
        self.count += 1
        if self.count != self.at:
            return 0
        done = last()
        os.kill(os.getpid(), self.number)
        return done


class Shim:
    """`os` for the module that writes transcripts: dies before, within and after a write."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, descriptor: int, data: bytes) -> int:
        part = self.places.chance.randrange(len(data) + 1)
        self.places.here()
        short = self.places.here(lambda: os.write(descriptor, data[:part]))
        written = short or os.write(descriptor, data)
        self.places.here()
        return written

    def fsync(self, descriptor: int) -> None:
        os.fsync(descriptor)
        self.places.here()


class Syncs:
    """Writes down what a loss of power would leave: sizes of files, names in folders."""

    def __init__(self, place: Path) -> None:
        self.place, self.fsync = place, os.fsync

    def __call__(self, descriptor: int) -> None:
        self.fsync(descriptor)
        found = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(found.st_mode)
        names = os.listdir(descriptor) if is_folder else found.st_size
        with self.place.open("a") as synced:
            synced.write(json.dumps([found.st_ino, names]) + "\n")


def life(world: World, places: Places) -> int:
    """The code that it ends with, unless it is killed."""
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    transcript.os = Shim(places)  # type: ignore[assignment]
    os.fsync = Syncs(world.place / "synced")
    sys.addaudithook(places.audit)
    try:
        world.go_on()
        return 0 if world.is_over else INTERRUPTED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BaseException:  # noqa: BLE001  told to the test
        world.place.joinpath("failure").write_text(traceback.format_exc())
        return 1
    finally:
        world.place.joinpath("places").write_text(str(places.count))


def serve() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if (child := os.fork()) == 0:
            places = Places(asked["at"], asked["seed"], asked["number"])
            os._exit(life(World(Path(asked["folder"])), places))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
