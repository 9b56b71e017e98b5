"""The files of the last checkpoint are those that git lists, and a glob names those git finds."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import write
from check_rows import table_of

from react_agent.parsers.repo.globs import glob_ways, matching
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import Listing, listing
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.git import checkpoint
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.observation import Status
from react_agent.tools.registry import Tool, build

NAMES = (
    *("a", "ab.py", "src/a.py", "src/b.txt", "src/app/a.py", "src/app/[x].py", "lib/src/c.py"),
    *("src/app/deep/a.py", "test-é.py", "docs/a b.md", "docs/ä.md", "docs/x!.md"),
)


def change(root: Path) -> None:
    (root / "src" / "one.py").unlink()
    (root / "src" / "two.py").rename(root / "2.py")
    write(root, dict.fromkeys(("new/ä.py", "new/two\nlines", "new/x.log", "z"), ""))
    (root / "link").symlink_to("nowhere")
    (root / "README").unlink()
    (root / "README").symlink_to("new")


def ignore_more(root: Path) -> None:
    write(root, {"new.py": "", ".gitignore": "new.py\nsrc\n"})


@pytest.mark.parametrize("make", [lambda root: None, change, ignore_more])
def test_a_checkpoint_holds_what_git_lists(made: Workspace, make: Callable[[Path], None]) -> None:
    make(made.root)
    taken = checkpoint.take(made)
    assert taken.left_out == ()
    by_git = listing(Context(made.root))
    assert listing(Context(made.root, tree=taken.tree)) == by_git
    assert len(by_git.files) >= 4


def test_a_commit_is_a_tree_too(made: Workspace) -> None:
    expected = Listing((".gitignore", "README", "src/one.py", "src/two.py"))
    assert listing(Context(made.root, tree=made.base.commit)) == expected


@table_of("tool", [GREP, LIST_FILES, OUTLINE])
def test_without_git_it_is_an_answer(tmp_path: Path, tool: Tool) -> None:
    seen = build([tool], {}).call(tool.name, "*", Context(tmp_path)).observation
    assert seen.status is Status.FAILED
    assert seen.text.startswith("git ls-files: not a git repository")


GLOBS = (
    *("*.py", "a*", "src/*", "src/*.py", "src/?.py", "*/a.py", "src/**/a.py", "**/a.py", "**"),
    *("src/**", "**/app/**", "src/[ab]*", "src/[!a]*", "src/[^a]*", "*[!!].md"),
    *("src/app/[[]x].py", "do*", "*.[pt][yx]*", "lib/*/c.py", "lib/**/c.py", "[", "a[b", "[]a]*"),
    *("docs/a?b.md", "src/**/*.py", "*é*"),
)


def test_a_glob_names_what_git_finds(planted: Callable[..., Path]) -> None:
    root = planted(dict.fromkeys(NAMES, b""))
    for glob in GLOBS:
        argv = ["git", "-C", str(root), "ls-files", "-z", "--", *glob_ways(glob)]
        told = subprocess.run(argv, check=True, capture_output=True, text=True)
        assert matching(glob, sorted(NAMES)) == sorted(told.stdout.split("\0")[:-1]), glob
