import os
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import write
from check_rows import table_of

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import WRITE_FILE
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.files.paths import Cause, Place, Refused, inside, open_inside
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Status
from react_agent.tools.registry import Tool

OUT = "is outside the repository; only files in the repository can be accessed: write a path"
LEADS_OUT = f"{OUT} relative to its root"
LINK_OUT = (
    "is a symbolic link that leads out of the repository; "
    "only files in the repository can be accessed: write a path relative to its root"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work tree"
    write(folder, {".git/config": "[core]\n", "src/x.py": "x = 1\n"})
    (tmp_path / "secret").write_text("secret\n")
    return folder


@table_of(
    ("text", "name"),
    [
        ("./src//x.py", "src/x.py"),
        ("src/../src/x.py", "src/x.py"),
        (" `src/x.py` ", "src/x.py"),
        ('`"src/x.py"`', "src/x.py"),
        ("ROOT/src/x.py", "src/x.py"),
        ("ROOT", "."),
        (".gitignore", ".gitignore"),
        ("...", "..."),
    ],
)
def test_a_path_is_a_place(root: Path, text: str, name: str) -> None:
    assert inside(root, text.replace("ROOT", str(root))) == Place(root, name)


@table_of(
    ("text", "reason"),
    [
        pytest.param("../secret", f"../secret {LEADS_OUT}", id="beside"),
        pytest.param("/etc/passwd", f"/etc/passwd {LEADS_OUT}", id="absolute"),
        pytest.param("ROOT-2/x", f"ROOT-2/x {LEADS_OUT}", id="a name that begins alike"),
        pytest.param("ROOT/../secret", f"ROOT/../secret {LEADS_OUT}", id="absolute and up"),
        *(
            pytest.param(text, f"{text} is inside .git, which can't be accessed", id=text)
            for text in (".git", "src/.Git/x", ".g\u200cit/config")
        ),
        pytest.param("a\nb", "'a\\nb' is not a path: write exactly one path", id="two lines"),
        pytest.param("\ud800", "'\\ud800' is not a path: write exactly one path", id="surrogate"),
        pytest.param(
            "x" * 256, f"'{'x' * 60}' is not a path: write exactly one path", id="too long"
        ),
    ],
)
def test_what_leads_elsewhere_is_refused(root: Path, text: str, reason: str) -> None:
    place = inside(root, text.replace("ROOT", str(root)))
    assert place == Refused(Cause.FORBIDDEN, reason.replace("ROOT", str(root)))


def opened(root: Path, name: str) -> bytes | Refused:
    file = open_inside(Place(root, name))
    if isinstance(file, Refused):
        return file
    with file:
        return file.read()


def test_opens_a_file_and_a_link_that_stays_inside(root: Path) -> None:
    (root / "link.py").symlink_to("src/x.py")
    (root / "folder").symlink_to("src")
    names = ("src/x.py", "link.py", "folder/x.py")
    assert [opened(root, name) for name in names] == [b"x = 1\n"] * 3


def test_what_is_no_file_of_the_work_tree_is_refused(root: Path) -> None:
    links = {"link": "../secret", "nowhere": "../absent", "up": "..", "gits": ".git/config"}
    for name, target in (*links.items(), ("circle", "circle")):
        (root / name).symlink_to(target)
    os.mkfifo(root / "fifo")  # which does not block
    reasons = {
        **dict.fromkeys(("link", "nowhere", "up/secret"), LINK_OUT),
        "gits": "leads into .git, which can't be accessed",
        **dict.fromkeys(("circle", "fifo"), "is not a regular file: it can't be read"),
    }
    for name, reason in reasons.items():
        assert opened(root, name) == Refused(Cause.FORBIDDEN, f"{name} {reason}")


@table_of(
    ("name", "refused"),
    [
        ("absent", Refused(Cause.MISSING, "absent does not exist")),
        ("src/x.py/y", Refused(Cause.MISSING, "src/x.py/y does not exist")),
        ("src", Refused(Cause.FOLDER, "src is a folder")),
    ],
)
def test_says_why_there_is_no_file_to_open(root: Path, name: str, refused: Refused) -> None:
    assert opened(root, name) == refused


@table_of(
    ("tool", "given", "name"),
    [
        (LIST_FILES, "up", "up"),
        (READ_FILE, "up/x.py", "up/x.py"),
        (OUTLINE, "up/x.py", "up/x.py"),
        (WRITE_FILE, "up/x\nx", "up/x"),
    ],
)
def test_each_tool_refuses_a_link_that_leads_out(
    planted: Callable[..., Path], tool: Tool, given: str, name: str
) -> None:
    place = planted({"a": b""})
    (place / "up").symlink_to("..")
    seen = tool.call(given, Context(place))
    assert (seen.status, seen.text.partition(";")[0]) == (
        Status.FAILED,
        f"{name} {LINK_OUT.partition(';')[0]}",
    )
