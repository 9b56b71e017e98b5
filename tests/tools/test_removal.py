import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import WorkspaceError

STARTED: list[list[str]] = []


def _note(event: str, args: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen":
        STARTED.append(list(args[1]))


@pytest.fixture(scope="session")
def noted() -> None:
    sys.addaudithook(_note)  # for good: none can be taken away


@pytest.fixture
def started(noted: None) -> list[list[str]]:
    """The argv of each process that a test starts."""
    STARTED.clear()
    return STARTED


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
    (tmp_path / "file").write_text("text")
    remove_tree(folder, tmp_path / "other", tmp_path / "gone", tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
    assert kept.stat().st_mode & 0o777 == 0o500


def test_a_folder_that_is_gone_is_removed(tmp_path: Path) -> None:
    remove_tree(tmp_path / "gone")


def test_files_need_no_process_and_several_folders_one(
    tmp_path: Path, started: list[list[str]]
) -> None:
    places = [tmp_path / name for name in ("file", "one", "two")]
    places[0].write_text("text")
    remove_tree(places[0])
    assert started == []
    for folder in places[1:]:
        (folder / "inner").mkdir(parents=True)
    remove_tree(*places)
    assert started == [["rm", "-rf", *map(str, places[1:])]]
    assert list(tmp_path.iterdir()) == []


def test_what_can_not_be_removed_is_said(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    itself = tmp_path / "inner" / ".."
    with pytest.raises(WorkspaceError) as caught:
        remove_tree(itself)
    assert str(caught.value).startswith(f"{itself} can't be removed; rm: ")
