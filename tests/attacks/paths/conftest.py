"""A work tree, with things outside of it that nobody is to reach."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git, write

SECRET = "what nobody may read"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work" / "tree"
    plain_git(tmp_path, "init", "--quiet", str(root))
    config = f"[user]\n\tname = {SECRET}\n"
    write(root, {"src/x.txt": "one\ntwo\nthree\n", ".git/config": config})
    write(tmp_path, {"secret": f"{SECRET}\n", "outside/x.txt": f"one\ntwo\n{SECRET}\n"})
    return root


@pytest.fixture
def outside(tmp_path: Path, root: Path) -> Callable[[], dict[str, tuple[int, bytes | str]]]:
    """Everything but the files of the work tree: its .git and what lies beside it."""

    def seen() -> dict[str, tuple[int, bytes | str]]:
        found = dict[str, tuple[int, bytes | str]]()
        for place in sorted(tmp_path.rglob("*")):
            if place.is_relative_to(root) and not place.is_relative_to(root / ".git"):
                continue
            mode = place.lstat().st_mode
            held = str(place.readlink()) if place.is_symlink() else b""
            found[os.fspath(place.relative_to(tmp_path))] = (
                mode,
                place.read_bytes() if place.is_file() and not place.is_symlink() else held,
            )
        return found

    return seen
