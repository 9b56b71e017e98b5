from pathlib import Path

import pytest
from by_hand import files

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import WRITE_FILE
from react_agent.tools.observation import Observation, failed

REFUSED = "; nothing was changed"
PATCH = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
V4A = "*** Begin Patch\n*** Update File: src/y.txt\n@@\n-one\n+1\n two\n*** End Patch\n"


def write(root: Path, text: str, *offered: str) -> Observation:
    return WRITE_FILE.call(text, Context(root, offered=frozenset(offered)))


@pytest.mark.parametrize(
    ("text", "name", "data"),
    [
        pytest.param("new/deep/n.txt\na\nb\n", "new/deep/n.txt", b"a\nb\n", id="missing parents"),
        pytest.param('{"path": "n", "content": "a\\n"}', "n", b"a\n", id="no second newline"),
        pytest.param("src/__init__.py", "src/__init__.py", b"", id="empty"),
        pytest.param("empty\na", "empty", b"a\n", id="into an empty file"),
        pytest.param(f"n.patch\n{PATCH}", "n.patch", PATCH.encode(), id="a patch with a path"),
        (f"doc.md\n{PATCH.replace('src/', '')}", "doc.md", PATCH.replace("src/", "").encode()),
    ],
)
def test_creates_a_file(root: Path, text: str, name: str, data: bytes) -> None:
    (root / "empty").touch()
    original = files(root)
    seen = write(root, text)
    assert (seen.status, seen.paths) == ("ok", (name,))
    assert files(root) == {**original, name: data}


@pytest.mark.parametrize("text", [PATCH, V4A], ids=["diff", "begin patch"])
def test_applies_a_patch_without_a_path(root: Path, text: str) -> None:
    original = files(root)
    assert write(root, text) == Observation(
        "[read as a patch]\nchanged src/y.txt (+1 -1)\nsrc/y.txt\n   1| 1\n   2| two",
        paths=("src/y.txt",),
    )
    assert files(root) == {**original, "src/y.txt": b"1\ntwo\n"}


@pytest.mark.parametrize(
    ("text", "offered", "expected"),
    [
        pytest.param(
            "src/y.txt\nx",
            ("replace", "apply_patch"),
            failed(
                "src/y.txt exists already, with 2 lines; it was not overwritten: change it with "
                f"`replace` or `apply_patch`{REFUSED}",
                "src/y.txt",
            ),
            id="exists",
        ),
        pytest.param(
            "src/y.txt\none\ntwo",
            (),
            failed(f"src/y.txt already has exactly this content{REFUSED}", "src/y.txt"),
            id="the same",
        ),
        ("src\nx", (), failed(f"src is a folder{REFUSED}", "src")),
        pytest.param(
            "up/x\nx",
            (),
            failed(
                "up/x is a symbolic link that leads out of the repository; only files in the "
                f"repository can be accessed: write a path relative to its root{REFUSED}"
            ),
            id="link",
        ),
    ],
)  # fmt: skip
def test_refuses_and_says_why(
    root: Path, text: str, offered: tuple[str, ...], expected: Observation
) -> None:
    (root / "up").symlink_to("..")
    original = files(root)
    assert write(root, text, *offered) == expected
    assert files(root) == original
