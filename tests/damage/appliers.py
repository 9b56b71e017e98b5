"""What each tool makes of a patch: the files behind it, or nothing where it refuses."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from react_agent.parsers.patch import Refused, repair
from react_agent.parsers.patch.changes import Result

Tree = Mapping[str, str]
Applier = Callable[[str, Tree], "Tree | None"]

GIT = ("git", "apply", "--whitespace=nowarn")
RECOUNT = (*GIT, "--recount", "--ignore-whitespace")
# It writes what fits: where a hunk failed, this is counted as a refusal.
PATCH = ("patch", "--fuzz=5", "--batch", "--no-backup-if-mismatch", "-r", "-", "-s")
_FENCED = re.compile(r"^`{3,}[^\n]*\n(.*?)(?:^`{3,}[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def ours(patch: str, tree: Tree) -> Tree | None:
    done = repair(patch, tree)
    return None if isinstance(done, Refused) else files_behind(done.results, tree)


def files_behind(results: Iterable[Result], tree: Tree) -> Tree:
    after = dict(tree)
    for result in results:
        if result.old is not None and result.old != result.new:
            after.pop(result.old, None)
        if result.new is not None:
            after[result.new] = result.text or ""
    return after


def by_command(*command: str) -> Applier:
    """With the strip level that its paths ask for."""

    def applied(patch: str, tree: Tree) -> Tree | None:
        level = "-p1" if re.search(r"^--- (a/|old/|/)", patch, re.MULTILINE) else "-p0"
        return _applied((*command, level), patch, tree)

    return applied


def unfenced(patch: str) -> str:
    """What anybody would do before calling git: the last fenced part, without its fence."""
    fenced = _FENCED.findall(patch)
    return fenced[-1] if fenced else patch


def _applied(command: tuple[str, ...], patch: str, tree: Tree) -> Tree | None:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder = Path(name)
        for path, text in tree.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(_bytes(text))
        settings = {"GIT_CEILING_DIRECTORIES": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            command, cwd=folder, input=_bytes(patch), capture_output=True, env=os.environ | settings
        )
        return _read(folder) if done.returncode == 0 else None


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _read(folder: Path) -> Tree:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="surrogateescape")
        for path in paths
        if path.suffix != ".orig"
    }
