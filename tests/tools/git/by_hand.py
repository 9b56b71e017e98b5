"""git and files as their user has them, and what is seen of a work tree from outside."""

import contextlib
import os
import resource
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

HOOKS = (
    *("applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout"),
    *("post-commit", "post-index-change", "post-merge", "post-rewrite", "post-update"),
    *("pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-receive"),
    *("prepare-commit-msg", "proc-receive", "push-to-checkout", "reference-transaction", "update"),
)


def plain_git(folder: Path, *args: str, given: str = "", check: bool = True) -> str:
    """What git says that a user calls, with whatever a repository's configuration starts."""
    done = subprocess.run(
        ["git", *args], cwd=folder, check=check, capture_output=True, text=True, input=given
    )
    return done.stdout.removesuffix("\n")


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Files by their names, with the folders that they are in."""
    for name, held in files.items():
        data = held if isinstance(held, bytes) else held.encode(errors="surrogateescape")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def program(path: Path, text: str) -> None:
    """A script that can be started, in a folder that is made."""
    write(path.parent, {path.name: text})
    path.chmod(0o755)


def save(folder: Path, files: Mapping[str, str | bytes]) -> str:
    """Write files and commit them; the id of the commit."""
    write(folder, files)
    plain_git(folder, "add", "--all")
    plain_git(folder, "commit", "--quiet", "-m", f"Save {' and '.join(files)}")
    return plain_git(folder, "rev-parse", "HEAD")


def snapshot(root: Path) -> dict[str, tuple[str, bytes]]:
    """Every file of a work tree by its name: its kind, and its bytes or where it points."""
    found = {}
    for folder, folders, files in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for path in (Path(folder, name) for name in (*folders, *files)):
            name = str(path.relative_to(root))
            if path.is_symlink():
                found[name] = ("link", os.fsencode(path.readlink()))
            elif path.is_file():
                kind = "program" if path.stat().st_mode & 0o100 else "file"
                found[name] = (kind, path.read_bytes())
    return found


def files(root: Path) -> dict[str, bytes]:
    """What the files of a work tree hold, by name."""
    found = sorted(path for path in root.rglob("*") if ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found if path.is_file()}


@contextlib.contextmanager
def files_of_at_most(most: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def still_ticks(folder: Path) -> bool:
    """Whether some process goes on writing to the file `ticks` of a folder."""
    for _ in range(4):  # what has been killed may have a last word where the machine is busy
        before = (folder / "ticks").read_bytes()
        time.sleep(0.15)
        if (folder / "ticks").read_bytes() == before:
            return False
    return True
