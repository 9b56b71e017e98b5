"""What a checkpoint takes in a repository of 300 and of 20,000 files, one of them changed.

Beside it git status, as both look at every file. Further on: going back one file; and checkpoints,
where a thousand differ.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench_tools import generate
from beside import Subjects, git, median_seconds, report, tried

from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace

# Not fewer for a tenth: among the few, the start of a process is what takes time.
FEW, FILES = 300, 20_000
BAR = 1.5  # of `git status`
FEW_BAR = 2.0  # the same among few files, where one sync takes a good part of it
LOOSE_BAR = 20.0  # of what is done a few times in a run
MANY = 1000  # files that differ from the base, for most of a run
ROUNDS = 15


def main() -> int:
    return max(
        _missed(FEW, partial(_one_file, bar=FEW_BAR)), _missed(FILES, _one_file, _back, _many)
    )


def _missed(files: int, *benches: Callable[[Workspace], int]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        generate(root, files)
        print(f"Checkpoints, on {files:,} files")
        made = workspace.make(
            find_base(root), root=Path(folder, "workspace"), branch="b", cuts=Path(folder, "cuts")
        )
        checkpoint.take(made)
        return max([tried(bench, made) for bench in benches])


def _one_file(made: Workspace, bar: float = BAR) -> int:
    subjects = _beside_status("a checkpoint", made)
    return report("one file changed", median_seconds(subjects, ROUNDS), bar)


def _beside_status(name: str, made: Workspace) -> Subjects:
    change = _changes(made)

    def take() -> None:
        next(change)
        checkpoint.take(made)

    def status() -> None:
        next(change)
        git(made.root, "status")  # it keeps what it has found out in its index

    return {name: take, "git status": status}


def _back(made: Workspace) -> int:
    change = _changes(made)
    tree = checkpoint.take(made).tree

    def back() -> None:
        next(change)
        checkpoint.restore(made, tree)

    subjects = {"going back": back, "git status": lambda: git(made.root, "status")}
    report("one file put back", median_seconds(subjects, ROUNDS // 3), LOOSE_BAR)
    return 0


def _many(made: Workspace) -> int:
    """Not beside git status, whose index knows them: beside git add, which has to read them too."""
    for path in sorted(made.root.glob("*/*/*.py"))[:MANY]:
        path.write_text(path.read_text() + "# one of many\n")
    checkpoint.take(made)
    subjects = _beside_status(f"a checkpoint, {MANY:,} differ", made)
    report("and many from before", median_seconds(subjects, ROUNDS // 3), LOOSE_BAR)
    return 0


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
