"""Copy the files of /etc that programs need to a folder.

Never show all of /etc: it contains private keys and passwords. Each mount makes every command
slower, so small files are copied to one folder, which is one mount. Large files are mounted over
their names in the copy. A run sees the files as they were when it was started or resumed.
"""

import contextlib
import os
import threading
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

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


def shown(network: bool, etc: Path = ETC) -> list[Path]:
    """Return the files and folders that programs need, whether or not they exist."""
    here = sorted(os.listdir(etc)) if etc.is_dir() else []  # noqa: PTH208 - a glob stats them all
    others = (name for name in here if any(fnmatchcase(name, like) for like in PATTERNS))
    return [etc / name for name in (*NAMES, *((OF_A_NETWORK,) if network else ()), *others)]


class EtcCopy:
    """A copy in a folder of the run that commands can't write to. The first command creates it."""

    def __init__(
        self, folder: Path, *, network: bool, within: Sequence[Path] = (), etc: Path = ETC
    ) -> None:
        """Prepare the copy. `within` lists folders of /etc that are mounted by other code."""
        self._etc = etc
        self._folder = folder
        self.network = network
        self._within = within
        self._large: list[Path] = []
        self._lock = threading.Lock()

    def mounts(self) -> list[tuple[Path, Path]]:
        """Return the sources and targets of the read-only mounts, in mount order."""
        with self._lock:
            if not self._folder.is_dir():
                with writing(self._folder):
                    self._make()
        large = ((path, ETC / path.relative_to(self._etc)) for path in self._large)
        return [(self._folder, ETC), *large]

    def remove(self) -> None:
        """Remove the copy while no command is running. The next command gets a new copy."""
        disk.remove_all(self._folder)  # no command has been at it

    def _make(self) -> None:
        self._large = []
        disk.mkdir(self._folder, parents=True)
        for path in shown(self.network, self._etc):
            below = list(islice(path.rglob("*"), MOST_NAMES + 1)) if path.is_dir() else []
            size = sum(one.lstat().st_size for one in below if one.is_file())
            if len(below) > MOST_NAMES or size > MOST_BYTES:
                self._large.append(path)
                continue
            for one in (path, *below):
                self._copy(one, is_inner=one != path)
        for folder in (*self._large, *self._within):
            disk.mkdir(self._in_copy(folder), parents=True, exist_ok=True)

    def _copy(self, path: Path, *, is_inner: bool) -> None:
        """Copy a file or folder. Links are resolved, except those inside a copied folder."""
        target = self._in_copy(path)
        if is_inner and path.is_symlink():
            disk.symlink(target, path.readlink())
        elif path.is_dir():
            disk.mkdir(target, parents=True, exist_ok=True)
        elif path.is_file():
            disk.mkdir(target.parent, parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError, PermissionError):  # nor can a command
                disk.copy(path, target)

    def _in_copy(self, path: Path) -> Path:
        return self._folder / path.relative_to(self._etc)
