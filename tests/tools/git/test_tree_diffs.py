"""Lines by files, between what git holds and what stands in a work tree."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.git import checkpoint
from react_agent.tools.git.tree_diffs import MANY, line_counts
from react_agent.tools.git.workspace import Workspace


def _since(made: Workspace) -> list[str] | None:
    base, tree = made.base.commit, checkpoint.take(made).tree
    return line_counts(made.store, base, tree, ends_count=False)


def _odd_names(root: Path) -> None:
    (root / "a:b, c.py").write_text("x\n")
    (root / "new\nline").write_text("x\n")
    (root / os.fsdecode(b"\xff")).write_text("x\n")


@table_of(
    ("change", "expected"),
    [
        pytest.param(lambda root: None, [], id="nothing"),
        pytest.param(
            lambda root: (root / "src/one.py").rename(root / "src/uno.py"),
            ["src/one.py:+0-1", "src/uno.py:+1-0"],
            id="renamed",
        ),
        pytest.param(
            lambda root: (root / "src/one.py").chmod(0o755), ["src/one.py:+0-0"], id="a mode"
        ),
        pytest.param(lambda root: (root / "empty").touch(), ["empty:+0-0"], id="an empty file"),
        pytest.param(lambda root: (root / "x.bin").write_bytes(b"\0"), ["x.bin:*"], id="binary"),
        (_odd_names, ["a:b, c.py:+1-0", "new\nline:+1-0", "\udcff:+1-0"]),
    ],
)
def test_counts_by_files(
    made: Workspace, change: Callable[[Path], object], expected: list[str]
) -> None:
    change(made.root)
    assert _since(made) == expected
    checkpoint.restore(made, made.base.commit)


def test_line_ends_that_a_checkout_made_are_no_change(
    workspace_of: Callable[[dict[str, str]], Workspace],
) -> None:
    files = {".gitattributes": "*.txt eol=crlf\n", "a.txt": "1\n2\n", "b.txt": "1\n2\n"}
    place = workspace_of(files)
    assert (place.root / "a.txt").read_bytes() == b"1\r\n2\r\n"
    (place.root / "b.txt").write_bytes(b"1\r\n2\r\n3\r\n")
    assert _since(place) == ["b.txt:+1-0"]


def test_of_very_many_files_the_first_are_named(made: Workspace) -> None:
    for number in range(MANY + 2):
        (made.root / f"f{number:03}").write_text("x\n")
    counts = _since(made) or []
    assert (len(counts), counts[-1]) == (MANY + 1, ":2")


def test_of_a_tree_that_is_gone_nothing_is_known(made: Workspace) -> None:
    tree = checkpoint.take(made).tree
    assert line_counts(made.store, "f" * 40, tree) is None


def test_a_last_line_without_its_end_and_other_kinds(made: Workspace) -> None:
    (made.root / "src/one.py").write_bytes(b"one = 1")
    (made.root / "src/two.py").unlink()
    (made.root / "src/two.py").symlink_to("one.py")
    (made.root / "cr.txt").write_bytes(b"a\rb\r\nc\x0cd\n")
    (made.root / "large.txt").write_bytes(b"0123456\n" * 1_000_001)
    expected = ["cr.txt:+2-0", "large.txt:*", "src/one.py:+1-1", "src/two.py:+1-1"]
    assert _since(made) == expected


@pytest.mark.parametrize("seed", range(4))
def test_counts_what_git_counts(made: Workspace, seed: int) -> None:
    chance = random.Random(seed)
    lines = [f"line {number}\n" for number in range(300)]
    (made.root / "long.txt").write_text("".join(lines))
    before = checkpoint.take(made).tree
    for _ in range(8):
        at = chance.randrange(len(lines))
        lines[at : at + chance.randrange(4)] = [f"new {chance.random()}\n"] * chance.randrange(4)
    (made.root / "long.txt").write_text("".join(lines))
    after = checkpoint.take(made).tree
    told = made.checkpoints.run("diff-tree", "-r", "--numstat", before, after).decode().split()
    counted = [f"long.txt:+{told[0]}-{told[1]}"] if told else []
    assert line_counts(made.store, before, after) == counted
