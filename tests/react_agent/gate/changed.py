"""A change in a real repository, and the steps that made it, for the checks of the gate."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from by_hand import plain_git

from react_agent.guards.gate import Known, open_points
from react_agent.parsers.transcript.entries import Entry, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import fold
from react_agent.tools.git.change import Proposed
from react_agent.tools.git.door import work_tree
from react_agent.tools.git.objects import Objects

Files = Mapping[str, str | None]
LIB = "def add(a, b):\n    return a - b\n"
FIXED = LIB.replace("-", "+")
TEST = "from lib import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
MORE = TEST + "\n\ndef test_more():\n    assert add(2, 2) == 4\n"
REPO = {"lib.py": LIB, "tests/test_lib.py": TEST, "README.md": "# lib\n"}
FAILURE = "FAILED tests/test_lib.py::test_add - assert\n=== 1 failed, 2 passed in 0.10s ==="
PASSED = "=== 3 passed in 0.10s ==="


def did(kind: str, given: str = "", text: str = "", **facts: str) -> tuple[Said, Seen]:
    facts = {"kind": kind, "tool": "x", "status": "ok", **facts}
    return Said(Turn(Kind.ACTION, "", "x", given)), Seen(text, facts)


def edit(path: str = "lib.py", tree: str = "t1") -> tuple[Said, Seen]:
    return did("write", paths=path, tree=tree)


def ran(command: str, text: str, status: str = "ok", tree: str = "t1") -> tuple[Said, Seen]:
    return did("run", command, text, status=status, tree=tree)


def suite(status: str = "ok", said: str = "3 passed in 0.1 s (pytest)") -> tuple[Said, Seen]:
    return did("test", "", said, status=status, tree="t1", tests=said)


def written(root: Path, files: Files) -> str:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            place.unlink()
        else:
            place.write_text(text)
    plain_git(root, "add", "--all", "--force")
    return plain_git(root, "write-tree")


def known_of(
    root: Path, after: Files, *steps: tuple[Entry, ...], before: Files = REPO, **more: Any
) -> Known:
    plain_git(root, "init", "--quiet")
    trees = [written(root, files) for files in (before, after)]
    proposed = Proposed(work_tree(root), Objects(root / ".git" / "objects"), *trees)
    entries = (Objective("do it"), *(entry for pair in steps for entry in pair))
    return Known(fold(entries), proposed.changes(), proposed, **more)


def said(check: str, known: Known) -> list[str]:
    return [point.text for point in open_points((check,), known)]
