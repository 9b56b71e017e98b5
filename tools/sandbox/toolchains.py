"""The folders that programs on PATH need: bound read-only, and none of them holds a password."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.sandbox.bubblewrap import SYSTEM
from react_agent.tools.shell.environment import TOOLCHAINS

NAMED = ("VIRTUAL_ENV", "CONDA_PREFIX", "GOROOT", "JAVA_HOME", *TOOLCHAINS)
PROGRAMS = ("bin", "sbin", "shims", "condabin", "Scripts")
# Below a home. A folder that is one of these, or is above one, is never bound as a whole.
SECRET = (
    *(".ssh", ".aws", ".azure", ".config", ".docker", ".gnupg", ".kube", ".netrc", ".npmrc"),
    *(".git-credentials", ".gitconfig", ".pypirc", ".password-store", ".mozilla", ".terraform.d"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml"),
    *(".gradle/gradle.properties", ".local/share/keyrings", ".local/state", ".cache"),
)
HOMES = Path("/home")
MOST_LINKS = 2_000  # in one folder of programs
MOST_HOPS = 8


@dataclass(frozen=True, slots=True)
class _Home:
    place: Path
    secret: frozenset[Path]  # what is not to be seen of it, and where that leads to


def folders(environment: Mapping[str, str], users_home: Path) -> tuple[Path, ...]:
    """What the programs that this environment names are made of, beside the system's own."""
    path = environment.get("PATH", "").split(os.pathsep)
    on_path = [Path(folder) for folder in path if Path(folder).is_absolute()]
    named = [Path(environment[name]) for name in NAMED if environment.get(name)]
    home, found = _home(users_home), list[Path]()
    for folder in (*named, *on_path, *(place / "bin" for place in named)):
        with contextlib.suppress(OSError):  # not ours to read
            _find(folder, home, found)
    return _outermost(found)


def _home(place: Path) -> _Home:
    secret = (place, *(place / name for name in SECRET))
    return _Home(place, frozenset((*secret, *(one.resolve() for one in secret))))


def _find(folder: Path, home: _Home, found: list[Path]) -> None:
    if (
        _is_system(folder)
        or not folder.is_absolute()
        or not (os.access(folder, os.R_OK) and os.access(folder, os.X_OK))
    ):
        return
    for needed in (folder, *_base(folder.parent), *_behind(folder)):
        for place in (needed, needed.resolve()):
            whole = _whole(place, home)
            if whole is not None and whole not in found:
                found.append(whole)


def _whole(place: Path, home: _Home) -> Path | None:
    """The installation that a folder of programs is a part of, or that folder alone, or nothing."""
    wider = (place.parent, place) if place.name in PROGRAMS else (place,)
    for folder in wider:
        if not _is_system(folder) and folder.is_dir() and _may_be_seen(folder, home):
            return folder
    return None


def _may_be_seen(folder: Path, home: _Home) -> bool:
    if len(folder.parts) <= 2 or folder.parent in (HOMES, home.place.parent):
        return False
    return not any(
        secret.is_relative_to(seen) for seen in {folder, folder.resolve()} for secret in home.secret
    )


def _behind(folder: Path) -> Iterator[Path]:
    """The folders of programs that links in this one lead to."""
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


def _outermost(found: list[Path]) -> tuple[Path, ...]:
    kept: list[Path] = []
    for folder in sorted(found):
        if not any(folder.is_relative_to(other) for other in kept):
            kept.append(folder)
    return tuple(kept)
