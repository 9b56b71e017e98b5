"""Find the folders that programs on PATH need, to bind them read-only. None contains passwords."""

import contextlib
import os
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.sandbox.bubblewrap import SYSTEM
from react_agent.tools.shell.environment import TOOLCHAINS

NAMED = ("VIRTUAL_ENV", "CONDA_PREFIX", "GOROOT", "JAVA_HOME", *TOOLCHAINS)
PROGRAMS = ("bin", "sbin", "shims", "condabin", "Scripts")
# Paths below a home. A folder that is or contains one of these is never bound as a whole.
SECRET = (
    *(".ssh", ".aws", ".azure", ".config", ".docker", ".gnupg", ".kube", ".netrc", ".npmrc"),
    *(".git-credentials", ".gitconfig", ".pypirc", ".password-store", ".mozilla", ".terraform.d"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml"),
    *(".gradle/gradle.properties", ".local/share/keyrings", ".local/state", ".cache"),
)
HOMES = Path("/home")
MOST_LINKS = 2_000  # in one folder of programs
MOST_HOPS = 8
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")


def folders(environment: Mapping[str, str], users_home: Path) -> tuple[Path, ...]:
    """Return the folders that programs need in this environment, except the system folders."""
    on_path = map(Path, environment.get("PATH", "").split(os.pathsep))
    named = [Path(environment[name]) for name in NAMED if environment.get(name)]
    secret, found = {users_home, *(users_home / name for name in SECRET)}, set[Path]()
    secret |= {Path(os.path.realpath(one)) for one in secret}
    for folder in (*named, *on_path, *(place / "bin" for place in named)):
        with contextlib.suppress(OSError):  # not ours to read
            for needed in _needed(folder):
                wider = (needed.parent, needed) if needed.name in PROGRAMS else (needed,)
                # the installation that it is a part of, or that folder alone, or nothing
                may_be_seen = (one for one in wider if _may_be_seen(one, users_home, secret))
                found.update(islice(may_be_seen, 1))
    return tuple(sorted(found))


def of_python(prefix: Path, users_home: Path) -> tuple[Path, ...]:
    """Return the folders that a virtual environment needs, as far as each of them has a Python.

    The environment may be a part of the repository. Its settings and links then name any folder.
    """
    return tuple(filter(_has_python, folders({"VIRTUAL_ENV": str(prefix)}, users_home)))


def _has_python(folder: Path) -> bool:
    for place in (folder, folder / "bin"):
        with contextlib.suppress(OSError):  # not there, or not ours to read
            if any(map(_is_python, disk.entries(place))):
                return True
    return False


def _is_python(entry: os.DirEntry[str]) -> bool:
    is_named = _PYTHON.fullmatch(entry.name) is not None
    return is_named and entry.is_file() and os.access(entry.path, os.X_OK)


def _needed(folder: Path) -> Iterator[Path]:
    is_open = os.access(folder, os.R_OK | os.X_OK)
    if folder.is_absolute() and is_open and not _is_system(folder):
        for needed in (folder, *_base(folder.parent), *_behind(folder)):
            yield from (needed, Path(os.path.realpath(needed)))


def _may_be_seen(folder: Path, users_home: Path, secret: Collection[Path]) -> bool:
    if _is_system(folder) or not folder.is_dir():
        return False
    if len(folder.parts) <= 2 or folder.parent in (HOMES, users_home.parent):
        return False
    seen = {folder, Path(os.path.realpath(folder))}
    return not any(hidden.is_relative_to(one) for one in seen for hidden in secret)


def _behind(folder: Path) -> Iterator[Path]:
    """Yield the program folders that the links in this folder point to."""
    if not folder.is_dir():
        return
    entries = islice(disk.entries(folder), MOST_LINKS)
    links = [Path(entry) for entry in entries if entry.is_symlink()]
    targets = {hop.parent for link in links for hop in _hops(link)}
    yield from sorted(target for target in targets if target.name in PROGRAMS)


def _hops(link: Path) -> Iterator[Path]:
    for _ in range(MOST_HOPS):
        if not link.is_symlink():
            return
        link = Path(os.path.normpath(link.parent / link.readlink()))
        yield link


def _base(prefix: Path) -> Iterator[Path]:
    settings = prefix / "pyvenv.cfg"
    if not settings.is_file():
        return
    for line in disk.read_text(settings, errors="replace").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "home" and Path(value.strip()).is_absolute():
            yield Path(value.strip())


def _is_system(folder: Path) -> bool:
    return any(folder.is_relative_to(place) for place in SYSTEM)
