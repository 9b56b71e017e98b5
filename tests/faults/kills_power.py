"""What a loss of power leaves of a run's files: what was synced, and of the rest anything."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from kills_world import World

OURS = ("runs", "cuts")


def lose_power(world: World, chance: random.Random) -> None:
    """The repository of the person is git's own to keep: our branch there was synced by it."""
    synced = dict(_synced(world.place / "synced"))
    for name in OURS:
        if (world.place / name).exists():
            _lose_below(world.place / name, synced, chance)


def _synced(place: Path) -> Iterator[tuple[int, object]]:
    if place.exists():
        yield from map(json.loads, place.read_text().splitlines())


def _lose_below(folder: Path, synced: dict[int, object], chance: random.Random) -> None:
    names = synced.get(folder.stat().st_ino)
    kept = names if isinstance(names, list) else []
    for path in sorted(folder.iterdir()):
        if path.name not in kept and chance.random() < 0.3:
            _remove(path)
        elif path.is_dir() and not path.is_symlink():
            _lose_below(path, synced, chance)
        elif path.is_file():
            size = synced.get(path.stat().st_ino)
            _lose_end(path, size if isinstance(size, int) else 0, chance)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _lose_end(path: Path, size: int, chance: random.Random) -> None:
    data = path.read_bytes()
    if len(data) > size:
        path.chmod(0o600)  # as git leaves its objects
        path.write_bytes(data[:size] + chance.choice(ENDS)(data[size:], chance))


def _some(end: bytes, chance: random.Random) -> bytes:
    return end[: chance.randrange(len(end))]


def _hole(end: bytes, chance: random.Random) -> bytes:
    """A block that was not written, before one that was."""
    at = chance.randrange(len(end))
    until = min(len(end), at + chance.choice((1, 512)))
    return end[:at] + b"\0" * (until - at) + end[until:]


ENDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    lambda end, chance: end,
    lambda end, chance: b"",
    lambda end, chance: b"\0" * len(end),
    _some,
    _hole,
)
