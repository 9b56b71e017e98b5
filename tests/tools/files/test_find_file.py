from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.find_file import FIND_FILE
from react_agent.tools.observation import Observation, Status, failed


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    names = ("src/date_util.py", "src/cli.py", "tests/cli.py", "gone.py", "out/x.log")
    root = planted({".gitignore": b"*.log\n", **dict.fromkeys(names, b"")})
    (root / "gone.py").unlink()
    return root


def found(root: Path, text: str, limits: Limits | None = None) -> Observation:
    return FIND_FILE.call(text, Context(root, limits or Limits()))


HERE = "4 files and 2 folders"


@table_of(
    ("text", "expected"),
    [
        pytest.param("cli.py", f"cli.py: 2 of {HERE}\nsrc/cli.py\ntests/cli.py", id="name"),
        pytest.param("SRC", f"SRC: 1 of {HERE}\n[1 name in another case]\nsrc/", id="folder"),
        pytest.param(
            "dateUtil\npath: src",
            "dateUtil: 1 of 2 files and 0 folders below src\n"
            "[1 name with these words in the name]\nsrc/date_util.py",
            id="words",
        ),
        pytest.param(
            "cli.py\n*util*",
            f"cli.py: 2 of {HERE}\nsrc/cli.py\ntests/cli.py\n\n*util*: 1 of {HERE}\n"
            "src/date_util.py",
            id="two",
        ),
    ],
)
def test_finds_files_by_name(root: Path, text: str, expected: str) -> None:
    assert found(root, text).text == expected


@table_of(
    ("text", "expected"),
    [
        ("qqqq", f"none of {HERE} has a name like qqqq (ignored files are not searched)"),
        ("gone.py", f"none of {HERE} has a name like gone.py (ignored files are not searched)"),
    ],
)  # fmt: skip
def test_says_where_it_looked(root: Path, text: str, expected: str) -> None:
    seen = found(root, text)
    assert (seen.status, seen.text) == (Status.EMPTY, expected)


def test_a_part_of_other_names_is_found_too(root: Path) -> None:
    (root / "tests" / "test_cli.py").touch()
    assert found(root, "cli").text == (
        "cli: 3 of 5 files and 2 folders\n[2 names with an extension]\nsrc/cli.py\ntests/cli.py\n"
        "[1 name with these words in the name]\ntests/test_cli.py"
    )


def test_says_what_searches_the_text_if_that_is_offered(root: Path) -> None:
    seen = FIND_FILE.call("class Qqqq", Context(root, offered=frozenset({"grep"})))
    assert seen.text.split("\n")[1:] == ["`grep` searches the contents of files"]


def test_what_has_no_room_is_counted(root: Path) -> None:
    assert found(root, "*.py", Limits(result_lines=1)).text == (
        f"*.py: 3 of {HERE}\n[3 names like it; 2 of them are not shown: write more of the name]\n"
        "src/cli.py"
    )


@table_of(
    ("text", "reason"),
    [
        ("a\0b", "the name contains a character that no file name can have: write it again"),
        ("\n".join("abcdefghi"), "too many names at once (9): ask for 8 or fewer"),
    ],
)
def test_says_what_is_wrong(root: Path, text: str, reason: str) -> None:
    assert found(root, text) == failed(reason)
