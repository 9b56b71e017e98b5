"""A work tree, with things outside of it that nobody is to reach."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SECRET = "what nobody may read"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work" / "tree"
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    (root / "src").mkdir()
    (root / "src" / "x.txt").write_text("one\ntwo\nthree\n")
    (root / ".git" / "config").write_text(f"[user]\n\tname = {SECRET}\n")
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.txt").write_text(f"one\ntwo\n{SECRET}\n")
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
