"""What a further workspace of a base takes, on 2,000 files, beside a bare `git worktree add`."""

import itertools
import sys
import tempfile
from pathlib import Path

from bench_tools import generate
from beside import git, median_seconds, report, share, tried

from react_agent.tools.disk import remove_tree
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make

FILES = 2_000
BAR = 2.0  # of `git worktree add`
ROUNDS = 8


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        generate(place / "repository", FILES)
        print(f"Workspaces, on {FILES:,} files")
        return tried(_further, place)


def _further(place: Path) -> int:
    repository, numbers = place / "repository", itertools.count()
    base = find_base(repository)
    made = list[Path]()

    def workspace() -> None:
        root = place / f"w{next(numbers)}"
        made.append(root)
        make(base, root=root, branch="b", cuts=place / "root" / "cuts")

    def worktree() -> None:
        root = place / f"t{next(numbers)}"
        made.append(root)
        git(repository, "worktree", "add", "--quiet", "--detach", str(root))

    seconds = median_seconds(
        {"a workspace": workspace, "git worktree add": worktree}, share(ROUNDS)
    )
    for root in made:
        remove_tree(root)
    git(repository, "worktree", "prune")
    return report("a further one of a base", seconds, BAR)


if __name__ == "__main__":
    sys.exit(main())
