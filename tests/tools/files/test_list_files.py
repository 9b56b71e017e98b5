from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.observation import Observation, Status, failed


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    code = ("src/app/main.py", "src/app/views/home.py", "src/app/views/user.py", "src/dates.py")
    files = {".gitignore": b"*.log\nbuild/\n", "README.md": b"x" * 1234}
    root = planted(files | dict.fromkeys((*code, "build/out.bin", "run.log"), b""))
    (root / "src" / "new.py").write_text("new")
    return root


def listed(root: Path, text: str, lines: int = 60) -> Observation:
    return LIST_FILES.call(text, Context(root, Limits(result_lines=lines)))


@table_of("text", ["", "`./`", "ROOT"])
def test_lists_the_root(root: Path, text: str) -> None:
    assert listed(root, text.replace("ROOT", str(root))) == Observation(
        ". holds 7 files; not counted: 2 ignored entries (build/, run.log)\n"
        "src/\n"
        "  app/\n"
        "    views/\n"
        "      home.py 0 B\n"
        "      user.py 0 B\n"
        "    main.py 0 B\n"
        "  dates.py 0 B\n"
        "  new.py 3 B\n"
        ".gitignore 13 B\n"
        "README.md 1.2 kB"
    )


FOLDED = "[folders with a count are not expanded: write a folder's path to see more]"


@table_of(
    ("text", "lines", "expected"),
    [
        pytest.param(
            "", 6,
            ". holds 7 files; not counted: 2 ignored entries (build/, run.log)\n"
            f"src/\n  app/ 3 files\n  dates.py 0 B\n  new.py 3 B\n.gitignore 13 B\n"
            f"README.md 1.2 kB\n{FOLDED}",
            id="two levels",
        ),
        pytest.param(
            "src/", 2,
            "src holds 5 files\napp/ 3 files\ndates.py 0 B\n"
            "[1 more entry here: write a glob such as *.py for a part of it]",
            id="not even one level",
        ),
        pytest.param(
            "*.py", 2,
            "5 files match *.py\nsrc/app/main.py 0 B\nsrc/app/views/home.py 0 B\n"
            "[3 more: write a narrower glob]",
            id="glob",
        ),
        ("src/**/us*.py", 2, "1 file matches src/**/us*.py\nsrc/app/views/user.py 0 B"),
    ],
)  # fmt: skip
def test_lists_as_deep_as_there_is_room(root: Path, text: str, lines: int, expected: str) -> None:
    assert listed(root, text, lines) == Observation(expected)


VIEWS = "src/app/views holds 2 files\nhome.py 0 B\nuser.py 0 B"


@table_of(
    ("text", "expected"),
    {
        "what is left out": (
            '{"path": "src/app/views", "recursive": true}',
            f"[read as src/app/views; left out: recursive]\n{VIEWS}",
        ),
        "folder and glob": (
            '{"path": "src/app", "pattern": "us*.py"}',
            "[read as src/app/**/us*.py]\n1 file matches src/app/**/us*.py\n"
            "src/app/views/user.py 0 B",
        ),
        "no JSON": (
            '{"path": "src"',
            "JSON, line 1: Expecting ',' delimiter, found the end; the text is '{\"path\": "
            '"src"\'; write one PATH, or leave it empty for the root',
        ),
    },
)  # fmt: skip
def test_reads_named_parts(root: Path, text: str, expected: str) -> None:
    assert listed(root, text).text == expected


@table_of("text", ["src/app/views/home.py", "src/app/views/home.py:4"])
def test_a_file_is_answered_with_its_folder(root: Path, text: str) -> None:
    assert listed(root, text) == Observation(
        f"src/app/views/home.py is a file (0 B): `read_file` shows it\n{VIEWS}",
        paths=("src/app/views/home.py",),
    )


def test_what_is_not_a_plain_file_is_said(root: Path) -> None:
    plain_git(root, "init", "--quiet", "src/app/views/inner")
    (root / "src/app/views/inner/x").touch()
    (root / "src/app/views/link").symlink_to("home.py")
    (root / "src/app/views/two\nlines").touch()
    (root / "src/app/views/user.py").unlink()
    (root / "views").symlink_to("src/app/views")
    assert listed(root, "views") == Observation(
        "src/app/views holds 4 files\nhome.py 0 B\n"
        "inner/ (a repository of its own, not searched)\nlink -> home.py\ntwo\\nlines 0 B"
    )


def test_a_submodule_is_no_empty_folder(root: Path) -> None:
    plain_git(root, "init", "--quiet", "inner")
    plain_git(root / "inner", "commit", "--quiet", "--allow-empty", "-m", "one")
    plain_git(root, "add", "inner")
    said = "inner is a repository of its own (a submodule): its files are not here"
    assert listed(root, "inner") == Observation(said, Status.EMPTY)


def test_a_folder_without_files(root: Path) -> None:
    (root / "empty").mkdir()
    (root / "logs").mkdir()
    (root / "logs" / "x.log").touch()
    assert [listed(root, "empty"), listed(root, "logs")] == [
        Observation("empty holds no files", Status.EMPTY),
        Observation("logs holds no files; not counted: 1 ignored entry (logs/x.log)", Status.EMPTY),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/date.py", "src/date.py does not exist; near it: src/dates.py, src/new.py, src/app"),
        pytest.param(
            f'{{"paths": {["src"] * 9}}}'.replace("'", '"'),
            "too many folders at once (9): ask for 8 or fewer",
            id="9",
        ),
        ("qqqq", "qqqq does not exist; an empty input lists the root"),
        pytest.param("*.rs", "no file matches *.rs", id="glob"),
        pytest.param(
            "up",
            "up is a symbolic link that leads out of the repository; only files in the repository "
            "can be accessed: write a path relative to its root",
            id="link that leads out",
        ),
        ("src\ndocs", "one folder at a time: write one PATH, or leave it empty for the root"),
    ],
)
def test_says_why_there_is_nothing_to_list(root: Path, text: str, expected: str) -> None:
    (root / "up").symlink_to("..")
    assert listed(root, text) == failed(expected)
