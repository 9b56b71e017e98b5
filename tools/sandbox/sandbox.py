"""A sandbox: a function that takes a command's argv and folder, and returns the argv to start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

AUTO, NONE, BUBBLEWRAP, LANDLOCK = "auto", "none", "bubblewrap", "landlock"
WORDS = "auto, bubblewrap, landlock, docker:IMAGE, podman:IMAGE or none"
KINDS = (AUTO, BUBBLEWRAP, LANDLOCK, "docker:", "podman:", NONE)
CALLS = "calls.bpf"  # beside the work tree: the filter of calls to the kernel
ETC_COPY = "etc"  # beside it: what commands see as /etc

Sandbox: TypeAlias = Callable[[Sequence[str], Path], list[str]]


def is_kind(spec: str) -> bool:
    """Return whether this is the name of a sandbox. docker and podman need an image name."""
    name, colon, image = spec.partition(":")
    return f"{name}{colon}" in KINDS and (not colon or image[:1] not in ("", "-"))


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that commands can access besides the system folders. Each keeps its path."""

    root: Path  # the workspace's work tree: read and written
    home: Path  # of the commands, with a folder `tmp`: read and written, and seen as /tmp
    cut: Path  # that git borrows objects from: read
    toolchains: tuple[Path, ...] = ()  # read; see toolchains.py
    network: bool = False
    also: Path | None = None  # one more folder that is written
    # the process whose network commands share, so that one reaches another's server; 0: none
    holder: Callable[[], int] = lambda: 0
    modules: Path | None = None  # a link of ours beside the root, which leads to what is read

    @property
    def tmp(self) -> Path:
        return self.home / "tmp"


def unconfined(argv: Sequence[str], cwd: Path) -> list[str]:
    return list(argv)
