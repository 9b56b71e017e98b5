from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git, write

from react_agent.tools.context import Context
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.observation import Observation, Status


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    code = ("src/app/main.py", "src/app/views/home.py", "src/app/views/user.py", "src/dates.py")
    files = {".gitignore": b"*.log\nbuild/\n", "README.md": b"x" * 1234}
    root = planted(files | dict.fromkeys((*code, "build/out.bin", "run.log"), b""))
    (root / "src" / "new.py").write_text("new")
    return root


def listed(root: Path, text: str) -> Observation:
    return LIST_FILES.call(text, Context(root))


def test_what_is_not_a_plain_file_is_said(root: Path) -> None:
    plain_git(root, "init", "--quiet", "src/app/views/inner")
    (root / "src/app/views/inner/x").touch()
    (root / "src/app/views/link").symlink_to("no\nfile")
    (root / "src/app/views/two\nlines").touch()
    (root / "src/app/views/user.py").unlink()
    (root / "views").symlink_to("src/app/views")
    assert listed(root, "views") == Observation(
        "src/app/views holds 4 files\nhome.py 0 B\n"
        "inner/ (a repository of its own, not searched)\nlink -> no\\nfile\ntwo\\nlines 0 B"
    )


def test_a_submodule_is_no_empty_folder(root: Path) -> None:
    plain_git(root, "init", "--quiet", "inner")
    plain_git(root / "inner", "commit", "--quiet", "--allow-empty", "-m", "one")
    plain_git(root, "add", "inner")
    said = "inner is a repository of its own (a submodule): its files are not here"
    assert listed(root, "inner") == Observation(said, Status.EMPTY)


def test_a_folder_without_files(root: Path) -> None:
    (root / "empty").mkdir()
    write(root, {"logs/x.log": ""})
    assert [listed(root, "empty"), listed(root, "logs")] == [
        Observation("empty holds no files", Status.EMPTY),
        Observation("logs holds no files; not counted: 1 ignored entry (logs/x.log)", Status.EMPTY),
    ]


def test_a_folder_that_git_ignores(root: Path) -> None:
    write(root, {"build/lib/x.py": ""})
    for name in ("build", "build/lib"):
        said = f"git ignores {name}: its files are not listed"
        assert listed(root, name) == Observation(said, Status.EMPTY)
