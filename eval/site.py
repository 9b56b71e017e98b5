"""The folders that workers work in: what they share, and a place of its own for each work."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.tools import disk
from react_agent.tools.disk import locked, remove_tree, unless_taken

_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Site:
    root: Path

    @property
    def mirrors(self) -> Path:
        return self.root / "mirrors"

    @property
    def cuts(self) -> Path:
        return self.root / "cuts"

    @property
    def environments(self) -> Path:
        return self.root / "environments"

    @property
    def scratch(self) -> Path:
        return self.root / "scratch"


@contextlib.contextmanager
def scratch(site: Site) -> Iterator[Path]:
    """A new folder, gone afterwards; a killed process leaves its own to the next `sweep`."""
    with contextlib.ExitStack() as held:
        with _alone(site):
            place = disk.new_folder("w", site.scratch)
            lock = place.with_suffix(_LOCK)
            held.enter_context(locked(lock))
        try:
            yield place
        finally:
            remove_tree(place)
            disk.unlink(lock)


def sweep(site: Site) -> None:
    """Remove what killed processes have left."""
    with _alone(site):
        for lock in list(site.scratch.glob(f"w*{_LOCK}")):
            with unless_taken(lock) as is_left:
                if is_left:
                    remove_tree(lock.with_suffix(""))
                    disk.unlink(lock)


@contextlib.contextmanager
def _alone(site: Site) -> Iterator[None]:
    try:
        disk.mkdir(site.scratch, parents=True, exist_ok=True)
        with locked(site.scratch / _LOCK):
            yield
    except OSError as error:
        raise MachineError(f"{site.scratch} can't be written: {error.strerror}") from None
