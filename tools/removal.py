"""Removing folders that commands have been at: read-only, deep, half gone."""

from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.shell import process

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
PATIENCE_S = 300.0
_GITS = ("(", "-name", ".git*", "-o", "-path", "*/.git/*", ")")


def remove_tree(folder: Path) -> None:
    """Remove a folder and all below it, or a file, following no link; gone already is fine."""
    if folder.is_symlink():
        disk.unlink(folder)
    if not folder.exists():
        return
    if _remove(folder).code:
        open_up(folder)
        left = _remove(folder)
        if left.code:
            complaint = left.output.decode(errors="replace").partition("\n")[0]
            raise WorkspaceError(f"{folder} can't be removed; {complaint}")


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


def _remove(folder: Path) -> process.Done:
    # rm, not shutil.rmtree: that gives up on a thousand nested folders
    return process.run(
        ["rm", "-rf", str(folder.absolute())],
        cwd=folder.parent,
        env=ENVIRONMENT,
        timeout_s=PATIENCE_S,
    )
