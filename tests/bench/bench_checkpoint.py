"""What a checkpoint takes in a repository of 300 and of 20,000 files, one of them changed.

Beside it git status, as both look at every file.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench_tools import generate
from beside import git, median_seconds, report, tried

from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace

# Not fewer for a tenth: among the few, the start of a process is what takes time.
FEW, FILES = 300, 20_000
BAR = 1.5  # of `git status`
FEW_BAR = 2.0  # the same among few files, where one sync takes a good part of it
ROUNDS = 15


def main() -> int:
    return max(_missed(FEW, FEW_BAR), _missed(FILES, BAR))


def _missed(files: int, bar: float) -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        generate(root, files)
        print(f"Checkpoints, on {files:,} files")
        made = workspace.make(
            find_base(root), root=Path(folder, "workspace"), branch="b", cuts=Path(folder, "cuts")
        )
        checkpoint.take(made)
        return tried(_one_file, made, bar)


def _one_file(made: Workspace, bar: float) -> int:
    change = _changes(made)

    def take() -> None:
        next(change)
        checkpoint.take(made)

    def status() -> None:
        next(change)
        git(made.root, "status")  # it keeps what it has found out in its index

    subjects = {"a checkpoint": take, "git status": status}
    return report("one file changed", median_seconds(subjects, ROUNDS), bar)


def _changes(made: Workspace) -> Iterator[None]:
    path = next(iter(sorted(made.root.glob("*/*/*.py"))))
    text = path.read_text()
    number = 0
    while True:
        number += 1
        path.write_text(f"{text}# {number}\n")
        yield


if __name__ == "__main__":
    sys.exit(main())
