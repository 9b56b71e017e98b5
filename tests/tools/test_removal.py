import subprocess
import sys
from pathlib import Path

import pytest

from react_agent.tools.errors import WorkspaceError
from react_agent.tools.removal import remove_tree


def test_a_folder_that_resists_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "inner" / "file").write_text("text")
    (folder / "closed" / "inner").chmod(0o500)
    (folder / "closed").chmod(0o000)
    remove_tree(folder)
    assert not folder.exists()


def test_a_very_deep_folder_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    script = "import os\nfor _ in range(3000):\n    os.mkdir('deeper')\n    os.chdir('deeper')"
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)
    remove_tree(folder)
    assert not folder.exists()


def test_what_a_link_points_to_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    kept.chmod(0o500)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(kept)
    (tmp_path / "other").symlink_to(kept)
    remove_tree(folder)
    remove_tree(tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
    assert kept.stat().st_mode & 0o777 == 0o500


def test_a_folder_that_is_gone_is_removed(tmp_path: Path) -> None:
    remove_tree(tmp_path / "gone")


def test_what_can_not_be_removed_is_said(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    itself = tmp_path / "inner" / ".."
    with pytest.raises(WorkspaceError) as caught:
        remove_tree(itself)
    assert str(caught.value).startswith(f"{itself} can't be removed; rm: ")
