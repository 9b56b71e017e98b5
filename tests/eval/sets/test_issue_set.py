from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import write
from made_repository import Repository
from refusals import refusal

from react_agent.errors import MachineError, UsageError
from react_agent.eval.sets.issue_set import read_set, write_set
from react_agent.eval.task import Instance

ONE = Instance("a-1", "owner/name", "a" * 40, problem="Wrong", fail_to_pass=("t.py::a",))
ROW = '{"instance_id": "%s", "repo": "%s", "base_commit": "%s", "problem_statement": "x"}\n'


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    made = Repository(tmp_path / "repository")
    made.make()
    return made.root, made.save({})


def test_reads_back_the_set_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    instances = (ONE, Instance("b", "https://example.org/b.git", "b" * 40, problem="\u2028 ü"))
    write_set(path, (ONE,))
    write_set(path, instances)
    assert read_set(str(path)) == instances
    assert list(tmp_path.iterdir()) == [path]
    gone = tmp_path / "gone" / "set.jsonl"
    line = f"can't write {gone}: No such file or directory"
    assert refusal(MachineError, write_set, gone, (ONE,)) == line


A = ROW % ("a", "o/n", "c")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\n", "there are no rows in {path}"),
        (f"{A}[1".encode(), "{path}: line 2: expected JSON, found '[1'"),
        ((ROW % ("A", "o/n", "c") + A).encode(), "{path}: line 2: a was there before: {path}: l"),
        (b"{}\n\xff", "{path}: line 2: expected text in UTF-8"),
        (b"PAR1\0\0", "{path} is in Parquet: write it as JSON lines (to_json(lines=True))"),
        ((ROW % ("a", "o/n", "HEAD")).encode(), "{path}: line 1: a base is needed, as o/n is"),
    ],
)
def test_a_bad_set_is_one_line(data: bytes, error: str, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(data)
    assert refusal(UsageError, read_set, str(path)).startswith(error.format(path=path))


@pytest.mark.parametrize(
    ("named", "error"),
    [
        ("a\0b", "there is no set 'a\\x00b'; the set `bundled` ships with react-agent"),
        ("a" * 300, f"the set {'a' * 300} can't be read: File name too long"),
        ("/dev/null", "the set /dev/null is neither a file nor a folder"),
    ],
    ids=("NUL", "long", "device"),
)
def test_what_is_no_set_is_one_line(named: str, error: str) -> None:
    assert refusal(UsageError, read_set, named) == error


def test_a_path_is_one_from_the_set_and_a_branch_is_what_it_is_now(
    repository: tuple[Path, str], tmp_path: Path
) -> None:
    place, commit = repository
    path = tmp_path / "sets" / "set.json"
    path.parent.mkdir()
    rows = [ROW % ("a", "../repository", "main"), ROW % ("b", "../repository", "gone")]
    path.write_text(f"[{','.join(rows)}]")
    assert read_set(str(path)) == (
        Instance("a", str(place), commit, problem="x"),
        Instance("b", str(place), "gone", problem="x"),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[dict[str, str]], str]:
    def made(files: dict[str, str]) -> str:
        place = tmp_path / "issues"
        place.mkdir()
        write(place, files)
        return str(place)

    return made


def test_a_folder_of_plain_issues_is_a_set(
    folder: Callable[[dict[str, str]], str], repository: tuple[Path, str]
) -> None:
    place, commit = repository
    files = {"12 rounding.md": "# Rounding\n\nIt is off.\n", "README.md": "How to", "x.txt": "no"}
    expected = Instance("12-rounding", str(place), commit, problem="# Rounding\n\nIt is off.")
    assert read_set(folder(files), place) == (expected,)


FRONT_MATTER = """\
---
title: Rounding
repo: owner/name
base: abc123
test:
  - tests/test_sum.py::test_half[1, 2]
  - tests/test_sum.py::test_zero
pass_to_pass: tests/test_sum.py::test_one
test command: python -m pytest -rA
install:
  - $VENV/bin/pip install .
  - make
python: "3.11"
patch: fix.diff
test_patch: tests.diff
---
It is off.
"""


def test_front_matter_says_what_a_row_would(folder: Callable[[dict[str, str]], str]) -> None:
    named = folder({"a.md": FRONT_MATTER, "fix.diff": "the fix\n", "tests.diff": "the tests\r\n"})
    assert read_set(named) == (
        Instance(
            "a",
            "owner/name",
            "abc123",
            problem="# Rounding\n\nIt is off.",
            patch="the fix\n",
            test_patch="the tests\r\n",
            fail_to_pass=("tests/test_sum.py::test_half[1, 2]", "tests/test_sum.py::test_zero"),
            pass_to_pass=("tests/test_sum.py::test_one",),
            install="$VENV/bin/pip install .\nmake",
            test_command="python -m pytest -rA",
            python="3.11",
        ),
    )


REPO = "---\nrepo: o/n\n"


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"README.md": "x"}, "there are no issues in Markdown in {place}"),
        ({"a.md": "# T\n"}, "{place}/a.md: line 1: expected OWNER/NAME, a path or a URL (or"),
        ({"a.md": f"{REPO}---\nx\n"}, "{place}/a.md: a base is needed, as o/n is elsewhere"),
        ({"a.md": f"{REPO}patch: ../../x\n---\nx\n"}, "{place}/a.md: ../../x is outside its"),
        ({"a.md": f"{REPO}patch: gone\n---\nx\n"}, "{place}/gone can't be read: No such file"),
        ({"a.md": f"{REPO}patch: a\0b\n---\nx\n"}, "{place}/a\ufffdb can't be read: No such file"),
        ({"a.md": f"{REPO}base: x\n---\n\n"}, "{place}/a.md: line 1: expected a text as problem"),
    ],
)
def test_a_bad_folder_is_one_line(
    files: dict[str, str], error: str, folder: Callable[[dict[str, str]], str]
) -> None:
    place = folder(files)
    assert refusal(UsageError, read_set, place).startswith(error.format(place=place))
