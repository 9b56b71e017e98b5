"""Removing folders that commands have been at: read-only, deep, half gone."""

from collections.abc import Sequence
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.shell import process

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
PATIENCE_S = 300.0
_GITS = ("(", "-name", ".git*", "-o", "-path", "*/.git/*", ")")


def remove_tree(*places: Path) -> None:
    """Remove folders and all below them, or files, following no link; gone already is fine."""
    left = [place for place in places if not _is_unlinked(place) and place.exists()]
    if not left or not _remove(left).code:
        return
    left = [place for place in left if place.exists()]
    for place in left:
        if not place.is_symlink():
            open_up(place)
    failed = _remove(left)
    if failed.code:
        complaint = failed.output.decode(errors="replace").partition("\n")[0]
        raise WorkspaceError(f"{', '.join(map(str, left))} can't be removed; {complaint}")


def _is_unlinked(place: Path) -> bool:
    if not place.is_symlink() and not place.is_file():
        return False
    try:
        disk.unlink(place)
    except OSError:
        return False
    return True


def open_up(folder: Path) -> None:
    """Let us read and write everything below a folder again."""
    process.run(
        ["chmod", "-R", "u+rwX", str(folder.absolute())],
        cwd=folder.parent,
        env=ENVIRONMENT,
        timeout_s=PATIENCE_S,
    )


def remove_pipes(folder: Path) -> None:
    """Those that git would wait at: it opens its own files in a work tree, whatever they are."""
    process.run(
        ["find", str(folder.absolute()), "-type", "p", *_GITS, "-delete"],
        cwd=folder.parent,
        env=ENVIRONMENT,
        timeout_s=PATIENCE_S,
    )


def _remove(folders: Sequence[Path]) -> process.Done:
    # rm, not shutil.rmtree: that gives up on a thousand nested folders
    return process.run(
        ["rm", "-rf", *(str(folder.absolute()) for folder in folders)],
        cwd=Path("/"),
        env=ENVIRONMENT,
        timeout_s=PATIENCE_S,
    )
