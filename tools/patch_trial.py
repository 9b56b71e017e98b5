"""What git makes of a patch, tried on copies of the files it is about."""

import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from react_agent.tools.edit import Files, FileState
from react_agent.tools.git import work_tree

_APPLY = ("apply", "--whitespace=nowarn", "-p1", "-")
_EXECUTABLE = 0o111
_ATTRIBUTES = ".gitattributes"


def tried(patch: bytes, before: Files, root: Path) -> Files | str:
    """The files behind the patch, or git's first line of complaint."""
    with tempfile.TemporaryDirectory(prefix="react-agent-patch-") as folder:
        copies = Path(folder)
        for name, state in before.items():
            if state is not None:
                _copy(copies / name, state)
        _copy_attributes(root, copies, list(before))
        answer = work_tree(copies).having(GIT_DIR=f"{root}/.git").ask(*_APPLY, stdin=patch)
        if answer.code:
            return _first_line(answer.err)
        return {name: _result(copies / name, state) for name, state in before.items()}


def _copy(place: Path, state: FileState) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(state.data)
    if _is_executable(state.mode):
        place.chmod(place.stat().st_mode | _EXECUTABLE)


def _copy_attributes(root: Path, copies: Path, names: Sequence[str]) -> None:
    """They say how git is to take the ends of lines."""
    folders = {folder for name in names for folder in PurePosixPath(name).parents}
    for folder in folders:
        original = root / folder / _ATTRIBUTES
        copy = copies / folder / _ATTRIBUTES
        if original.is_file() and not original.is_symlink() and not copy.exists():
            _copy(copy, FileState(original.read_bytes()))


def _result(place: Path, old: FileState | None) -> FileState | None:
    if not place.is_file():
        return None
    mode = place.stat().st_mode & 0o777
    is_same = old is not None and _is_executable(old.mode) == _is_executable(mode)
    return FileState(place.read_bytes(), old.mode if old and is_same else mode)


def _is_executable(mode: int | None) -> bool:
    return bool((mode or 0) & 0o100)


def _first_line(complaint: str) -> str:
    return complaint.strip().split("\n")[0].removeprefix("error: ").removeprefix("fatal: ")
