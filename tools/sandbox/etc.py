"""What programs need of /etc, copied into a folder: never the whole of it, which holds shadow,
private keys, and settings with passwords in them.

Each mount costs every command time, and a folder of small files is one mount. What is large is
mounted over its own name in it. A copy is never changed: a new one is made when something that it
was made of is another file, and commands that are running keep theirs.
"""

import contextlib
import os
import threading
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from react_agent.tools import disk
from react_agent.tools.errors import writing

ETC = Path("/etc")
NAMES = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "group", "nsswitch.conf", "hosts"),
    *("host.conf", "gai.conf", "services", "protocols", "localtime", "timezone", "locale.alias"),
    *("ssl/certs", "ssl/openssl.cnf", "ca-certificates", "ca-certificates.conf", "pki/tls/certs"),
    *("pki/ca-trust", "crypto-policies", "alternatives", "os-release", "debian_version"),
    *("mime.types", "magic", "terminfo", "inputrc", "bash.bashrc", "profile", "fonts", "perl"),
    *("java", "maven", "R", "php", "ghc", "julia", "texmf", "python3"),
)
PATTERNS = ("java-*", "python3.*")
OF_A_NETWORK = "resolv.conf"
MOST_NAMES, MOST_BYTES = 64, 256 * 1024  # of a folder that is copied

Seen: TypeAlias = tuple[int, int, int, int] | None  # None: it is not there


def shown(network: bool, etc: Path = ETC) -> list[Path]:
    """Files and folders, whether they are there or not."""
    here = sorted(os.listdir(etc)) if etc.is_dir() else []  # noqa: PTH208 - a glob stats them all
    others = (name for name in here if any(fnmatchcase(name, like) for like in PATTERNS))
    return [etc / name for name in (*NAMES, *((OF_A_NETWORK,) if network else ()), *others)]


class EtcCopy:
    """In a folder of the run's that no command can write; several threads may use it."""

    def __init__(
        self, folder: Path, *, network: bool, within: Sequence[Path] = (), etc: Path = ETC
    ) -> None:
        """`within` are folders of it that somebody mounts."""
        self._etc = etc
        self._folder = folder
        self.network = network
        self._within = within
        self._made = 0
        self._place = folder
        self._seen: dict[str, Seen] = {}
        self._large: list[Path] = []
        self._lock = threading.Lock()

    def mounts(self) -> list[tuple[Path, Path]]:
        """What to mount where, read-only and in this order."""
        with self._lock:
            if not self._seen or any(_look(path) != seen for path, seen in self._seen.items()):
                self._seen = {}
                with writing(self._folder):
                    self._make()
            return [(self._place, ETC), *((path, ETC / self._name(path)) for path in self._large)]

    def remove(self) -> None:
        """Once no command runs; the next one gets a new copy."""
        with self._lock:
            disk.remove_all(self._folder)  # no command has been at it
            self._seen = {}

    def _make(self) -> None:
        self._made += 1
        self._place, self._large = self._folder / str(self._made), []
        seen = {str(self._etc): _look(str(self._etc))}
        disk.mkdir(self._place, parents=True)
        for path in shown(self.network, self._etc):
            seen[str(path)] = _look(str(path))  # before it is read
            if path.is_dir():
                seen |= self._copy_folder(path)
            else:
                self._copy(path)
        for folder in (*self._large, *self._within):
            disk.mkdir(self._in_copy(folder), parents=True, exist_ok=True)
        self._seen = {**seen, str(self._place): _look(str(self._place))}

    def _copy_folder(self, folder: Path) -> dict[str, Seen]:
        below = list(islice(folder.rglob("*"), MOST_NAMES + 1))
        sizes = [path.lstat().st_size for path in below if path.is_file()]
        if len(below) > MOST_NAMES or sum(sizes) > MOST_BYTES:
            self._large.append(folder)
            return {}
        seen = {str(path): _look(str(path)) for path in below}
        disk.mkdir(self._in_copy(folder), parents=True, exist_ok=True)
        for path in below:
            if path.is_symlink():
                disk.symlink(self._in_copy(path), path.readlink())
            elif path.is_dir():
                disk.mkdir(self._in_copy(path))
            else:
                self._copy(path)
        return seen

    def _copy(self, path: Path) -> None:
        target = self._in_copy(path)
        with contextlib.suppress(FileNotFoundError, PermissionError):  # nor can a command read it
            if path.is_file():
                disk.mkdir(target.parent, parents=True, exist_ok=True)
                disk.copy(path, target)

    def _in_copy(self, path: Path) -> Path:
        return self._place / self._name(path)

    def _name(self, path: Path) -> Path:
        return path.relative_to(self._etc)


def _look(path: str) -> Seen:
    try:
        found = os.stat(path)  # noqa: PTH116 - of a hundred, at each command
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_ctime_ns, found.st_size
