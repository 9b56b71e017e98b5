import os
from pathlib import Path

import pytest

from react_agent.tools.files.paths import (
    Cause,
    Place,
    Refused,
    inside,
    open_inside,
    settled,
    unwrapped,
)

OUT = "is outside the repository; only files in the repository can be reached: write a path"
LEADS_OUT = f"{OUT} relative to its root"
LINK_OUT = (
    "is a symbolic link that leads out of the repository; "
    "only files in the repository can be reached: write a path relative to its root"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work tree"
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("[core]\n")
    (folder / "src" / "x.py").write_text("x = 1\n")
    (tmp_path / "secret").write_text("secret\n")
    return folder


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("src/x.py", "src/x.py"),
        ("./src//x.py", "src/x.py"),
        ("src/", "src"),
        (".", "."),
        ("", "."),
        ("src/../src/x.py", "src/x.py"),
        (" `src/x.py` ", "src/x.py"),
        ("'src/x.py'", "src/x.py"),
        ('`"src/x.py"`', "src/x.py"),
        ("ROOT/src/x.py", "src/x.py"),
        ("ROOT", "."),
        ("ROOT/", "."),
        (".github/x", ".github/x"),
        (".gitignore", ".gitignore"),
        ("...", "..."),
    ],
)
def test_a_path_is_a_place(root: Path, text: str, name: str) -> None:
    assert inside(root, text.replace("ROOT", str(root))) == Place(root, name)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("..", f".. {LEADS_OUT}", id="parent"),
        pytest.param("../secret", f"../secret {LEADS_OUT}", id="beside"),
        pytest.param("src/../../secret", f"src/../../secret {LEADS_OUT}", id="up again"),
        pytest.param("/etc/passwd", f"/etc/passwd {LEADS_OUT}", id="absolute"),
        pytest.param("/", f"/ {LEADS_OUT}", id="root of all"),
        pytest.param(
            "/testbed/./src/x.py",
            f"/testbed/./src/x.py {LEADS_OUT}",
            id="the tree of another machine",
        ),
        pytest.param("ROOT-2/x", f"ROOT-2/x {LEADS_OUT}", id="a name that begins alike"),
        pytest.param("ROOT/../secret", f"ROOT/../secret {LEADS_OUT}", id="absolute and up"),
        *(
            pytest.param(text, f"{text} belongs to git: nothing in .git can be reached", id=text)
            for text in (".git", ".git/config", "./.GIT/hooks/x", "src/.Git", ".g\u200cit/config")
        ),
        pytest.param("a\0b", "'a\\x00b' can't be a path: write one path", id="NUL"),
        pytest.param("a\nb", "'a\\nb' can't be a path: write one path", id="two lines"),
        pytest.param("\ud800", "'\\ud800' can't be a path: write one path", id="surrogate"),
        pytest.param("x" * 256, f"'{'x' * 60}' can't be a path: write one path", id="too long"),
    ],
)
def test_what_leads_elsewhere_is_refused(root: Path, text: str, reason: str) -> None:
    (root / "up").symlink_to("..")
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


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "../absent"])
def test_a_link_that_leads_out_is_refused(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    assert opened(root, "link") == Refused(Cause.FORBIDDEN, f"link {LINK_OUT}")


def test_a_linked_folder_that_leads_out_is_refused(root: Path) -> None:
    (root / "up").symlink_to("..")
    assert opened(root, "up/secret") == Refused(Cause.FORBIDDEN, f"up/secret {LINK_OUT}")


def test_a_link_into_git_is_refused(root: Path) -> None:
    (root / "link").symlink_to(".git/config")
    reason = "link leads into .git, which can't be reached"
    assert opened(root, "link") == Refused(Cause.FORBIDDEN, reason)


def test_a_link_to_itself_is_refused(root: Path) -> None:
    (root / "link").symlink_to("link")
    reason = "link is not a regular file: only those can be read"
    assert opened(root, "link") == Refused(Cause.FORBIDDEN, reason)


def test_a_fifo_is_refused_and_does_not_block(root: Path) -> None:
    os.mkfifo(root / "fifo")
    reason = "fifo is not a regular file: only those can be read"
    assert opened(root, "fifo") == Refused(Cause.FORBIDDEN, reason)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("absent", Refused(Cause.MISSING, "absent does not exist")),
        ("src/x.py/y", Refused(Cause.MISSING, "src/x.py/y does not exist")),
        ("src", Refused(Cause.FOLDER, "src is a folder")),
        (".", Refused(Cause.FOLDER, ". is a folder")),
    ],
)
def test_says_why_there_is_no_file_to_open(root: Path, name: str, refused: Refused) -> None:
    assert opened(root, name) == refused


def test_settles_a_link_to_the_place_it_leads_to(root: Path) -> None:
    (root / "link").symlink_to("src")
    assert settled(Place(root, "link/new.py")) == Place(root.resolve(), "src/new.py")


def test_a_lone_quote_is_part_of_a_name() -> None:
    assert unwrapped(" it's' ") == "it's'"
