"""Files and lines that an issue points to, as they are in the repository."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from react_agent.parsers.issue.clues import Named
from react_agent.parsers.issue.places import Frame, PathEnds
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools.files.file_list import folders_of
from react_agent.tools.files.paths import Place, Refused, open_inside

_MOST_BYTES = 1_000_000  # of a file whose lines are looked at
_MEANT = 3  # files that one path may mean
_FRAMES = 300  # that are looked for
_INTERPRETERS = LatePattern(r".*/lib(?:64)?/python[\d.]+/(?!site-packages/|dist-packages/)")
_CHANGED = "that line has changed"

Lines = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class NamedFile:
    name: str  # as the issue writes it
    paths: tuple[str, ...]  # what it means
    alike: tuple[str, ...] = ()  # files of that name, where it means none


@dataclass(frozen=True, slots=True)
class PlaceHere:
    path: str
    line: int  # as it is now, where that is known
    name: str = ""
    note: str = ""


def lines_in(root: Path) -> Lines:
    """Of a file of the work tree; none of one that can't be read."""

    @lru_cache(64)
    def lines(path: str) -> Sequence[str]:
        opened = open_inside(Place(root, path))
        if isinstance(opened, Refused):
            return ()
        with opened:
            data = opened.read(_MOST_BYTES)
        return () if b"\0" in data else data.decode(errors="replace").split("\n")

    return lines


def named_files(names: Iterable[Named], ends: PathEnds) -> Iterator[NamedFile]:
    """Those that mean something here, and those that surely mean to."""
    folders = folders_of(ends.files)
    seen = set[tuple[str, ...]]()
    for one in names:
        paths = _meant(one.text, ends, folders)
        alike = ends.named(one.text.rpartition("/")[2])
        if (paths and paths not in seen) or (not paths and one.is_sure):
            seen.add(paths)
            yield NamedFile(one.text, paths, () if paths or len(alike) >= _MEANT else alike)


def _meant(name: str, ends: PathEnds, folders: set[str]) -> tuple[str, ...]:
    bare = name.removesuffix("/")
    if bare in folders:
        return (f"{bare}/",)
    found = ends.of(bare)
    if not found and "/" in bare:
        alike, length = ends.alike(bare)
        found = alike if length > 1 else ()
    return found if len(found) <= _MEANT else ()


def modules(names: Iterable[Named], ends: PathEnds) -> Iterator[NamedFile]:
    """Dotted names that are modules of Python."""
    for one in names:
        stem = one.text.replace(".", "/")
        for path in (f"{stem}.py", f"{stem}/__init__.py") if "/" in stem else ():
            found = ends.of(path)
            if len(found) == 1 and f"/{found[0]}".endswith(f"/{path}"):
                yield NamedFile(one.text, found)


def places_here(frames: Sequence[Frame], ends: PathEnds, lines: Lines) -> Iterator[PlaceHere]:
    """Of the frames that are of this repository."""
    for frame in frames[-_FRAMES:]:
        found = [here for path in _candidates(frame, ends) if (here := _here(frame, path, lines))]
        certain = [here for here in found if here.note != _CHANGED] if frame.code else found
        if len(found) == 1 or len(certain) == 1:
            yield (certain or found)[0]


def _candidates(frame: Frame, ends: PathEnds) -> tuple[str, ...]:
    """Of a path from another machine, two names have to be the same, or all that it has."""
    exact = ends.of(frame.path) if not frame.path.startswith(("/", "..")) else ()
    if exact or "/" not in frame.path:
        return exact[:_MEANT]
    alike, length = ends.alike(frame.path)
    is_theirs = _INTERPRETERS.match(frame.path) is not None
    return alike[:_MEANT] if length > 1 and not (is_theirs and not frame.code) else ()


def _here(frame: Frame, path: str, lines: Lines) -> PlaceHere | None:
    text = lines(path)
    is_theirs = _INTERPRETERS.match(frame.path) is not None
    if not frame.code:
        note = "" if 0 < frame.line <= len(text) else f"it has {len(text)} lines now"
        return PlaceHere(path, frame.line, frame.name, note)
    now = nearest(frame.code, frame.line, text)
    if now is None:
        return None if is_theirs else PlaceHere(path, frame.line, frame.name, _CHANGED)
    return PlaceHere(path, now, frame.name, "" if now == frame.line else f"was line {frame.line}")


def nearest(code: str, line: int, text: Sequence[str]) -> int | None:
    """The line that says this, nearest to where it was."""
    found = [number for number, one in enumerate(text, 1) if one.strip() == code]
    return min(found, key=lambda number: abs(number - line), default=None)
