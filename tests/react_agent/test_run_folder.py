"""Where a run lies, and how it is found again."""

import os
from pathlib import Path

import pytest
from check_rows import table_of
from refusals import refusal

from react_agent.errors import MachineError, UsageError
from react_agent.runs.run_folder import RunFolder, create, every, find, write_whole


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("2026-01-01-one-aa", "2026-01-01-one-aabb", "2026-01-02-two-cc", "3", "31", "32"):
        create(tmp_path / "runs", name).transcript.touch()
    create(tmp_path / "runs" / "2026-01-02-two-cc" / "sub", "003").transcript.touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "transcript.txt").touch()
    (tmp_path / "elsewhere" / "cut.txt").touch()
    return tmp_path / "runs"


@table_of(
    ("named", "folder", "name"),
    {
        "start": ("2026-01-02", "runs/2026-01-02-two-cc", "transcript.txt"),
        "name and start": ("2026-01-01-one-aa", "runs/2026-01-01-one-aa", "transcript.txt"),
        "a sub-agent of it": (
            "2026-01-02/sub/003",
            "runs/2026-01-02-two-cc/sub/003",
            "transcript.txt",
        ),
        "folder": ("elsewhere", "elsewhere", "transcript.txt"),
        "file of another name": ("elsewhere/cut.txt", "elsewhere", "cut.txt"),
    },
)
def test_finds(runs: Path, tmp_path: Path, named: str, folder: str, name: str) -> None:
    found = find(runs, named)
    assert found == RunFolder(tmp_path / folder, name)
    assert found.transcript == tmp_path / folder / name


def test_the_last_is_the_one_that_was_added_to_last(runs: Path) -> None:
    older = find(runs, "2026-01-02")
    for at, run in enumerate(sorted(runs.iterdir())):
        os.utime(run / "transcript.txt", (at, at))
    os.utime(older.transcript, (99, 99))
    assert find(runs, "last") == older
    assert find(runs, "last/sub/003") == find(runs, "2026-01-02/sub/003")


def test_what_is_left_of_a_removed_run_is_not_the_last(runs: Path) -> None:
    left = create(runs, ".removed-2026-01-03-three-dd")
    left.transcript.touch()
    os.utime(left.transcript, (9e9, 9e9))
    assert left not in every(runs)
    assert find(runs, "last") in every(runs)


@table_of(
    ("named", "line"),
    [
        ("2026-01-02/sub/4", "the run 2026-01-02 has no sub/4"),
        ("2026-01-01", "2 runs begin with '2026-01-01': 2026-01-01-one-aa, 2026-01-01-one-aabb"),
        (
            "2026",
            "3 runs begin with '2026': 2026-01-01-one-aa, 2026-01-01-one-aabb, 2026-01-02-two-cc",
        ),
    ],
)
def test_does_not_guess(runs: Path, named: str, line: str) -> None:
    assert refusal(UsageError, find, runs, named) == line


def test_names_only_some_of_many(tmp_path: Path) -> None:
    for name in "abcde":
        create(tmp_path, f"x{name}")
    with pytest.raises(UsageError, match=r"^5 runs begin with 'x': xa, xb, xc, \.\.\.$"):
        find(tmp_path, "x")


def test_no_run_takes_the_place_of_another(tmp_path: Path) -> None:
    assert create(tmp_path, "run").path.stat().st_mode & 0o777 == 0o700
    with pytest.raises(MachineError, match=rf"^can't make {tmp_path}/run: File exists$"):
        create(tmp_path, "run")


def test_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"two", [path])
    (tmp_path / "taken").mkdir()
    with pytest.raises(MachineError, match=rf"^can't write {tmp_path}/taken: Is a directory$"):
        write_whole(tmp_path / "taken", b"three")
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "taken"]
