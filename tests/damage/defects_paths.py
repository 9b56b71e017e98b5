"""The lines above the hunks: names of files and what git writes about them."""

from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random

from draft import Draft, File
from row import Damage, Defect, Kind, Told, yes


def _no_git_line(draft: Draft, rng: Random) -> Told:
    """And none of the lines below it, but the names of what is renamed."""
    fit = [file for file in draft.files if file.hunks]
    for file in fit:
        file.has_git_line = False
        file.index = ""
    return Told.YES if fit else Told.UNFIT


def _made_up_index(draft: Draft, rng: Random) -> Told:
    for file in draft.files:
        blobs = f"{rng.randrange(16**7):07x}..{rng.randrange(16**7):07x}"
        file.index = f"index {blobs}{rng.choice(('', ' 100644'))}"
    return Told.YES


def _renamed(change: Callable[[str, Random], str], is_found: bool = True) -> Damage:
    """Both names of files that are there, or only those that can be found by the last part."""

    def damage(draft: Draft, rng: Random) -> Told:
        fit = [file for file in draft.files if file.is_plain and file.hunks]
        for file in fit:
            old = change(file.old or "", rng)
            file.said_old, file.said_new = f"a/{old}", f"b/{old}"
            file.has_git_line = False
        return yes(is_found and all(_is_only(draft, file) for file in fit)) if fit else Told.UNFIT

    return damage


def _is_only(draft: Draft, file: File) -> bool:
    name = PurePosixPath(file.old or "").name
    return sum(PurePosixPath(path).name == name for path in draft.before) == 1


def _written(form: Callable[[str, str], str]) -> Damage:
    """Of files that are there: what would a new one be called?"""

    def damage(draft: Draft, rng: Random) -> Told:
        fit = [file for file in draft.files if file.hunks and file.old and not file.is_moved]
        for file in fit:
            file.said_old = form("a/", file.old) if file.old else file.said_old
            file.said_new = form("b/", file.new) if file.new else file.said_new
            file.has_git_line = file.has_git_line and not file.is_plain
        return Told.YES if fit else Told.UNFIT

    return damage


def _other_folder(name: str, rng: Random) -> str:
    folder = rng.choice(("source", "pkg/deep", "library"))
    return f"{folder}/{PurePosixPath(name).name}"


def _unknown(name: str, rng: Random) -> str:
    return f"{rng.choice(('app', 'srv'))}/unheard_of_{rng.randrange(900)}.py"


_PREFIX = "prefix"
PATHS = (
    Defect("no `diff --git` line", _no_git_line, 1904),
    Defect("made-up `index` line", _made_up_index, 336),
    Defect("path in another folder", _renamed(_other_folder), 13, Kind.DEPENDS, group=_PREFIX),
    Defect(
        "path with a folder too many",
        _renamed(lambda name, rng: f"project/{name}"),
        13,
        Kind.DEPENDS,
        group=_PREFIX,
    ),
    Defect(
        "path in the wrong case",
        _renamed(lambda name, rng: name[0].upper() + name[1:]),
        kind=Kind.DEPENDS,
        group=_PREFIX,
    ),
    Defect("path of no file", _renamed(_unknown, is_found=False), 119, Kind.LOSING, group=_PREFIX),
    Defect("path without `a/` and `b/`", _written(lambda _, name: name), 336, group=_PREFIX),
    Defect(
        "absolute path", _written(lambda _, name: f"/home/user/project/{name}"), 13, group=_PREFIX
    ),
    Defect("path below `./`", _written(lambda _, name: f"./{name}"), group=_PREFIX),
    Defect(
        "path below `old/`, `new/`",
        _written(lambda mark, name: {"a/": "old/", "b/": "new/"}[mark] + name),
        group=_PREFIX,
    ),
    Defect(
        "time behind the path",
        _written(lambda mark, name: f"{mark}{name}\t2024-05-01 10:00:00.000000000 +0200"),
        group=_PREFIX,
    ),
)
